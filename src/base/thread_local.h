// SPDX-License-Identifier: MIT
// What each thread has of its own. A build without threads has one of it: WebAssembly cannot link
// thread-local storage without atomics.
#pragma once

#ifdef RBL_NO_THREADS
#define RBL_THREAD_LOCAL
#else
#define RBL_THREAD_LOCAL _Thread_local
#endif

// SPDX-License-Identifier: MIT
// Work that brings further work, for a worker group: whoever is free takes the next item.
#pragma once

#include "base/worker_group.h"

#include <stddef.h>

typedef struct rbl_work_queue rbl_work_queue;

/// Does one item. May push further ones.
typedef void rbl_work_queue_function(void *context, rbl_work_queue *queue, uint64_t item,
                                     int worker);

/// @return bytes that a queue for so many items needs
size_t rbl_work_queue_size(int capacity);

/// Set up an empty queue in memory of that size, on a cache line.
/// @param capacity  items in all, those that are done included
rbl_work_queue *rbl_work_queue_init(void *memory, int capacity);

/// Add an item, before or while the queue is drained; not 0. Threads: any.
/// @return false when it is full: the caller does it itself
bool rbl_work_queue_push(rbl_work_queue *queue, uint64_t item);

/// Do all items, and those that come of them, in no fixed order. To be called by the group's
/// function.
/// @param group NULL: all on the calling thread, as worker 0
void rbl_worker_group_drain(rbl_worker_group *group, rbl_work_queue *queue, int worker_count,
                            rbl_work_queue_function *function, void *context);

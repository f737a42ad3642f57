"""Jobs by the workers of a dask.distributed cluster.

Each thread of the cluster has a process of its own (worker.py), so a job that crashes or hangs does not take the
cluster's worker with it, and the blame goes to that job alone. Few tasks are under way at a time: dask counts the death
of a worker against every task that waits for it, and after a few deaths gives all of them up.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time

from .._types import Any, Optional, Path, Sequence
from .progress import Outcome, Progress
from .worker import Worker

CHUNK_SECONDS = 0.5  # work of one task: long against what a task costs, short against the life of a worker
RESULT_SECONDS = 5.0  # for the few bytes that a task returns
_mine = threading.local()


def _make_chunk(orders, folder, timeout, memory):
    """On a worker: make jobs one after the other."""
    settings = timeout, memory
    if getattr(_mine, "settings", None) != settings:
        if hasattr(_mine, "worker"):
            _mine.worker.__exit__()
        _mine.worker, _mine.settings = Worker(*settings), settings
    return [_mine.worker.make(folder, *order) for order in orders]


class _Pace:
    """How many jobs a task has, and how many tasks are under way."""

    def __init__(self, client):
        self.client, self.seconds, self.asked, self.threads = client, None, 0.0, 1

    def note(self, outcomes):
        for outcome in outcomes:
            self.seconds = outcome.seconds if self.seconds is None else 0.9 * self.seconds + 0.1 * outcome.seconds

    def task_count(self):
        if time.monotonic() - self.asked > 1.0:
            self.threads = max(1, sum(self.client.nthreads().values()))
            self.asked = time.monotonic()
        return 2 * self.threads

    def chunk_size(self, left):
        if not self.seconds:
            return 1
        return max(1, min(int(CHUNK_SECONDS / self.seconds), left // (2 * self.threads), 256))


class _Tasks:
    """Tasks under way on a cluster, and what became of those that ended."""

    def __init__(self, client, folder, timeout, memory):
        self.client, self.settings = client, (str(folder), timeout, memory)
        self.ended, self.keys_of, self.number = queue.Queue(), {}, 0

    def begin(self, orders):
        self.number += 1
        future = self.client.submit(_make_chunk, orders, *self.settings, key=f"rubble-{orders[0][1]}-{self.number}", pure=False)
        self.keys_of[future.key] = [order[1] for order in orders]
        future.add_done_callback(self.ended.put)

    def take(self):
        """Wait for a task. Returns its keys, and outcomes or the error that ended it; None where its results are lost."""
        future = self.ended.get()
        keys = self.keys_of.pop(future.key)
        try:
            return keys, future.result(timeout=RESULT_SECONDS)
        except (asyncio.TimeoutError, TimeoutError, asyncio.CancelledError, OSError):
            future.cancel()  # what it returned went with its worker
            return keys, None
        except Exception as error:
            return keys, error


def run_on_dask(client: Any, jobs: Sequence[Any], folder: Path, timeout: float = 600.0, tries: int = 3,
                memory: Optional[int] = None, report: Any = None) -> Progress:
    """Make jobs by the workers of a dask.distributed Client; the folder and the meshes are seen by all of them.
    Parameters are those of run(). Returns a Progress."""
    progress = Progress(folder, jobs, tries, report)
    pace, tasks = _Pace(client), _Tasks(client, folder, timeout, memory)
    alone = set()  # jobs whose task was lost: each gets a task of its own, so that the blame is its own
    try:
        while not progress.is_over:
            while progress.queue and len(tasks.keys_of) < pace.task_count():
                size = 1 if progress.queue[0] in alone else pace.chunk_size(len(progress.queue))
                keys = [progress.queue.popleft()]
                while len(keys) < size and progress.queue and progress.queue[0] not in alone:
                    keys.append(progress.queue.popleft())
                tasks.begin([progress.order_of(key) for key in keys])
            keys, outcomes = tasks.take()
            if outcomes is None:  # the files are there: asking again costs little, and nobody is to blame
                progress.queue.extend(keys)
            elif not isinstance(outcomes, Exception):
                pace.note(outcomes)
                for outcome in outcomes:
                    progress.settle(outcome)
            elif len(keys) > 1:
                alone.update(keys)
                progress.queue.extend(keys)
            else:
                progress.settle(Outcome(keys[0], None, f"{type(outcomes).__name__}: {outcomes}", False, 0.0))
    finally:
        progress.finish()
    return progress

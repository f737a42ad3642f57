"""Jobs by processes of this machine."""

from __future__ import annotations

import queue
import threading

from .._types import Any, Optional, Path, Sequence
from .progress import Outcome, Progress
from .worker import Worker, make_file


def make(job: Any, key: str, folder: Path) -> str:
    """Make a job into a folder here and now, unless it is there. Returns the hash of its file."""
    return make_file(job, key, folder)


def _serve(worker, progress, orders, outcomes):
    """A thread for each worker: hands on orders and outcomes."""
    with worker:
        while True:
            key = orders.get()
            if key is None:
                return
            try:
                outcome = worker.make(progress.folder, *progress.order_of(key))
            except Exception as error:  # such as a job that cannot be pickled
                outcome = Outcome(key, None, f"{type(error).__name__}: {error}", True, 0.0)
            outcomes.put(outcome)


def run(jobs: Sequence[Any], folder: Path, workers: int = 1, timeout: float = 600.0, tries: int = 3,
        memory: Optional[int] = None, report: Any = None) -> Progress:
    """Make jobs by processes of this machine. Returns a Progress.

    timeout: seconds that one job may take. memory: bytes that a worker may have, or None. tries: how often a job is
    tried whose worker dies, runs out of memory or takes too long. report: called with the Progress after each job;
    when it returns False, the run ends with Cancelled, and can be started again.
    """
    progress = Progress(folder, jobs, tries, report)
    orders, outcomes = queue.SimpleQueue(), queue.Queue()
    team = [Worker(timeout, memory) for _ in range(max(1, min(workers, len(progress.queue))))]
    threads = [threading.Thread(target=_serve, args=(worker, progress, orders, outcomes), daemon=True) for worker in team]
    for thread in threads:
        thread.start()
    try:
        while not progress.is_over:
            while progress.queue:
                orders.put(progress.queue.popleft())
            progress.settle(outcomes.get())
    except BaseException:
        for worker in team:
            worker.close()
        raise
    finally:
        while not orders.empty():  # nothing more is begun
            try:
                orders.get_nowait()
            except queue.Empty:
                break
        for _ in threads:
            orders.put(None)
        for thread in threads:
            thread.join()
        progress.finish()
    return progress

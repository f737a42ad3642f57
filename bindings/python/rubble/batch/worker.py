"""A process that makes jobs. What kills it, fills its memory or hangs it hurts nobody else.

It is a program of its own and not one of multiprocessing's: those import the caller's script again, and workers of a
cluster may not have them.
"""

import hashlib
import os
import pickle
import subprocess
import sys
import threading
import time

from .dataset import is_whole, path_of, write_once
from .progress import HOPELESS, Outcome

START_SECONDS = 120.0  # for a process to be there


def make_file(job, key, folder, listed=None):
    """Make a job into a folder, unless its file is there. Returns the hash of the file.

    listed: the hash that the file has, where one is known; a file that has another is made again.
    """
    path = path_of(folder, key)
    if path.exists():
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if digest == listed or (listed is None and is_whole(path)):
            return digest
        path.unlink(missing_ok=True)
    data = job.make(folder)
    write_once(path, data)
    return hashlib.sha256(data).hexdigest()


def _limit_memory(size):
    try:
        import resource
    except ImportError:  # not on Windows
        return
    kind = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
    resource.setrlimit(kind, (size, size))


def serve():
    """What the process does: orders come by standard input, outcomes go by standard output, until the input ends."""
    orders, outcomes = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a job prints is no outcome
    try:
        memory = pickle.load(orders)
        if memory:
            _limit_memory(memory)
        pickle.dump("ready", outcomes)  # a job's time begins here, however long it took to get here
        outcomes.flush()
        while True:
            job, key, listed, folder = pickle.load(orders)
            digest = error = None
            is_hopeless = False
            began = time.monotonic()
            try:
                digest = make_file(job, key, folder, listed)
            except MemoryError as problem:
                error = f"{type(problem).__name__}: {problem or 'there was no memory'}"
            except HOPELESS as problem:
                error, is_hopeless = f"{type(problem).__name__}: {problem}", True
            except Exception as problem:  # unforeseen: it may not come again
                error = f"{type(problem).__name__}: {problem}"
            pickle.dump(Outcome(key, digest, error, is_hopeless, time.monotonic() - began), outcomes)
            outcomes.flush()
    except (EOFError, BrokenPipeError, KeyboardInterrupt):
        pass


class Worker:
    """A process that makes one job at a time; it is started again when it is gone."""

    def __init__(self, timeout=600.0, memory=None):
        self.timeout, self.memory = timeout, memory
        self.process, self._deadline, self._is_late = None, None, False
        self._lock, self._is_closed = threading.Lock(), threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def _start(self):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p), "OPENBLAS_NUM_THREADS": "1"}
        self.process = subprocess.Popen([sys.executable, "-c", "from rubble.batch.worker import serve; serve()"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self._allow(START_SECONDS)
        pickle.dump(self.memory, self.process.stdin)
        self.process.stdin.flush()
        pickle.load(self.process.stdout)

    def _allow(self, seconds):
        with self._lock:
            self._deadline, self._is_late = time.monotonic() + seconds, False

    def _watch(self):
        while not self._is_closed.wait(0.05):
            with self._lock:
                if self._deadline is not None and time.monotonic() > self._deadline:
                    self._is_late = True
                    self.process.kill()

    def make(self, folder, job, key, listed=None):
        """Have a job made into a folder. Returns an Outcome, whatever happens to the process."""
        began = time.monotonic()
        try:
            if self._is_closed.is_set():
                raise EOFError
            if self.process is None or self.process.poll() is not None:
                self._stop()
                self._start()
            self._allow(self.timeout)
            pickle.dump((job, key, listed, str(folder)), self.process.stdin)
            self.process.stdin.flush()
            return pickle.load(self.process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            with self._lock:
                self._deadline = None
            status = self._stop()
            reason = f"it took more than {self.timeout:g} seconds" if self._is_late else f"its worker died (status {status})"
            return Outcome(key, None, reason, False, time.monotonic() - began)
        finally:
            with self._lock:
                self._deadline = None

    def _stop(self):
        process, self.process = self.process, None
        if process is None:
            return None
        for pipe in (process.stdin, process.stdout):
            try:
                pipe.close()
            except OSError:  # what it was not told any more
                pass
        try:
            return process.wait(0.5)  # it ends by itself when its input does
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()

    def close(self):
        """End the process, also in the middle of a job that another thread waits for."""
        self._is_closed.set()
        process = self.process
        if process is not None:
            process.kill()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
        self._stop()

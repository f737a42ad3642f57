"""What became of jobs: made, to be tried again, put aside."""

from __future__ import annotations

import collections
import hashlib
import json
import pathlib
import shutil

from .._library import BadArgument, BadFile, BadMesh, Cancelled, IoFailed, LimitReached, Unsupported
from .._types import Any, Optional, Path, Sequence, Tuple
from .dataset import VERSION, write

# Errors that come again however often a job is tried.
HOPELESS = (BadArgument, BadFile, BadMesh, IoFailed, LimitReached, Unsupported, TypeError, ValueError, KeyError, FileNotFoundError)

# How one try of a job ended: `digest` of its file, or an `error`, and whether it would come again.
Outcome = collections.namedtuple("Outcome", "key digest error is_hopeless seconds")


class Progress:
    """What became of the jobs: `made`, by key the hash of each file, and `failed`, by key the reason."""

    def __init__(self, folder: Path, jobs: Sequence[Any], tries: int, report: Any = None) -> None:
        self.folder, self.tries, self.report = pathlib.Path(folder), tries, report
        self.made, self.failed, self.attempts = {}, {}, collections.Counter()
        self.queue, self.jobs = collections.deque(), {}
        self.listed = self._read_list()
        for job in jobs:
            try:
                key = job.key()
            except (OSError, ValueError, KeyError) as error:
                key = hashlib.sha256(repr(job).encode()).hexdigest()[:32]
                self.jobs[key] = job
                self.set_aside(key, f"{type(error).__name__}: {error}")
                continue
            if key not in self.jobs:
                self.jobs[key] = job
                self.queue.append(key)

    def _read_list(self):
        try:
            return json.loads((self.folder / "manifest.json").read_text())
        except (OSError, ValueError):
            return {"files": {}, "jobs": {}, "failed": {}}

    @property
    def is_over(self) -> bool:
        """Whether every job was made or put aside."""
        return len(self.made) + len(self.failed) == len(self.jobs)

    def order_of(self, key: str) -> Tuple[Any, str, Optional[str]]:
        """What a worker is told: the job, its key, and the hash that an earlier run noted for its file."""
        return self.jobs[key], key, self.listed["files"].get(key)

    def settle(self, outcome: Any) -> None:
        """Take note of an outcome; what may succeed another time goes to the queue again."""
        if outcome.error is None:
            self.made[outcome.key] = outcome.digest
        elif outcome.is_hopeless:
            self.set_aside(outcome.key, outcome.error)
        else:
            self.attempts[outcome.key] += 1
            if self.attempts[outcome.key] < self.tries:
                self.queue.append(outcome.key)
                return
            self.set_aside(outcome.key, f"{outcome.error}, {self.tries} times")
        if self.report and self.report(self) is False:
            raise Cancelled("the run was stopped; it goes on where it was when it is started again")

    def set_aside(self, key: str, reason: str) -> None:
        """Quarantine a job with the reason."""
        self.failed[key] = reason
        text = json.dumps({"job": self.jobs[key].describe(), "reason": reason}, indent=1)
        write(self.folder / "failed" / f"{key}.json", text.encode())

    def finish(self) -> Progress:
        """Write the list of all files, by which `verify()` judges; remove what killed workers left half written."""
        for part in self.folder.glob("*/*/.*.part"):
            part.unlink(missing_ok=True)
        shutil.rmtree(self.folder / "tmp", ignore_errors=True)
        for key in self.made:  # what succeeded now may have been put aside by an earlier run
            (self.folder / "failed" / f"{key}.json").unlink(missing_ok=True)
        # Files of earlier runs with other jobs stay in the list.
        files = {**self.listed["files"], **self.made}
        failed = {key: reason for key, reason in {**self.listed["failed"], **self.failed}.items() if key not in files}
        jobs = {**self.listed["jobs"], **{key: job.describe() for key, job in self.jobs.items()}}
        manifest = {"version": VERSION, "files": dict(sorted(files.items())),
                    "jobs": {key: jobs[key] for key in sorted(jobs) if key in files or key in failed},
                    "failed": dict(sorted(failed.items()))}
        write(self.folder / "manifest.json", json.dumps(manifest, indent=1).encode())
        return self

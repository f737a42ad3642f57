"""Jobs that misbehave, for the tests of batches."""

import collections
import os
import signal
import time


class Odd(collections.namedtuple("Odd", "what folder")):
    """Dies, hangs, eats memory or fails; those that end in `once` do so the first time only."""

    def key(self):
        return self.what.replace(" ", "-")

    def describe(self):
        return {"what": self.what}

    def make(self, _folder=None):
        mark = os.path.join(self.folder, self.what)
        if self.what.endswith("once") and os.path.exists(mark):
            return _npz()
        open(mark, "w").close()
        kind = self.what.split()[0]
        if kind == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        elif kind == "crashes":
            os.abort()
        elif kind == "hangs":
            time.sleep(1000)
        elif kind == "eats":
            bytearray(1 << 40)
        elif kind == "fails":
            raise ValueError("this can never be")
        elif kind == "prints":
            print("something", flush=True)
            os.write(1, b"something else")
        return _npz()


def _npz():
    from rubble.batch.dataset import arrays_as_bytes
    return arrays_as_bytes(job={})

"""The folder of a data set: its files, how they are written, listed, read and compared."""

from __future__ import annotations

import hashlib
import io
import json
import os
import pathlib
import tempfile
import zipfile

import numpy

from .. import _api as api
from .._types import List, Path

VERSION = 2  # of the files; part of every key


def _usual_mode():
    mask = os.umask(0o022)
    os.umask(mask)
    return 0o666 & ~mask


MODE = _usual_mode()  # of files that are to be read by others


def version_of_library():
    """Results may differ from version to version: part of every key."""
    return [api.RBL_VERSION_MAJOR, api.RBL_VERSION_MINOR, api.RBL_VERSION_PATCH]


def arrays_as_bytes(job, **arrays):
    """A .npz of arrays, and of what it was made of as JSON: the same bytes for the same arrays."""
    file = io.BytesIO()
    numpy.savez(file, **arrays, job=numpy.frombuffer(json.dumps(job).encode(), numpy.uint8))
    return file.getvalue()


def path_of(folder, key):
    """Where the file of a job is. Two letters of the key make a folder, so that none gets too large."""
    return pathlib.Path(folder) / "pieces" / key[:2] / f"{key}.npz"


def write(path, data):
    """Write a file whole or not at all, over what is there."""
    _write(path, data, os.replace)


def write_once(path, data):
    """Write a file whole or not at all, unless it is there. Returns whether it was written."""
    try:
        _write(path, data, _link)
    except FileExistsError:
        return False
    return True


def _link(part, path):
    try:
        os.link(part, path)  # fails where the file is there, unlike a renaming
    except (AttributeError, PermissionError, NotImplementedError, OSError) as error:
        if isinstance(error, (FileExistsError, FileNotFoundError)):
            raise
        os.replace(part, path)  # a file system without links: the same bytes once more


def _write(path, data, move):
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, part = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(part, MODE)
        move(part, path)
    finally:
        try:
            os.unlink(part)
        except FileNotFoundError:
            pass


def is_whole(path):
    """Whether a file is one that was written to its end."""
    try:
        with zipfile.ZipFile(path) as file:
            return file.testzip() is None
    except (OSError, zipfile.BadZipFile):
        return False


class Dataset:
    """The files of a folder, to be read: `for key, arrays in Dataset("dataset"): ...`

    A sequence of pairs, by the list of the folder and in the order of keys. `names` has the keys, `jobs` by key what
    each was made of, and `failed` why one could not be made.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = pathlib.Path(folder)
        manifest = json.loads((self.folder / "manifest.json").read_text())
        self.files, self.jobs, self.failed = manifest["files"], manifest["jobs"], manifest["failed"]
        self.names = list(self.files)

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        key = index if isinstance(index, str) else self.names[index]
        with numpy.load(path_of(self.folder, key)) as file:
            return key, {name: json.loads(file[name].tobytes()) if name == "job" else file[name] for name in file.files}

    def __repr__(self) -> str:
        return f"<Dataset: {len(self)} files, {len(self.failed)} failed>"


def verify(folder: Path) -> List[str]:
    """Compare all files with the list: returns what is wrong, an empty list when nothing is."""
    folder = pathlib.Path(folder)
    try:
        manifest = json.loads((folder / "manifest.json").read_text())
    except (OSError, ValueError) as error:
        return [f"manifest.json: {error}"]
    wrong = []
    for key, digest in manifest["files"].items():
        path = path_of(folder, key)
        if not path.exists():
            wrong.append(f"{path.name}: missing")
        elif hashlib.sha256(path.read_bytes()).hexdigest() != digest:
            wrong.append(f"{path.name}: not the bytes that were written")
    known = set(manifest["files"])
    wrong += [f"{path.name}: not in the list" for path in sorted(folder.glob("pieces/*/*.npz")) if path.stem not in known]
    return wrong

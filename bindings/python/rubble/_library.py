"""The shared libraries, their functions, and errors as exceptions."""

from __future__ import annotations

import ctypes
import ctypes.util
import difflib
import os
import pathlib
import sys

from . import _api as api
from ._types import Any, Sequence


class Error(Exception):
    """A call failed; the text is the library's sentence. `result` is the code it returned."""

    result = api.rbl_result.BAD_ARGUMENT


class BadArgument(Error, ValueError):
    """Something passed is wrong: out of range, not finite, of the wrong kind."""


class OutOfMemory(Error, MemoryError):
    """There was no memory; what existed is as it was."""

    result = api.rbl_result.OUT_OF_MEMORY


class StaleId(Error, LookupError):
    """What the id named is gone."""

    result = api.rbl_result.STALE_ID


class BadMesh(Error, ValueError):
    """A mesh that the operation cannot work with: open, inside out, empty."""

    result = api.rbl_result.BAD_MESH


class LimitReached(Error, ValueError):
    """A stated limit would be exceeded."""

    result = api.rbl_result.LIMIT_REACHED


class BadFile(Error, ValueError):
    """The bytes are not what the format says."""

    result = api.rbl_result.BAD_FILE


class IoFailed(Error, OSError):
    """The operating system refused to open, read or write."""

    result = api.rbl_result.IO_FAILED


class Unsupported(Error, NotImplementedError):
    """The input is right, and this version does not handle it."""

    result = api.rbl_result.UNSUPPORTED


class Cancelled(Error):
    """A progress callback returned False."""


class Closed(Error, ValueError):
    """The object was closed before."""


_errors = {kind.result: kind for kind in
           (BadArgument, OutOfMemory, StaleId, BadMesh, LimitReached, BadFile, IoFailed, Unsupported)}


def _file_name(name):
    if sys.platform == "win32":
        return f"{name}.dll"
    return f"lib{name}.dylib" if sys.platform == "darwin" else f"lib{name}.so"


def _open(name):
    """Find a library: where RUBBLE_LIBRARY says, beside this package, or where the system looks."""
    file_name = _file_name(name)
    told = os.environ.get("RUBBLE_LIBRARY")
    if told:
        path = pathlib.Path(told)
        folder = path if path.is_dir() else path.parent
        places = [path] if path.is_file() and path.name.startswith(file_name) else sorted(folder.rglob(file_name))[:1]
        if not places:
            raise ImportError(f"RUBBLE_LIBRARY is {told}, and there is no {file_name} in it")
    else:
        here = pathlib.Path(__file__).parent
        places = [p for p in (here / file_name, here / "lib" / file_name) if p.exists()]
        places += [p for p in (ctypes.util.find_library(name), file_name) if p]
    reasons = []
    for place in places:
        try:
            return ctypes.CDLL(str(place))
        except OSError as error:
            reasons.append(str(error))
    raise ImportError(f"{file_name} was not found beside the package or by the system; install it, or set "
                      f"RUBBLE_LIBRARY to the folder that it is in ({'; '.join(reasons)})")


class Functions:
    """Every function of the library by its C name, with argument types."""

    def __init__(self):
        libraries = {"rubble": _open("rubble"), "rubble-io": _open("rubble-io")}
        for name, (library, result, parameters, _names, doc) in api.FUNCTIONS.items():
            function = getattr(libraries[library], name)
            function.restype = result
            function.argtypes = parameters
            function.__doc__ = doc
            setattr(self, name, function)


c: api.Functions = Functions()
_version = c.rbl_version()
_expected = api.RBL_VERSION_MAJOR * 10000 + api.RBL_VERSION_MINOR * 100 + api.RBL_VERSION_PATCH
if _version != _expected:
    raise ImportError(f"this package is for version {_expected} of the library, and {_version} was found")


def last_error() -> str:
    """The library's sentence about the last call of this thread that failed."""
    return c.rbl_last_error().decode("utf-8", "replace")


def check(result):
    """Raise the exception of a result that is not RBL_OK."""
    if result != api.RBL_OK:
        kind = _errors.get(result, Error)
        text = last_error() or c.rbl_result_text(result).decode()
        raise kind(text)


# --- values in and out -----------------------------------------------------------------------------

def _flat(value):
    if isinstance(value, (str, bytes, dict)):
        raise TypeError
    for item in value:
        if hasattr(item, "__iter__") and getattr(item, "ndim", 1):
            yield from _flat(item)
        else:
            yield float(item)


def _leaves(kind):
    """Number of floats in a struct of floats, 0 for other structs."""
    total = 0
    for _name, field in kind._fields_:
        if field in (ctypes.c_float, ctypes.c_double):
            total += 1
        elif isinstance(field, type) and issubclass(field, ctypes.Structure):
            inner = _leaves(field)
            if not inner:
                return 0
            total += inner
        else:
            return 0
    return total


def _write_floats(struct, numbers):
    for name, field in struct._fields_:
        if issubclass(field, ctypes.Structure):
            _write_floats(getattr(struct, name), numbers)
        else:
            setattr(struct, name, next(numbers))


def floats(kind, value, name="value"):
    """A struct of floats, such as a vector or a transform, from a sequence of as many numbers."""
    if isinstance(value, kind):
        return value
    struct = kind()
    try:
        numbers = list(_flat(value))
    except (TypeError, ValueError, OverflowError, RecursionError):
        raise TypeError(f"{name}: {_leaves(kind)} numbers are needed, not {value!r:.80}") from None
    if len(numbers) == 3 and kind is api.rbl_transform:
        numbers += [0.0, 0.0, 0.0, 1.0]  # a position alone
    if len(numbers) != _leaves(kind):
        raise ValueError(f"{name}: {_leaves(kind)} numbers are needed, not {len(numbers)}")
    _write_floats(struct, iter(numbers))
    return struct


def numbers(struct):
    """A struct of floats as a tuple, structs in it as tuples in the tuple."""
    return tuple(numbers(getattr(struct, name)) if issubclass(field, ctypes.Structure) else getattr(struct, name)
                 for name, field in struct._fields_)


def fill(definition, settings, keep):
    """Set fields of a definition by name; what must outlive the call goes to the list `keep`."""
    fields = dict(definition._fields_)
    for name, value in settings.items():
        if name not in fields or name == "cookie":
            near = difflib.get_close_matches(name, [f for f in fields if f != "cookie"], 1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            raise TypeError(f"{type(definition).__name__[4:]} has no field '{name}'{hint}")
        if isinstance(value, dict) and issubclass(fields[name], ctypes.Structure):  # the others stay as they are
            value = fill(fields[name].from_buffer_copy(getattr(definition, name)), value, keep)
        setattr(definition, name, convert(fields[name], value, name, keep))
    return definition


def _default(kind):
    """A struct with its defaults, where there are some."""
    try:
        return getattr(c, f"rbl_default_{kind.__name__[4:]}")()
    except (AttributeError, TypeError):
        return kind()


def convert(kind, value, name, keep):
    """A Python value as a field of a C type."""
    if value is None:
        return None
    if isinstance(value, Handle):
        keep.append(value)
        return value.pointer
    if kind is ctypes.c_char_p:
        return value.encode() if isinstance(value, str) else value
    if isinstance(value, kind):
        return value
    if issubclass(kind, ctypes.Structure):
        if isinstance(value, dict):
            return fill(kind(), value, keep)
        if _leaves(kind):
            return floats(kind, value, name)
    if issubclass(kind, ctypes._Pointer) and hasattr(kind._type_, "_fields_"):  # a struct that is known
        if isinstance(value, dict):
            value = fill(_default(kind._type_), value, keep)
        if isinstance(value, kind._type_):
            keep.append(value)
            return ctypes.pointer(value)
    if issubclass(kind, ctypes.Array):
        return kind(*(convert(kind._type_, item, name, keep) for item in value))
    if issubclass(kind, ctypes._SimpleCData):
        if hasattr(value, "item") and not isinstance(value, (int, float)):
            value = value.item()
        if kind is ctypes.c_bool and not isinstance(value, (bool, int)):
            raise TypeError(f"{name}: {value!r:.80} is neither True nor False")
        try:
            held = kind(value).value
        except (TypeError, OverflowError):
            raise TypeError(f"{name}: {value!r:.80} is no number") from None
        if isinstance(held, int) and held != value:
            raise ValueError(f"{name}: {value!r:.80} is out of range")
        return held
    raise TypeError(f"{name}: {value!r} cannot be passed here")


class Handle:
    """Something that the library made: `close()` it, use it in a `with`, or leave it to Python."""

    _destroy = None  # name of the C function

    def __init__(self, pointer: Any, keep: Sequence[Any] = ()) -> None:
        self._pointer = pointer
        self._keep = list(keep)  # what it refers to

    @property
    def pointer(self) -> Any:
        """The C pointer; raises Closed when the object was closed."""
        if not self._pointer:
            raise Closed(f"this {type(self).__name__} was closed")
        return self._pointer

    @property
    def is_closed(self) -> bool:
        """Whether it was closed."""
        return not self._pointer

    def close(self) -> None:
        """Let go of it now. Closing twice is fine."""
        pointer, self._pointer = self._pointer, None
        if pointer and self._destroy and c is not None:
            getattr(c, self._destroy)(pointer)
        self._keep = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        try:
            self.close()
        except Exception:  # the interpreter is going down
            pass


def create(function, kind, *arguments):
    """Call a function that writes a pointer through its last parameter."""
    pointer = ctypes.POINTER(kind)()
    check(getattr(c, function)(*arguments, ctypes.byref(pointer)))
    return pointer


def save(function, pointer):
    """Bytes by a function that tells the size when it is given none."""
    size = ctypes.c_size_t()
    check(getattr(c, function)(pointer, None, ctypes.byref(size)))
    buffer = ctypes.create_string_buffer(size.value)
    check(getattr(c, function)(pointer, buffer, ctypes.byref(size)))
    return buffer.raw[:size.value]


def load(function, kind, data):
    """An object from bytes."""
    data = bytes(data)
    return create(function, kind, data, len(data), None)

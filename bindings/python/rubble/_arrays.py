"""Memory of the library as numpy arrays, and the other way round."""

import ctypes
import functools

import numpy

_types = {ctypes.c_float: numpy.float32, ctypes.c_double: numpy.float64, ctypes.c_int: numpy.int32,
          ctypes.c_uint32: numpy.uint32, ctypes.c_uint64: numpy.uint64, ctypes.c_uint8: numpy.uint8,
          ctypes.c_bool: numpy.bool_, ctypes.c_int64: numpy.int64}


def _uniform(kind):
    """The one scalar type that a struct is made of, and how many; None for other structs."""
    scalars = []
    for _name, field in kind._fields_:
        if field in _types:
            scalars.append((field, 1))
        elif isinstance(field, type) and issubclass(field, ctypes.Structure) and _uniform(field):
            scalars.append(_uniform(field))
        else:
            return None
    kinds = {scalar for scalar, _ in scalars}
    return (kinds.pop(), sum(count for _, count in scalars)) if len(kinds) == 1 else None


@functools.lru_cache(maxsize=None)
def dtype_of(kind):
    """The numpy type of a C type: a scalar, a row of scalars, or a record with named fields."""
    if kind in _types:
        return numpy.dtype(_types[kind])
    if isinstance(kind, type) and issubclass(kind, ctypes.Array):
        return numpy.dtype((dtype_of(kind._type_), kind._length_))
    if isinstance(kind, type) and issubclass(kind, ctypes.Structure):
        uniform = _uniform(kind)
        if uniform:
            return numpy.dtype((_types[uniform[0]], uniform[1]))
        names = [name for name, _ in kind._fields_]
        return numpy.dtype({"names": names, "formats": [dtype_of(field) for _, field in kind._fields_],
                            "offsets": [getattr(kind, name).offset for name in names],
                            "itemsize": ctypes.sizeof(kind)})
    return numpy.dtype(numpy.uintp)  # a pointer


class _Memory:
    """Memory of the library for numpy; keeps `owner` alive as long as an array looks at it."""

    __slots__ = ("__array_interface__", "owner")

    def __init__(self, address, shape, dtype, owner):
        self.__array_interface__ = {"data": (address, True), "shape": shape, "typestr": dtype.str, "version": 3}
        self.owner = owner


def view(pointer, count, owner=None):
    """Memory of the library as an array that cannot be written to; it keeps `owner` alive."""
    dtype = dtype_of(pointer._type_)
    if not pointer or count == 0:
        return numpy.empty((0,), dtype)
    address = ctypes.addressof(pointer.contents)
    if dtype.names:
        return numpy.asarray(_Memory(address, (count,), numpy.dtype((numpy.void, dtype.itemsize)), owner)).view(dtype)
    return numpy.asarray(_Memory(address, (count,) + dtype.shape, dtype.base, owner))


def empty(kind, count):
    """An array of a C type for the library to write to."""
    return numpy.zeros(count, dtype_of(kind))


def pointer_to(array, kind):
    """The address of an array's memory as a pointer to a C type."""
    return array.ctypes.data_as(ctypes.POINTER(kind))


def given(values, kind, name, columns=None):
    """What a caller passed, as an array of a C type: copied only where it must be.

    columns: numbers per row, or None for a flat list.
    """
    dtype = dtype_of(kind)
    base = dtype.base if dtype.shape else dtype
    columns = columns or (dtype.shape[0] if dtype.shape else None)
    array = numpy.asarray(values)
    if array.dtype == object or array.dtype.kind not in "iufb":
        raise TypeError(f"{name}: an array of numbers is needed, not {array.dtype}")
    if array.dtype.kind == "f" and base.kind in "iu":
        raise TypeError(f"{name}: whole numbers are needed, not {array.dtype}")
    if array.dtype.kind in "iu" and base.kind in "iu" and array.size:
        low, high = int(array.min()), int(array.max())
        if low < numpy.iinfo(base).min or high > numpy.iinfo(base).max:
            raise ValueError(f"{name}: {low if low < 0 else high} is out of range")
    array = numpy.ascontiguousarray(array, base)
    if columns:
        if array.ndim != 2 or array.shape[1] != columns:
            raise ValueError(f"{name}: rows of {columns} numbers are needed, not an array of shape {array.shape}")
    elif array.ndim != 1:
        raise ValueError(f"{name}: a flat list is needed, not an array of shape {array.shape}")
    return array

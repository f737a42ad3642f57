"""Names for what functions take and give."""

import os
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import numpy

Array = numpy.ndarray
Path = Union[str, "os.PathLike[str]"]
Vector = Union[Sequence[float], numpy.ndarray]  # as many numbers as it says
Rows = Union[Sequence[Sequence[float]], numpy.ndarray]
Report = Optional[Callable[[], object]]  # called now and then; returning False cancels

__all__ = ["Any", "Array", "Callable", "Dict", "Iterator", "List", "Optional", "Path", "Report", "Rows", "Sequence",
           "TYPE_CHECKING", "Tuple", "Union", "Vector"]

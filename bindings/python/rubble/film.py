"""Films: glTF animations and pictures of what moves."""

from __future__ import annotations

import ctypes
import os

import numpy

from . import _api as api
from ._arrays import pointer_to
from ._library import Handle, c, check, create, fill, floats
from ._types import TYPE_CHECKING, Any, Array, Dict, Optional, Path, Vector

if TYPE_CHECKING:
    from .mesh import Mesh
    from .view import View


class Film(Handle):
    """Objects that move, frame by frame, written as .glb or drawn as pictures. Settings are fields of
    rbl_film_def."""

    _destroy = "rbl_destroy_film"

    def __init__(self, **settings: Any) -> None:
        keep = []
        super().__init__(create("rbl_create_film", api.rbl_film, fill(c.rbl_default_film_def(), settings, keep)))

    def add_mesh(self, mesh: Mesh) -> int:
        """A mesh that objects can show; a copy. Returns its number."""
        copy = mesh.copy()
        number = ctypes.c_int()
        pointer, copy._pointer = copy.pointer, None  # the film's from here on, also when this fails
        check(c.rbl_film_add_mesh(self.pointer, pointer, ctypes.byref(number)))
        return number.value

    def begin_frame(self, time: float) -> None:
        """Begin the next frame, at a time in seconds."""
        check(c.rbl_film_begin_frame(self.pointer, time))

    def add_object(self, mesh: int, pose: Vector = (0, 0, 0)) -> int:
        """An object of a mesh's number that appears in this frame. Returns its number."""
        number = ctypes.c_int()
        check(c.rbl_film_add_object(self.pointer, mesh, floats(api.rbl_transform, pose, "pose"), ctypes.byref(number)))
        return number.value

    def move(self, object: int, pose: Vector) -> None:
        """Where an object is in this frame."""
        check(c.rbl_film_move(self.pointer, object, floats(api.rbl_transform, pose, "pose")))

    def remove(self, object: int) -> None:
        """Remove an object in this frame."""
        check(c.rbl_film_remove(self.pointer, object))

    def save(self, path: Path, **settings: Any) -> None:
        """Write it as .glb."""
        keep = []
        check(c.rbl_write_film(os.fsencode(path), self.pointer, fill(c.rbl_default_write_def(), settings, keep)))

    def picture(self, time: float = 0.0, width: int = 1200, height: int = 750, **settings: Any) -> Array:
        """Draw it at a time: height x width x 3 bytes. Settings are fields of rbl_picture_def."""
        keep = []
        definition = fill(c.rbl_default_picture_def(), settings, keep)
        definition.time, definition.width, definition.height = time, width, height
        if not (0 < width <= 16384 and 0 < height <= 16384):
            raise ValueError(f"a picture of {width} x {height} pixels cannot be drawn")
        pixels = numpy.zeros((height, width, 3), numpy.uint8)
        check(c.rbl_draw_film(self.pointer, definition, pointer_to(pixels, ctypes.c_ubyte)))
        return pixels

    def save_picture(self, path: Path, time: float = 0.0, **settings: Any) -> None:
        """Draw it at a time, as .png."""
        keep = []
        definition = fill(c.rbl_default_picture_def(), settings, keep)
        definition.time = time
        check(c.rbl_write_picture(os.fsencode(path), self.pointer, definition))

    def png(self, time: float = 0.0, **settings: Any) -> bytes:
        """Draw it at a time: the bytes of a .png file."""
        keep = []
        definition = fill(c.rbl_default_picture_def(), settings, keep)
        definition.time = time
        data = api.rbl_file_bytes()
        check(c.rbl_write_picture_memory(self.pointer, definition, ctypes.byref(data)))
        try:
            return ctypes.string_at(data.data, data.size)
        finally:
            c.rbl_free_bytes(ctypes.byref(data))

    @property
    def duration(self) -> float:
        """Time of the last frame, in seconds."""
        return c.rbl_film_get_info(self.pointer).time

    def view(self, path: Optional[Path] = None, title: Optional[str] = None, report: Optional[Dict[str, Any]] = None,
             **settings: Any) -> View:
        """A web page that plays it in three dimensions, as a View, which notebooks show; also written to
        `path`, as one .html file. Settings are fields of rbl_viewer_def."""
        from .view import view_of
        return view_of(self, path, title, report, **settings)

    def _repr_html_(self) -> str:
        return self.view()._repr_html_()

    def __repr__(self) -> str:
        if self.is_closed:
            return "<Film, closed>"
        info = c.rbl_film_get_info(self.pointer)
        return f"<Film: {info.object_count} objects, {info.frame_count} frames>"

"""Triangles and lines in space as a picture, by the library's renderer."""

from __future__ import annotations

import ctypes as C
import os
from typing import Any, Sequence

import numpy as np

from . import _abi
from ._context import Context
from ._library import BadCallError, encode, lib, options

Array = Any  # of numpy


def _table(values: Any, columns: int, kind: Any, what: str) -> Array:
    array = np.ascontiguousarray(np.zeros((0, columns), kind) if values is None else values, dtype=kind)
    if array.ndim != 2 or array.shape[1] != columns:
        raise BadCallError(f"{what}: an array of shape (n, {columns}) is needed, not {array.shape}")
    return array


def draw_shapes(
    vertices_m: Any = None,
    triangles: Any = None,
    triangle_rgb: Any = None,
    *,
    shaded: int | None = None,
    lines_m: Any = None,
    line_rgb: Any = None,
    eye_m: Any,
    forward: Any,
    up: Any = (0.0, 0.0, 1.0),
    view_angle_deg: float = 45.0,
    line_width_px: float = 2.0,
    clip: tuple[Any, float] | None = None,
    size_px: tuple[int, int] = (655, 500),
    background_rgb: Sequence[int] = (255, 255, 255),
    path: str | os.PathLike[str] | None = None,
    context: Context | None = None,
) -> Array:
    """A picture in perspective, uint8 [height, width, 3]; path is a PNG to write as well.

    vertices_m [n, 3], triangles [m, 3] of their numbers, triangle_rgb [m, 3] from 0 to 255; the first shaded triangles
    (None: all) are lit, the others have their colour as it is. lines_m [k, 6] has both ends of each line. clip is a normal
    and an offset in m: points p with p . normal + offset < 0 are not drawn.
    """
    context = context or Context()
    asked = options(_abi.rw_shapes, "rw_shapes_init_sized")
    vertices, corners = _table(vertices_m, 3, np.float64, "vertices_m"), _table(triangles, 3, np.uint32, "triangles")
    colours, lines = _table(triangle_rgb, 3, np.uint8, "triangle_rgb"), _table(lines_m, 6, np.float64, "lines_m")
    line_colours = _table(line_rgb, 3, np.uint8, "line_rgb")
    if len(colours) != len(corners) or len(line_colours) != len(lines):
        raise BadCallError("triangle_rgb and line_rgb: one colour for each triangle and each line is needed")
    for name, array in (("vertices_m", vertices), ("triangles", corners), ("triangle_rgb", colours), ("lines_m", lines)):
        setattr(asked, name, array.ctypes.data_as(type(getattr(asked, name))))
    asked.line_rgb = line_colours.ctypes.data_as(type(asked.line_rgb))
    asked.vertex_count, asked.triangle_count, asked.line_count = len(vertices), len(corners), len(lines)
    asked.shaded_count = len(corners) if shaded is None else shaded
    asked.line_width_px, asked.view_angle_deg = line_width_px, view_angle_deg
    asked.width_px, asked.height_px = (int(side) for side in size_px)
    asked.clip_normal, asked.clip_m = ((0.0, 0.0, 0.0), 0.0) if clip is None else (tuple(map(float, clip[0])), float(clip[1]))
    asked.eye_m, asked.forward, asked.up = (tuple(map(float, part)) for part in (eye_m, forward, up))
    asked.background_rgb = tuple(int(part) for part in background_rgb)
    # Room only for what the library accepts: it rejects other sizes before it writes.
    fits = 0 < asked.width_px <= 10000 and 0 < asked.height_px <= 10000
    made = np.zeros((asked.height_px, asked.width_px, 3) if fits else (0, 0, 3), np.uint8)
    pixels = made.ctypes.data_as(C.POINTER(C.c_ubyte)) if fits else None
    context.check(lib.rw_shapes_draw(context._handle, C.byref(asked), pixels, encode(path)))
    return made

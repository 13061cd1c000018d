"""A small writer of GeoTIFF: float32 bands, one projected coordinate system, nodata NaN."""

from __future__ import annotations

import os
import re
import struct
import tempfile
import zlib
from typing import Any, Sequence

import numpy as np

ASCII, SHORT, LONG, DOUBLE, LONG8 = 2, 3, 4, 12, 16
FORMATS = {SHORT: "H", LONG: "I", DOUBLE: "d", LONG8: "Q"}


def _entry(tag: int, kind: int, values: Any) -> tuple[int, int, int, bytes]:
    if kind == ASCII:
        data = values.encode() + b"\0"
        return tag, kind, len(data), data
    return tag, kind, len(values), struct.pack(f"<{len(values)}{FORMATS[kind]}", *values)


def _keys(crs: str) -> list[tuple[int, int, int, bytes]]:
    """GeoKeys of an EPSG code; of other systems the text alone, as a citation."""
    code = re.fullmatch(r"EPSG:(\d+)", crs.strip(), re.I) or re.search(r'ID\["EPSG",(\d+)\]\]\s*$', crs)
    keys = [(1024, 0, 1, 1), (1025, 0, 1, 1)]
    extra = []
    if code and int(code[1]) < 32767:
        keys.append((3072, 0, 1, int(code[1])))
    elif crs:
        text = crs.encode("ascii", "replace").decode() + "|"
        keys += [(1026, 34737, len(text), 0)]
        extra.append(_entry(34737, ASCII, text))
    directory = [1, 1, 0, len(keys)] + [number for key in keys for number in key]
    return [_entry(34735, SHORT, directory), *extra]


def _metadata(names: Sequence[str]) -> str:
    escape = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
    items = "".join(
        f'<Item name="DESCRIPTION" sample="{band}" role="description">{name.translate(escape)}</Item>'
        for band, name in enumerate(names)
        if name
    )
    return f"<GDALMetadata>{items}</GDALMetadata>"


def write_geotiff(
    path: str | os.PathLike[str],
    bands: np.ndarray[Any, np.dtype[np.float32]],
    corner_m: Sequence[float],
    res_m: float,
    crs: str,
    names: Sequence[str],
) -> None:
    """bands [band, row, column] from the north; corner: the north-west one. Written beside and renamed."""
    count, rows, columns = bands.shape
    values = np.where(np.isfinite(bands), bands, np.nan).astype("<f4")
    strips = [zlib.compress(row.tobytes(), 6) for band in values for row in band]
    offsets, at = [], 16
    for strip in strips:
        offsets.append(at)
        at += len(strip)
    entries = [
        _entry(256, LONG, [columns]),
        _entry(257, LONG, [rows]),
        _entry(258, SHORT, [32] * count),
        _entry(259, SHORT, [8]),  # deflate
        _entry(262, SHORT, [1]),
        _entry(273, LONG8, offsets),
        _entry(277, SHORT, [count]),
        _entry(278, LONG, [1]),
        _entry(279, LONG8, [len(strip) for strip in strips]),
        _entry(284, SHORT, [2]),  # band after band
        _entry(339, SHORT, [3] * count),  # floats
        _entry(33550, DOUBLE, [res_m, res_m, 0.0]),
        _entry(33922, DOUBLE, [0.0, 0.0, 0.0, corner_m[0], corner_m[1], 0.0]),
        *_keys(crs),
        _entry(42112, ASCII, _metadata(names)),
        _entry(42113, ASCII, "nan"),
    ]
    if count > 1:
        entries.append(_entry(338, SHORT, [0] * (count - 1)))
    entries.sort()
    after = at + 8 + 20 * len(entries) + 8
    directory, behind = [struct.pack("<Q", len(entries))], b""
    for tag, kind, number, data in entries:
        if len(data) > 8:
            place = struct.pack("<Q", after + len(behind))
            behind += data + b"\0" * (-len(data) % 8)
        else:
            place = data.ljust(8, b"\0")
        directory.append(struct.pack("<HHQ", tag, kind, number) + place)
    head = struct.pack("<2sHHHQ", b"II", 43, 8, 0, at)
    target = os.fspath(path)
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(os.path.abspath(target)), suffix=".partial")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(head + b"".join(strips) + b"".join(directory) + struct.pack("<Q", 0) + behind)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise

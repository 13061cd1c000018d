"""Paths from transmitters to points, as arrays."""

from __future__ import annotations

import ctypes as C
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterator, Literal, overload

import numpy as np

from . import _abi
from ._context import Context, Owned
from ._library import BadCallError, decode, encode, lib, new, options
from ._models import Prediction
from ._records import Path
from ._responses import Responses
from ._scene import Scene
from ._sites import Senders, Transmitter

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .option_types import (
        AnyOptions, BeamsOptions, CubesOptions, ImagesOptions, RtOptions, SbrOptions, ShadowOptions, TilesOptions,
    )  # fmt: skip

_VERTEX: Any = np.dtype(
    {
        "names": ["x_m", "y_m", "z_m", "interaction", "angle_rad", "loss_db"],
        "formats": ["f8", "f8", "f8", "i4", "f4", "f4"],
        "offsets": [
            getattr(_abi.rw_path_vertex, name).offset
            for name in ("x_m", "y_m", "z_m", "interaction", "angle_rad", "loss_db")
        ],
        "itemsize": C.sizeof(_abi.rw_path_vertex),
    }
)

_KINDS: dict[str, Any] = {field[0]: field[1] for field in _abi.rw_path._fields_}
_NUMBERS = [name for name, kind in _KINDS.items() if kind in (C.c_double, C.c_size_t)]
_ARRAYS = [name for name, kind in _KINDS.items() if kind is C.c_double * 4]
_SHOWN = [name for name in _NUMBERS if name not in ("size", "gain_re", "gain_im", "vertex_count")] + ["gain", "transfer"]
_PATH: Any = np.dtype(
    {
        "names": [*_NUMBERS, *_ARRAYS],
        "formats": [*("f8" if _KINDS[name] is C.c_double else "u8" for name in _NUMBERS), *("4f8" for _ in _ARRAYS)],
        "offsets": [getattr(_abi.rw_path, name).offset for name in (*_NUMBERS, *_ARRAYS)],
        "itemsize": C.sizeof(_abi.rw_path),
    }
)

_POINT: Any = np.dtype(
    {
        "names": ["size", "x_m", "y_m", "height_m"],
        "formats": ["u8", "f8", "f8", "f8"],
        "offsets": [getattr(_abi.rw_point, name).offset for name in ("size", "x_m", "y_m", "height_m")],
        "itemsize": C.sizeof(_abi.rw_point),
    }
)

INTERACTIONS = [decode(lib.rw_interaction_word(number)) for number in range(_abi.RW_INTERACTION_SCATTERING + 1)]


class Paths(Responses, Owned):
    """All paths of one call of trace, those of one transmitter after the other, of one point from the strongest.

    Arrays over paths: point, transmitter, loss_db, delay_s, length_m, gain (complex, of images and sbr),
    departure_theta_deg, departure_phi_deg, arrival_theta_deg, arrival_phi_deg; of images also transfer [path, 2, 2],
    the gains from theta and phi of departure (last index) to theta and phi of arrival between isotropic antennas.
    vertices(i) are those of one path, all_vertices() those of all; cir(), cfr() and taps() are responses of each pair.
    """

    def _read(self) -> None:
        count = lib.rw_paths_count(self._handle)
        structs = (_abi.rw_path * count)()
        if count:
            structs[0].size = C.sizeof(_abi.rw_path)
            self._context.check(lib.rw_paths_get_many(self._handle, 0, count, structs))
        self._structs = structs
        self._table = np.frombuffer(structs, dtype=_PATH) if count else np.zeros(0, _PATH)

    def __len__(self) -> int:
        return len(self._structs)

    def __iter__(self) -> Iterator[Path]:
        return (Path.of(made) for made in self._structs)

    def __getitem__(self, index: int) -> Path:
        made = new(_abi.rw_path)
        self._context.check(lib.rw_paths_get(self._handle, range(len(self))[index], C.byref(made)))
        return Path.of(made)

    def __getattr__(self, name: str) -> Any:
        if name in ("point", "transmitter"):
            return self._table[name].astype(np.intp)
        if name == "gain":
            return self._table["gain_re"] + 1j * self._table["gain_im"]
        if name == "transfer":
            return (self._table["transfer_re"] + 1j * self._table["transfer_im"]).reshape(-1, 2, 2)
        if name in _NUMBERS and name != "size":
            return self._table[name].copy()
        raise AttributeError(f"Paths have no {name!r}; arrays of all paths are {', '.join(_SHOWN)}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *_SHOWN]

    def to_frame(self) -> Any:
        """All paths as a data frame of pandas, a row each."""
        import pandas

        columns = {name: getattr(self, name) for name in _SHOWN if name != "transfer"}
        return pandas.DataFrame(columns)

    def vertices(self, index: int) -> Any:
        """Vertices of one path from the transmitter to the point: a structured array of x_m, y_m, z_m, interaction
        (a number of INTERACTIONS), angle_rad, loss_db."""
        self._handle  # of a closed object there are none
        made = self._structs[index]
        size = made.vertex_count * C.sizeof(_abi.rw_path_vertex)
        if not size:
            return np.zeros(0, _VERTEX)
        return np.frombuffer(C.string_at(made.vertices, size), dtype=_VERTEX).copy()

    def all_vertices(self) -> tuple[Any, Any]:
        """Vertices of all paths, one path after the other, as vertices() has them; and where each path begins, with their
        number at the end [path + 1]."""
        self._handle
        first = np.concatenate([[0], np.cumsum(self._table["vertex_count"].astype(np.intp))])
        if not first[-1]:
            return np.zeros(0, _VERTEX), first
        return np.frombuffer(C.string_at(self._structs[0].vertices, int(first[-1]) * _VERTEX.itemsize), dtype=_VERTEX), first

    @property
    def points(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The points as given: x, y, height above ground [point, 3]."""
        return np.array([self._point(index)[0] for index in range(lib.rw_paths_point_count(self._handle))])

    @property
    def indoor(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Whether each point is inside a building; such points have no paths in outdoor models."""
        return np.array([self._point(index)[1] for index in range(lib.rw_paths_point_count(self._handle))], dtype=bool)

    def _point(self, index: int) -> tuple[tuple[float, float, float], bool]:
        made, indoor = new(_abi.rw_point), C.c_int()
        self._context.check(lib.rw_paths_get_point(self._handle, index, C.byref(made), C.byref(indoor)))
        return (made.x_m, made.y_m, made.height_m), bool(indoor.value)

    def set_motions(self, motions: Any) -> None:
        """How the points move: time in s and velocity east, north, up in m/s [point, 4], for Doppler shifts in files."""
        values = np.atleast_2d(np.asarray(motions, dtype=float))
        if values.ndim != 2 or values.shape[1] != 4:
            raise BadCallError(f"motions: an array of shape (n, 4) is needed, not {values.shape}")
        array = (_abi.rw_motion * len(values))()
        for made, (time_s, *velocity) in zip(array, values):
            made.size, made.time_s, made.velocity_m_s = C.sizeof(made), time_s, (C.c_double * 3)(*velocity)
        self._context.check(lib.rw_paths_set_motions(self._handle, array, len(array)))
        self._read()

    def set_crs(self, crs: str) -> None:
        """Brings all places into another coordinate system, for the calls that write."""
        self._context.check(lib.rw_paths_set_crs(self._handle, encode(crs)))

    def to_json(self) -> str:
        text = C.c_char_p()
        self._context.check(lib.rw_paths_to_json(self._handle, C.byref(text)))
        try:
            return decode(text.value)
        finally:
            lib.rw_free(text)

    def write(self, path: str | os.PathLike[str]) -> None:
        """.json or .geojson."""
        self._context.check(lib.rw_paths_write(self._handle, encode(path)))

    def draw(self, path: str | os.PathLike[str], point: int = 0) -> None:
        """A PNG of power over delay at a point."""
        self._context.check(lib.rw_paths_draw(self._handle, point, encode(path)))

    def draw_profile(self, path: str | os.PathLike[str], point: int = 0) -> None:
        """A PNG of the section from the transmitter to a point."""
        self._context.check(lib.rw_paths_draw_profile(self._handle, point, self._scene._handle, encode(path)))

    def write_channel(
        self,
        path: str | os.PathLike[str],
        *,
        rx: Any = (1, 1),
        tx: Any = (1, 1),
        spacing: float | tuple[float, float] = 0.5,
        freq_hz: float = 0.0,
        bandwidth_hz: float = 0.0,
        frequencies: int = 0,
        tx_ports: int = 1,
        points: int = 0,
        transmitters: int = 0,
    ) -> None:
        """Channels as an HDF5 file between arrays: (rows, columns), or places of elements (n, 3) in metres as load_elements
        has them.

        spacing in wavelengths, of both or (receiver, transmitter); bandwidth_hz: of the impulse response; frequencies: of
        the frequency response over the bandwidth; tx_ports: transmitters that follow each other and are ports of one;
        points and transmitters: at least so many in the file.
        """
        asked = options(_abi.rw_channel_options, "rw_channel_options_init_sized")
        kept = []
        for end, given in (("rx", rx), ("tx", tx)):
            array = np.ascontiguousarray(given, dtype=float)
            if array.shape == (2,):
                setattr(asked, f"{end}_rows", int(array[0]))
                setattr(asked, f"{end}_columns", int(array[1]))
            elif array.ndim == 2 and array.shape[1] == 3:
                kept.append(array)
                setattr(asked, f"{end}_elements_m", array.ctypes.data_as(C.POINTER(C.c_double)))
                setattr(asked, f"{end}_element_count", len(array))
            else:
                raise BadCallError(f"{end}: (rows, columns) or an array of shape (n, 3) is needed, not {array.shape}")
        asked.rx_spacing, asked.tx_spacing = np.broadcast_to(np.asarray(spacing, dtype=float), 2).tolist()
        asked.freq_hz, asked.bandwidth_hz, asked.frequencies = freq_hz, bandwidth_hz, frequencies
        asked.tx_ports, asked.points, asked.transmitters = tx_ports, points, transmitters
        self._context.check(lib.rw_paths_write_channel(self._handle, C.byref(asked), encode(path)))

    def __repr__(self) -> str:
        return f"<Paths: {len(self)} to {lib.rw_paths_point_count(self._handle)} points>"

    _scene: Scene
    _transmitter_count = 0


def load_points(
    path: str | os.PathLike[str],
    *,
    crs: str | None = None,
    to_crs: str | None = None,
    speed_m_s: float = 0.0,
    context: Context | None = None,
) -> tuple[Any, Any]:
    """Points or a route from CSV, GPX or GeoJSON: x, y, height [point, 3], and motions as Paths.set_motions takes them.
    load_receivers has antennas of points too."""
    receivers, moves = _load(path, crs, to_crs, speed_m_s, context or Context())
    return np.array([(item.x_m, item.y_m, item.height_m) for item in receivers]).reshape(-1, 3), moves


def _load(path: Any, crs: str | None, to_crs: str | None, speed_m_s: float, context: Context) -> tuple[list[Receiver], Any]:
    asked = options(_abi.rw_points_options, "rw_points_options_init_sized")
    asked.crs, asked.to_crs, asked.speed_m_s = encode(crs), encode(to_crs or None), speed_m_s
    points, motions, count = C.POINTER(_abi.rw_point)(), C.POINTER(_abi.rw_motion)(), C.c_size_t()
    sizes = C.sizeof(_abi.rw_point), C.sizeof(_abi.rw_motion)
    call = lib.rw_points_load_sized
    context.check(
        call(context._handle, encode(path), C.byref(asked), *sizes, C.byref(points), C.byref(motions), C.byref(count))
    )
    try:
        found = [_of_point(points[i]) for i in range(count.value)]
        moves = [(motions[i].time_s, *motions[i].velocity_m_s) for i in range(count.value)]
        return found, np.array(moves)
    finally:
        lib.rw_free(points)
        lib.rw_free(motions)


def load_elements(path: str | os.PathLike[str], context: Context | None = None) -> Any:
    """Elements of an antenna array from a CSV file: x, y, z in metres [element, 3]."""
    context, memory, count = context or Context(), C.POINTER(C.c_double)(), C.c_size_t()
    context.check(lib.rw_elements_load(context._handle, encode(path), C.byref(memory), C.byref(count)))
    try:
        return np.ctypeslib.as_array(memory, (count.value, 3)).copy()
    finally:
        lib.rw_free(memory)


@dataclass
class Receiver:
    """A point with an antenna of its own; angles as those of the option rx_antenna, in degrees."""

    x_m: float
    y_m: float
    height_m: float = float("nan")  # above ground; NaN: that of the options
    antenna: str = ""  # as rx_antenna; "": that of the options, with these angles
    azimuth_deg: float = float("nan")  # NaN: those of the options
    tilt_deg: float = float("nan")
    roll_deg: float = float("nan")
    slant_deg: float = float("nan")


def _receiver(made: Any, item: Receiver) -> None:
    made.x_m, made.y_m, made.height_m, made.antenna = item.x_m, item.y_m, item.height_m, encode(item.antenna)
    made.azimuth_deg, made.tilt_deg, made.roll_deg, made.slant_deg = item.azimuth_deg, item.tilt_deg, item.roll_deg, item.slant_deg


def _of_point(made: Any) -> Receiver:
    place = (made.x_m, made.y_m, made.height_m)
    if made.antenna is None:
        return Receiver(*place)
    return Receiver(*place, decode(made.antenna), made.azimuth_deg, made.tilt_deg, made.roll_deg, made.slant_deg)


def load_receivers(
    path: str | os.PathLike[str], *, crs: str | None = None, to_crs: str | None = None, context: Context | None = None
) -> list[Receiver]:
    """Points of a table with their antennas: columns antenna, azimuth, tilt, roll and polarisation beside x, y and z."""
    return _load(path, crs, to_crs, 0.0, context or Context())[0]


def as_points(points: Any) -> Any:
    """Points of shape (n, 2) or (n, 3), x, y and height above ground, or a list of Receivers, as an array of structs."""
    if isinstance(points, Receiver) or (isinstance(points, (list, tuple)) and any(isinstance(p, Receiver) for p in points)):
        items = [points] if isinstance(points, Receiver) else [p if isinstance(p, Receiver) else Receiver(*p) for p in points]
        array = (_abi.rw_point * len(items))()
        for made, item in zip(array, items):
            made.size = C.sizeof(made)
            _receiver(made, item)
        return array
    places = np.atleast_2d(np.asarray(points, dtype=float))
    if places.ndim != 2 or places.shape[1] not in (2, 3):
        raise BadCallError(f"points: an array of shape (n, 2) or (n, 3) is needed, not {np.shape(points)}")
    array = (_abi.rw_point * len(places))()
    if len(places):
        table = np.frombuffer(memoryview(array).cast("B"), dtype=_POINT)
        table["size"] = C.sizeof(_abi.rw_point)
        table["x_m"], table["y_m"] = places[:, 0], places[:, 1]
        table["height_m"] = places[:, 2] if places.shape[1] == 3 else np.nan
    return array


@overload
def trace(
    scene: Scene, transmitters: Senders, points: Any, model: Literal["shadow"] = "shadow", **given: Unpack[ShadowOptions]
) -> Paths: ...
@overload
def trace(scene: Scene, transmitters: Senders, points: Any, model: Literal["beams"], **given: Unpack[BeamsOptions]) -> Paths: ...
@overload
def trace(scene: Scene, transmitters: Senders, points: Any, model: Literal["cubes"], **given: Unpack[CubesOptions]) -> Paths: ...
@overload
def trace(scene: Scene, transmitters: Senders, points: Any, model: Literal["images"], **given: Unpack[ImagesOptions]) -> Paths: ...
@overload
def trace(scene: Scene, transmitters: Senders, points: Any, model: Literal["sbr"], **given: Unpack[SbrOptions]) -> Paths: ...
@overload
def trace(scene: Scene, transmitters: Senders, points: Any, model: Literal["rt"], **given: Unpack[RtOptions]) -> Paths: ...
@overload
def trace(scene: Scene, transmitters: Senders, points: Any, model: Literal["tiles"], **given: Unpack[TilesOptions]) -> Paths: ...
@overload
def trace(scene: Scene, transmitters: Senders, points: Any, model: str, **given: Unpack[AnyOptions]) -> Paths: ...
def trace(
    scene: Scene, transmitters: Senders, points: Any, model: str = "shadow", **given: Any
) -> Paths:
    """Paths from every transmitter to points of shape (n, 2) or (n, 3): x, y and height above ground; or to a list of
    Receivers, which have antennas of their own."""
    array = as_points(points)
    asked = Prediction(scene.context, transmitters, model, given)
    handle, paths = C.c_void_p(), Paths.__new__(Paths)
    call = lib.rw_trace(scene._handle, C.byref(asked.struct), array, len(array), C.byref(handle))
    scene.context.check(call)
    paths._own(scene.context, handle, "rw_paths_destroy", scene)
    paths._scene, paths._transmitter_count = scene, len(asked.transmitters)
    paths._read()
    return paths

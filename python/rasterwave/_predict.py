"""Predictions: maps, values on tiles, paths to points, databases."""

from __future__ import annotations

import ctypes as C
import os
import sys
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from . import _abi
from ._context import Context, Owned
from ._library import BadCallError, decode, encode, lib, new, options
from ._map import Map
from ._models import Prediction, _text
from ._paths import as_points
from ._records import DatabaseInfo, Estimate, StoredFileInfo, StoredRaysInfo, StoredSection, PreprocessEstimate, TileInfo
from ._scene import Scene
from ._sites import Senders, Transmitter

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .option_types import (
        AnyOptions, BeamsOptions, CubesOptions, ImagesOptions, RtOptions, SbrOptions, ShadowOptions, TilesOptions,
    )  # fmt: skip


@overload
def predict(scene: Scene, transmitters: Senders, model: Literal["shadow"] = "shadow", **given: Unpack[ShadowOptions]) -> Map: ...
@overload
def predict(scene: Scene, transmitters: Senders, model: Literal["beams"], **given: Unpack[BeamsOptions]) -> Map: ...
@overload
def predict(scene: Scene, transmitters: Senders, model: Literal["cubes"], **given: Unpack[CubesOptions]) -> Map: ...
@overload
def predict(scene: Scene, transmitters: Senders, model: Literal["images"], **given: Unpack[ImagesOptions]) -> Map: ...
@overload
def predict(scene: Scene, transmitters: Senders, model: Literal["sbr"], **given: Unpack[SbrOptions]) -> Map: ...
@overload
def predict(scene: Scene, transmitters: Senders, model: Literal["rt"], **given: Unpack[RtOptions]) -> Map: ...
@overload
def predict(scene: Scene, transmitters: Senders, model: Literal["tiles"], **given: Unpack[TilesOptions]) -> Map: ...
@overload
def predict(scene: Scene, transmitters: Senders, model: str, **given: Unpack[AnyOptions]) -> Map: ...
def predict(
    scene: Scene, transmitters: Senders, model: str = "shadow", **given: Any
) -> Map:
    """A radio map. Options are those of model_options(model): numbers in SI units, or texts with a unit ("2.4GHz"). freq may
    be a list: the bands are then all transmitters at its first frequency, at its second, and so on."""
    asked = Prediction(scene.context, transmitters, model, given)
    handle = C.c_void_p()
    scene.context.check(lib.rw_predict(scene._handle, C.byref(asked.struct), C.byref(handle)))
    return Map._of(scene.context, handle, scene, crs=scene.crs)


@overload
def predict_points(
    scene: Scene, transmitters: Senders, points: Any, model: Literal["shadow"] = "shadow", *, write: Any = None, draw: Any = None, **given: Unpack[ShadowOptions]
) -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]: ...
@overload
def predict_points(
    scene: Scene, transmitters: Senders, points: Any, model: Literal["beams"], *, write: Any = None, draw: Any = None, **given: Unpack[BeamsOptions]
) -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]: ...
@overload
def predict_points(
    scene: Scene, transmitters: Senders, points: Any, model: Literal["cubes"], *, write: Any = None, draw: Any = None, **given: Unpack[CubesOptions]
) -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]: ...
@overload
def predict_points(
    scene: Scene, transmitters: Senders, points: Any, model: Literal["images"], *, write: Any = None, draw: Any = None, **given: Unpack[ImagesOptions]
) -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]: ...
@overload
def predict_points(
    scene: Scene, transmitters: Senders, points: Any, model: Literal["sbr"], *, write: Any = None, draw: Any = None, **given: Unpack[SbrOptions]
) -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]: ...
@overload
def predict_points(
    scene: Scene, transmitters: Senders, points: Any, model: Literal["rt"], *, write: Any = None, draw: Any = None, **given: Unpack[RtOptions]
) -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]: ...
@overload
def predict_points(
    scene: Scene, transmitters: Senders, points: Any, model: Literal["tiles"], *, write: Any = None, draw: Any = None, **given: Unpack[TilesOptions]
) -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]: ...
@overload
def predict_points(
    scene: Scene, transmitters: Senders, points: Any, model: str, *, write: Any = None, draw: Any = None, **given: Unpack[AnyOptions]
) -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]: ...
def predict_points(
    scene: Scene,
    transmitters: Senders,
    points: Any,
    model: str = "shadow",
    *,
    write: str | os.PathLike[str] | None = None,
    draw: str | os.PathLike[str] | None = None,
    **given: Any,
) -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]:
    """What predict has at the centre of a cell, at points (n, 2) or (n, 3), x, y and height above ground: an array
    [band, point] for each layer. NaN inside buildings unless indoor is given, infinite where nothing arrives. Local means are over a square of res.
    write: also as points with these fields, .gpkg, .geojson or .shp; draw: the first layer along the points, .png."""
    array = as_points(points)
    asked, handle = Prediction(scene.context, transmitters, model, given), C.c_void_p()
    call = lib.rw_predict_points
    scene.context.check(call(scene._handle, C.byref(asked.struct), array, len(array), C.byref(handle)))
    with Map._of(scene.context, handle, scene, crs=scene.crs) as made:
        if write is not None:
            scene.context.check(lib.rw_map_write_points(handle, array, encode(write)))
        if draw is not None:
            scene.context.check(lib.rw_map_draw_points(handle, 0, array, encode(draw)))
        return {name: made[name][:, 0].copy() for name in made}


def prediction_identity(
    scene: Scene, transmitters: Senders, model: str = "shadow", **given: Any
) -> str:
    """SHA-256 of everything that decides on the values of predict: content of files, scene, antennas, transmitters, options,
    version, backend and instruction set."""
    asked = Prediction(scene.context, transmitters, model, given)
    text = C.create_string_buffer(65)
    scene.context.check(lib.rw_prediction_identity(scene._handle, C.byref(asked.struct), text))
    return decode(text.value)


def check_transmitter(
    scene: Scene, transmitter: Transmitter, model: str = "shadow", **given: Any
) -> None:
    """Raises where no prediction can be made from a transmitter: inside a building, or of an unknown antenna."""
    asked = Prediction(scene.context, transmitter, model, given)
    scene.context.check(lib.rw_check_transmitter(scene._handle, C.byref(asked.struct), 0))


def raster_to_crs(path: str | os.PathLike[str], crs: str, context: Context | None = None) -> None:
    """Writes a raster of Map.write anew in another coordinate system."""
    context = context or Context()
    context.check(lib.rw_raster_to_crs(context._handle, encode(path), encode(crs)))


def transform_points(
    xy: Any, source: str, target: str, context: Context | None = None
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """x, y pairs (n, 2) from one coordinate system into another; "lonlat" are degrees, longitude first."""
    context, pairs = context or Context(), np.array(xy, dtype=np.float64, order="C")
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise BadCallError(f"xy: an array of shape (n, 2) is needed, not {pairs.shape}")
    memory = pairs.ctypes.data_as(C.POINTER(C.c_double))
    context.check(lib.rw_transform_points(context._handle, encode(source), encode(target), memory, len(pairs)))
    return pairs


def estimate(
    scene: Scene, transmitters: Senders, model: str = "shadow", **given: Any
) -> Estimate:
    """What predict would take, before it starts."""
    asked, made = Prediction(scene.context, transmitters, model, given), new(_abi.rw_estimate)
    scene.context.check(lib.rw_predict_estimate(scene._handle, C.byref(asked.struct), C.byref(made)))
    return Estimate.of(made)


def trace_estimate(
    scene: Scene,
    transmitters: Senders,
    point_count: int,
    model: str = "shadow",
    **given: Any,
) -> Estimate:
    """What trace to so many points would take."""
    asked, made = Prediction(scene.context, transmitters, model, given), new(_abi.rw_estimate)
    call = lib.rw_trace_estimate
    scene.context.check(call(scene._handle, C.byref(asked.struct), point_count, C.byref(made)))
    return Estimate.of(made)


class TileMap(Owned):
    """Values on tiles of walls, roofs and ground, of model tiles: values is a Map of one row, a cell for each tile."""

    @classmethod
    def read(cls, path: str | os.PathLike[str], context: Context | None = None) -> TileMap:
        """What write has written as .ply."""
        context, handle, made = context or Context(), C.c_void_p(), cls.__new__(cls)
        context.check(lib.rw_tile_map_read(context._handle, encode(path), C.byref(handle)))
        made._own(context, handle, "rw_tile_map_destroy")
        return made

    @property
    def values(self) -> Map:
        made = Map.__new__(Map)
        made._borrow(self._context, C.c_void_p(lib.rw_tile_map_values(self._handle)), self)
        return made

    def __len__(self) -> int:
        return self.values.info.columns

    def tile(self, index: int) -> TileInfo:
        made = new(_abi.rw_tile_info)
        self._context.check(lib.rw_tile_map_get_tile(self._handle, index, C.byref(made)))
        return TileInfo.of(made)

    @property
    def corners_m(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Corners of all tiles [tile, 4, 3]."""
        return np.array([self.tile(index).corners_m for index in range(len(self))])

    def write(
        self,
        path: str | os.PathLike[str],
        layer: str | None = None,
        band: int = 0,
        *,
        range: tuple[float, float] | None = None,
        azimuth_deg: float | None = None,
        elevation_deg: float | None = None,
        width_px: int | None = None,
        crop_m: tuple[float, float, float, float] | None = None,
    ) -> None:
        """By the name's end: .gpkg, .geojson, .ply, .glb, .tif, .png. range: of the colours; of pictures also from where
        one looks, how wide they are, and the area (west, south, east, north) that is drawn."""
        asked = options(_abi.rw_tile_write_options, "rw_tile_write_options_init_sized")
        asked.layer, asked.band = encode(layer), band
        asked.value_min, asked.value_max = range or (0.0, 0.0)
        given = {"azimuth_deg": azimuth_deg, "elevation_deg": elevation_deg, "width_px": width_px}
        for name, value in given.items():
            if value is not None:
                setattr(asked, name, value)
        if crop_m is not None:
            asked.crop_m[:] = crop_m
        self._context.check(lib.rw_tile_map_check_name(self._context._handle, encode(path)))
        self._context.check(lib.rw_tile_map_write(self._handle, encode(path), C.byref(asked)))


def predict_tiles(scene: Scene, transmitters: Senders, **given: Any) -> TileMap:
    """What predict has for cells, on every tile, by model tiles."""
    asked = Prediction(scene.context, transmitters, "tiles", given)
    handle, made = C.c_void_p(), TileMap.__new__(TileMap)
    scene.context.check(lib.rw_predict_tiles(scene._handle, C.byref(asked.struct), C.byref(handle)))
    made._own(scene.context, handle, "rw_tile_map_destroy", scene)
    return made


def predict_with_tiles(
    scene: Scene, transmitters: Senders, **given: Any
) -> tuple[Map, TileMap]:
    """Cells and tiles from the same rays, by model tiles."""
    asked = Prediction(scene.context, transmitters, "tiles", given)
    cells, tiles = C.c_void_p(), C.c_void_p()
    call = lib.rw_predict_with_tiles
    scene.context.check(call(scene._handle, C.byref(asked.struct), C.byref(cells), C.byref(tiles)))
    made = TileMap.__new__(TileMap)
    made._own(scene.context, tiles, "rw_tile_map_destroy", scene)
    return Map._of(scene.context, cells, scene, crs=scene.crs), made


class Database(Owned):
    """What of a prediction does not depend on the transmitter, loaded for the scene it was made for."""

    def __init__(self, scene: Scene, path: str | os.PathLike[str]) -> None:
        handle = C.c_void_p()
        scene.context.check(lib.rw_database_load(scene._handle, encode(path), C.byref(handle)))
        self._own(scene.context, handle, "rw_database_destroy", scene)

    @property
    def info(self) -> DatabaseInfo:
        made = new(_abi.rw_database_info)
        self._context.check(lib.rw_database_get_info(self._handle, C.byref(made)))
        return DatabaseInfo.of(made)

    def __repr__(self) -> str:
        return f"<Database of model {self.info.model}>"

    def tile_sees(self, tile: int, other: int) -> bool:
        """Whether two tiles of a database of model tiles see each other."""
        sees = C.c_int()
        self._context.check(lib.rw_database_tile_sees(self._handle, tile, other, C.byref(sees)))
        return bool(sees.value)

    def tiles_seen(self, tile: int) -> np.ndarray[Any, np.dtype[np.uint32]]:
        """The tiles that a tile sees, rising."""
        count = C.c_size_t()
        self._context.check(lib.rw_database_tiles_seen(self._handle, tile, None, 0, C.byref(count)))
        seen = np.empty(count.value, np.uint32)
        memory = seen.ctypes.data_as(C.POINTER(C.c_uint32))
        self._context.check(lib.rw_database_tiles_seen(self._handle, tile, memory, len(seen), C.byref(count)))
        return seen

    def write_csr(self, path: str | os.PathLike[str]) -> None:
        """The visibility matrix in compressed sparse rows, with the geometry of the tiles, as HDF5."""
        self._context.check(lib.rw_database_write_csr(self._handle, encode(path)))


def database_info(path: str | os.PathLike[str], context: Context | None = None) -> DatabaseInfo:
    """Content of a database file, without its scene."""
    context, made = context or Context(), new(_abi.rw_database_info)
    context.check(lib.rw_database_read_info(context._handle, encode(path), C.byref(made)))
    return DatabaseInfo.of(made)


def kept_file(
    path: str | os.PathLike[str], context: Context | None = None
) -> tuple[StoredFileInfo, list[StoredSection]]:
    """What is in a database or a file of kept paths: its header and its sections. The whole file is checked."""
    context, handle = context or Context(), C.c_void_p()
    context.check(lib.rw_stored_file_open(context._handle, encode(path), C.byref(handle)))
    try:
        info, sections = new(_abi.rw_stored_file_info), []
        context.check(lib.rw_stored_file_get_info(handle, C.byref(info)))
        for index in range(info.sections):
            section = new(_abi.rw_stored_section)
            context.check(lib.rw_stored_file_get_section(handle, index, C.byref(section)))
            sections.append(StoredSection.of(section))
        return StoredFileInfo.of(info), sections
    finally:
        lib.rw_stored_file_close(handle)


def kept_rays(
    path: str | os.PathLike[str], transmitter: int | None = None, context: Context | None = None
) -> StoredRaysInfo:
    """Counts of the rays that the option reuse of model tiles keeps; transmitter None: of all."""
    context, handle, made = context or Context(), C.c_void_p(), new(_abi.rw_stored_rays_info)
    context.check(lib.rw_stored_file_open(context._handle, encode(path), C.byref(handle)))
    try:
        number = 2 * sys.maxsize + 1 if transmitter is None else transmitter
        context.check(lib.rw_stored_file_get_rays(handle, number, C.byref(made)))
        return StoredRaysInfo.of(made)
    finally:
        lib.rw_stored_file_close(handle)


def write_diffraction_sources(
    scene: Scene,
    transmitters: Senders,
    path: str | os.PathLike[str],
    model: str = "shadow",
    **given: Any,
) -> None:
    """Corners that take part in a prediction, as GeoJSON points."""
    asked = Prediction(scene.context, transmitters, model, given)
    scene.context.check(lib.rw_write_diffraction_sources(scene._handle, C.byref(asked.struct), encode(path)))


def predict_storeys(
    scene: Scene,
    transmitters: Senders,
    path: str | os.PathLike[str],
    model: str = "shadow",
    *,
    level_dbm: float = float("nan"),
    **given: Any,
) -> None:
    """Power in every storey of every building as a table: .csv, .gpkg, .geojson or .shp."""
    asked = Prediction(scene.context, transmitters, model, given)
    scene.context.check(lib.rw_predict_storeys(scene._handle, C.byref(asked.struct), level_dbm, encode(path)))


def draw_views(
    scene: Scene,
    transmitters: Senders,
    point: Any,
    path: str | os.PathLike[str],
    **given: Any,
) -> None:
    """The frame buffers of model images along its strongest path to a point (x, y, height), as a PNG."""
    asked, place = Prediction(scene.context, transmitters, "images", given), new(_abi.rw_point)
    place.x_m, place.y_m, place.height_m = point
    call = lib.rw_draw_views
    scene.context.check(call(scene._handle, C.byref(asked.struct), C.byref(place), encode(path)))


def write_rays(
    scene: Scene, transmitters: Senders, path: str | os.PathLike[str], **given: Any
) -> None:
    """All rays to all tiles by model tiles, as HDF5."""
    asked = Prediction(scene.context, transmitters, "tiles", given)
    scene.context.check(lib.rw_write_rays(scene._handle, C.byref(asked.struct), encode(path)))


def is_kept_file(path: str | os.PathLike[str], context: Context | None = None) -> bool:
    """Whether a file is a database or kept paths, by its first bytes."""
    context = context or Context()
    return bool(lib.rw_stored_file_recognise(context._handle, encode(path)))


def write_beams(
    scene: Scene, transmitters: Senders, path: str | os.PathLike[str], **given: Any
) -> None:
    """The beams of model beams as polygons: GeoJSON."""
    asked = Prediction(scene.context, transmitters, "beams", given)
    scene.context.check(lib.rw_write_beams(scene._handle, C.byref(asked.struct), encode(path)))


def _preprocess_options(scene: Scene, model: str, given: dict[str, Any]) -> tuple[Any, list[Any]]:
    asked = options(_abi.rw_preprocess_options, "rw_preprocess_options_init_sized")
    kept = [encode(model)]
    asked.model = kept[0]
    for name, value in given.items():
        kept.append(encode(_text(value)))
        call = lib.rw_preprocess_options_set
        scene.context.check(call(scene.context._handle, C.byref(asked), encode(name.replace("_", "-")), kept[-1]))
    return asked, kept


def preprocess(scene: Scene, path: str | os.PathLike[str], model: str = "shadow", **given: Any) -> Database:
    """Computes and writes the database of a model, and loads it."""
    asked, _kept = _preprocess_options(scene, model, given)
    scene.context.check(lib.rw_preprocess(scene._handle, C.byref(asked), encode(path)))
    return Database(scene, path)


def preprocess_estimate(scene: Scene, model: str = "tiles", **given: Any) -> PreprocessEstimate:
    """What preprocess would take, from a sample of the tiles."""
    asked, _kept = _preprocess_options(scene, model, given)
    made = new(_abi.rw_preprocess_estimate)
    scene.context.check(lib.rw_preprocess_get_estimate(scene._handle, C.byref(asked), C.byref(made)))
    return PreprocessEstimate.of(made)


def visible_cubes(filled: Any, source: tuple[int, int, int], method: str = "supercubes", block: int = 32) -> Any:
    """Which cubes of a grid [layer, row, column] are seen from one (column, row, layer): an array of bool."""
    cubes = np.ascontiguousarray(filled, dtype=np.uint8)
    if cubes.ndim != 3:
        raise BadCallError(f"filled: an array of layers, rows and columns is needed, not of shape {cubes.shape}")
    asked, context = options(_abi.rw_visible_cubes_options, "rw_visible_cubes_options_init_sized"), Context()
    asked.layers, asked.rows, asked.columns = cubes.shape
    asked.filled = cubes.ctypes.data_as(C.POINTER(C.c_ubyte))
    asked.source = (C.c_size_t * 3)(*source)
    asked.method, asked.block = encode(method), block
    seen = np.empty(cubes.shape, np.uint8)
    pointer = seen.ctypes.data_as(C.POINTER(C.c_ubyte))
    context.check(lib.rw_visible_cubes(context._handle, C.byref(asked), pointer))
    return seen.astype(bool)


def version() -> str:
    """Version of the library that runs."""
    return decode(lib.rw_version())


def build_features() -> dict[str, str]:
    """The optional libraries that are in it, with their versions."""
    parts = (part.partition(":") for part in decode(lib.rw_build_features()).split("|"))
    return {name.strip(): value.strip() for name, _, value in parts if name.strip()}

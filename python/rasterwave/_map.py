"""Radio maps: layers as arrays, files and pictures of them."""

from __future__ import annotations

import ctypes as C
import math
import os
import pathlib
import shutil
import tempfile
from functools import cached_property
from typing import Any, Iterator, Mapping, Sequence

import numpy as np

from . import _abi
from ._context import Context, Owned
from ._geotiff import write_geotiff
from ._library import BadCallError, NotFoundError, UnsupportedError, decode, encode, lib, new, options
from ._records import Confidence, Coverage, DelayProfile, MapDifference, MapInfo, ZoneClass, ZoneRow
from ._scene import Scene
from ._sites import Transmitter, as_array, of_struct


def view(pointer: Any, shape: tuple[int, ...], owner: Any) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Memory of the library as an array without a copy; the array keeps its owner alive and cannot be written."""
    count = math.prod(shape)
    if count == 0:
        return np.zeros(shape, np.float32)
    memory = (C.c_float * count).from_address(C.addressof(pointer.contents))
    memory._owner = owner  # type: ignore[attr-defined]
    owner._used_by(memory)
    array: np.ndarray[Any, np.dtype[np.float32]] = np.frombuffer(memory, dtype=np.float32)  # type: ignore[call-overload]
    array = array.reshape(shape)
    array.flags.writeable = False
    return array


def _draw_options(layer: str | None, band: int, range: tuple[float, float] | None) -> Any:
    asked = options(_abi.rw_map_draw_options, "rw_map_draw_options_init_sized")
    asked.layer, asked.band = encode(layer), band
    if range:
        asked.value_min, asked.value_max = range
    return asked


def _profile(made: Any) -> tuple[DelayProfile, Any]:
    try:
        power = np.ctypeslib.as_array(made.power, (made.bins,)).copy()
        return DelayProfile.of(made), power
    finally:
        lib.rw_free(made.power)


def read_delay_profile(
    path: str | os.PathLike[str],
    x_m: float,
    y_m: float,
    transmitter: int = 0,
    *,
    picture: str | os.PathLike[str] | None = None,
    context: Context | None = None,
) -> tuple[DelayProfile, Any]:
    """The same as Map.delay_profile, from a file of write_histogram; picture: a PNG to draw it into."""
    context, made = context or Context(), new(_abi.rw_delay_profile)
    call = lib.rw_delay_profile_read(context._handle, encode(path), x_m, y_m, transmitter, C.byref(made))
    context.check(call)
    if picture is not None:
        status = lib.rw_delay_profile_draw(context._handle, C.byref(made), encode(picture))
        if status:
            lib.rw_free(made.power)
            context.check(status)
    return _profile(made)


def layer_title(name: str) -> str:
    """The title of a layer in words."""
    return decode(lib.rw_layer_title(encode(name)))


def layer_unit(name: str) -> str:
    """The unit of a layer; "" if it has none."""
    unit = lib.rw_layer_unit(encode(name))
    if unit is None:
        raise BadCallError(f"there is no layer {name!r}")
    return decode(unit)


def layer_is_combined(name: str) -> bool:
    """Whether a layer has one band of all transmitters together, such as best, in place of one for each."""
    return bool(lib.rw_layer_is_combined(encode(name)))


def layer_order(name: str) -> str:
    """Which values of a layer are better for radio: "lower", "higher", or "none"."""
    names = {_abi.RW_LAYER_LOWER_IS_BETTER: "lower", _abi.RW_LAYER_HIGHER_IS_BETTER: "higher"}
    return names.get(lib.rw_layer_get_order(encode(name)), "none")


def layer_classes(name: str) -> list[str]:
    """Names of the values 0, 1, ... of a layer of classes such as mechanism; empty for other layers."""
    names: list[str] = []
    while (word := lib.rw_layer_class(encode(name), len(names))) is not None:
        names.append(decode(word))
    return names


class Map(Owned, Mapping[str, "np.ndarray[Any, np.dtype[np.float32]]"]):
    """A radio map: map["path_loss"] is an array [band, row, column], row 0 the southernmost, without a copy.

    Values are NaN where there is no receiver and infinite where no path was found. Bands are transmitters.
    """

    def __init__(self) -> None:
        raise TypeError("maps are made by predict and Map.read")

    @classmethod
    def _of(cls, context: Context, handle: Any, *needed: Any, crs: str = "") -> Map:
        made = cls.__new__(cls)
        made._own(context, handle, "rw_map_destroy", *needed)
        made._crs = crs
        return made

    _crs: str = ""

    @classmethod
    def read(cls, path: str | os.PathLike[str], context: Context | None = None) -> Map:
        """A map of one layer from a raster file."""
        context = context or Context()
        handle = C.c_void_p()
        context.check(lib.rw_map_read(context._handle, encode(path), C.byref(handle)))
        return cls._of(context, handle)

    @property
    def info(self) -> MapInfo:
        """Grid, model and times."""
        made = new(_abi.rw_map_info)
        self._context.check(lib.rw_map_get_info(self._handle, C.byref(made)))
        return MapInfo.of(made)

    def _layer(self, index: int) -> Any:
        made = new(_abi.rw_map_layer)
        self._context.check(lib.rw_map_get_layer(self._handle, index, C.byref(made)))
        return made

    def _find(self, name: str) -> int:
        index = C.c_size_t()
        self._context.check(lib.rw_map_find_layer(self._handle, encode(name), C.byref(index)))
        return index.value

    def __getitem__(self, name: str) -> np.ndarray[Any, np.dtype[np.float32]]:
        try:
            layer = self._layer(self._find(name))
        except NotFoundError as error:
            raise KeyError(str(error)) from None
        return view(layer.values, (layer.bands, *self._shape), self)

    @cached_property
    def _shape(self) -> tuple[int, int]:
        made = new(_abi.rw_map_info)
        self._context.check(lib.rw_map_get_info(self._handle, C.byref(made)))
        return made.rows, made.columns

    def __iter__(self) -> Iterator[str]:
        return (decode(self._layer(index).name) for index in range(self.info.layers))

    def __len__(self) -> int:
        return self.info.layers

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    def unit(self, name: str) -> str:
        return decode(self._layer(self._find(name)).unit)

    @property
    def crs(self) -> str:
        """Coordinate system; "" where none is known."""
        return decode(lib.rw_map_crs(self._handle)) or self._crs

    @property
    def x_m(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Centres of the columns."""
        info = self.info
        return np.asarray(info.x0_m + (np.arange(info.columns) + 0.5) * info.res_m, dtype=np.float64)

    @property
    def y_m(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Centres of the rows, from the south."""
        info = self.info
        return np.asarray(info.y0_m + (np.arange(info.rows) + 0.5) * info.res_m, dtype=np.float64)

    def band_name(self, layer: str, band: int) -> str:
        text = C.create_string_buffer(256)
        self._context.check(lib.rw_map_get_band_name(self._handle, self._find(layer), band, text, len(text)))
        return decode(text.value)

    @property
    def transmitters(self) -> list[Transmitter]:
        """Those of the bands, as far as the map says; empty for maps of other programs."""
        found: list[Transmitter] = []
        made = new(_abi.rw_transmitter)
        while lib.rw_map_get_transmitter(self._handle, len(found), C.byref(made)) == _abi.RW_OK:
            found.append(of_struct(made))
        return found

    @property
    def histogram(self) -> np.ndarray[Any, np.dtype[np.float32]]:
        """Power over delay [band, row, column, bin], where a prediction was asked for delay_bins."""
        made, info = new(_abi.rw_map_histogram), self.info
        self._context.check(lib.rw_map_get_histogram(self._handle, C.byref(made)))
        return view(made.values, (made.bands, info.rows, info.columns, made.bins), self)

    def write_histogram(self, path: str | os.PathLike[str]) -> None:
        """Power over delay of all cells as HDF5."""
        self._context.check(lib.rw_map_write_histogram(self._handle, encode(path)))

    def delay_profile(self, x_m: float, y_m: float, transmitter: int = 0) -> tuple[DelayProfile, Any]:
        """Power over delay of the cell at a place: figures, and the power in each bin."""
        made = new(_abi.rw_delay_profile)
        call = lib.rw_map_get_delay_profile(self._handle, x_m, y_m, transmitter, C.byref(made))
        self._context.check(call)
        return _profile(made)

    def coverage(self, level_dbm: float, band: int | None = None) -> Coverage:
        """How much receives at least the level; band None: from the strongest transmitter in each cell."""
        made = new(_abi.rw_coverage)
        number = _abi.RW_ALL_BANDS if band is None else band
        self._context.check(lib.rw_map_coverage(self._handle, number, level_dbm, C.byref(made)))
        return Coverage.of(made)

    def layer_coverage(self, layer: str, level: float, band: int | None = None) -> Coverage:
        """The same of any layer with an order: cells whose value is the level or better, in the layer's unit."""
        made = new(_abi.rw_coverage)
        number = _abi.RW_ALL_BANDS if band is None else band
        self._context.check(lib.rw_map_layer_coverage(self._handle, encode(layer), number, level, C.byref(made)))
        return Coverage.of(made)

    def select_strongest(self) -> None:
        """Reduces each layer with a band per transmitter to one band with the best value in each cell."""
        self._context.check(lib.rw_map_select_strongest(self._handle))

    def zone_statistics(
        self,
        zones: str | os.PathLike[str] | None = None,
        layer: str | None = None,
        *,
        name_field: str | None = None,
        band: int | None = None,
        level: float = float("nan"),
        weights: str | os.PathLike[str] | None = None,
        rooms: Scene | None = None,
        write: str | os.PathLike[str] | None = None,
    ) -> list[ZoneRow]:
        """Statistics by polygons of a file or rooms of a floor plan, the whole map last.

        weights: a raster such as population; write: a table. zone_classes has the same of layers of classes.
        """
        return self._zone_table(zones, layer, name_field, band, level, weights, rooms, write)[0]

    def zone_classes(
        self,
        zones: str | os.PathLike[str] | None = None,
        layer: str | None = None,
        *,
        name_field: str | None = None,
        band: int | None = None,
        rooms: Scene | None = None,
    ) -> list[list[ZoneClass]]:
        """Cells of each class in each zone, of a layer of classes such as best or mechanism; empty lists otherwise."""
        return self._zone_table(zones, layer, name_field, band, float("nan"), None, rooms, None)[1]

    def _zone_table(
        self,
        zones: Any,
        layer: str | None,
        name_field: str | None,
        band: int | None,
        level: float,
        weights: Any,
        rooms: Scene | None,
        write: Any,
    ) -> tuple[list[ZoneRow], list[list[ZoneClass]]]:
        asked = options(_abi.rw_zone_options, "rw_zone_options_init_sized")
        asked.zones, asked.name_field, asked.weights = encode(zones), encode(name_field), encode(weights)
        asked.layer, asked.level = encode(layer), level
        asked.rooms = rooms._handle if rooms is not None else None
        asked.band = _abi.RW_ALL_BANDS if band is None else band
        table = C.c_void_p()
        self._context.check(lib.rw_map_zone_statistics(self._handle, C.byref(asked), C.byref(table)))
        try:
            rows, classes = [], []
            for index in range(lib.rw_zone_table_count(table)):
                made = new(_abi.rw_zone_row)
                self._context.check(lib.rw_zone_table_get(table, index, C.byref(made)))
                rows.append(ZoneRow.of(made))
                classes.append([self._zone_class(table, index, i) for i in range(lib.rw_zone_table_class_count(table))])
            if write is not None:
                self._context.check(lib.rw_zone_table_write(table, encode(write)))
            return rows, classes
        finally:
            lib.rw_zone_table_destroy(table)

    def _zone_class(self, table: Any, zone: int, index: int) -> ZoneClass:
        made = new(_abi.rw_zone_class)
        self._context.check(lib.rw_zone_table_get_class(table, zone, index, C.byref(made)))
        return ZoneClass.of(made)

    def difference(self, other: Map, layer: str | None = None, band: int | None = None) -> Map:
        """The other map minus this one, of the same cells: a map with the layer "difference"."""
        handle = C.c_void_p()
        self._compare(other, layer, band, 10.0, C.byref(handle))
        return Map._of(self._context, handle, crs=self.crs)

    def compare(self, other: Map, layer: str | None = None, band: int | None = None, above: float = 10.0) -> MapDifference:
        """How far another map of the same cells is from this one."""
        return self._compare(other, layer, band, above, None)

    def _compare(self, other: Map, layer: str | None, band: int | None, above: float, to: Any) -> MapDifference:
        asked = options(_abi.rw_map_compare_options, "rw_map_compare_options_init_sized")
        asked.layer, asked.band, asked.above = encode(layer), _abi.RW_ALL_BANDS if band is None else band, above
        made = new(_abi.rw_map_difference)
        self._context.check(lib.rw_map_compare(self._handle, other._handle, C.byref(asked), C.byref(made), to))
        return MapDifference.of(made)

    def to_xarray(self) -> Any:
        """An xarray Dataset with coordinates, units and coordinate system; its arrays show the map's memory."""
        import xarray

        arrays = {}
        for name in self:
            values = self[name]
            bands = [self.band_name(name, band) or str(band) for band in range(len(values))]
            # Layers may have one band for all transmitters and others one for each: each count has its own axis.
            axis = "band" if len(values) == self._bands else f"band_{len(values)}"
            arrays[name] = xarray.DataArray(
                values,
                dims=(axis, "y", "x"),
                coords={axis: bands, "y": self.y_m, "x": self.x_m},
                attrs={"units": self.unit(name), "long_name": name.replace("_", " ")},
            )
        dataset = xarray.Dataset(arrays, attrs={"crs": self.crs, "model": self.info.model})
        if self.crs:  # as the CF conventions and rioxarray have it
            dataset = dataset.assign_coords(spatial_ref=xarray.DataArray(0, attrs={"crs_wkt": self.crs, "spatial_ref": self.crs}))
            for layer in dataset.data_vars.values():
                layer.attrs["grid_mapping"] = "spatial_ref"
        for axis in ("x", "y"):
            dataset[axis].attrs["units"] = "m"
        return dataset

    @property
    def _bands(self) -> int:
        return max(int(self._layer(index).bands) for index in range(self.info.layers))

    def to_geotiff(self, path: str | os.PathLike[str], layer: str | None = None) -> None:
        """One layer as a GeoTIFF, its bands from the north; nodata and no path are NaN."""
        name = layer or next(iter(self))
        values, info = self[name], self.info
        bands = [self.band_name(name, band) for band in range(len(values))]
        write_geotiff(path, values[:, ::-1], (info.x0_m, info.y0_m + info.rows * info.res_m), info.res_m, self.crs, bands)

    def write(self, folder: str | os.PathLike[str]) -> list[str]:
        """Every layer as the command line writes it: one raster each. Returns the paths."""
        written = []
        for index in range(self.info.layers):
            text = C.create_string_buffer(4096)
            self._context.check(lib.rw_map_write_layer(self._handle, index, encode(folder), text, len(text)))
            written.append(os.fsdecode(text.value))
        return written

    def write_layer(self, path: str | os.PathLike[str], layer: str | None = None) -> None:
        """One layer as this file: .tif with GDAL, .bin (ENVI) without."""
        index = self._find(layer) if layer else 0
        self._context.check(lib.rw_map_write_file(self._handle, index, encode(path)))

    def to_hdf5(self, path: str | os.PathLike[str]) -> None:
        """All layers as one HDF5 file."""
        self._context.check(lib.rw_map_write_hdf5(self._handle, encode(path)))

    def draw(
        self,
        path: str | os.PathLike[str],
        layer: str | None = None,
        band: int = 0,
        *,
        scene: Scene | None = None,
        range: tuple[float, float] | None = None,
        width_px: int = 0,
        marks: Any = (),
    ) -> None:
        """A PNG with buildings, transmitters, legend and scale bar; marks (n, 2): places such as a measured route."""
        transmitters = as_array(self.transmitters)
        asked = _draw_options(layer, band, range)
        places = np.ascontiguousarray(np.asarray(marks, dtype=float).reshape(-1, 2))
        asked.marks_m, asked.mark_count = places.ctypes.data_as(C.POINTER(C.c_double)), len(places)
        asked.width_px, asked.scene = width_px, scene._handle if scene else None
        asked.transmitters, asked.transmitter_count = transmitters, len(transmitters)
        self._context.check(lib.rw_map_draw(self._handle, C.byref(asked), encode(path)))

    def draw_georeferenced(
        self,
        path: str | os.PathLike[str],
        layer: str | None = None,
        band: int = 0,
        range: tuple[float, float] | None = None,
    ) -> None:
        """The cells alone as a PNG with a world file beside it, which every GIS puts at its place."""
        asked = _draw_options(layer, band, range)
        self._context.check(lib.rw_map_draw_georeferenced(self._handle, C.byref(asked), encode(path)))

    def write_polygons(
        self, path: str | os.PathLike[str], layer: str | None = None, band: int = 0, levels: Sequence[float] = ()
    ) -> None:
        """Ranges between rising levels, or classes such as best servers, as .gpkg, .geojson, .shp, .kml or .kmz."""
        asked = options(_abi.rw_polygon_options, "rw_polygon_options_init_sized")
        values = (C.c_double * len(levels))(*levels)
        asked.layer, asked.band = encode(layer), band
        asked.levels, asked.level_count = values, len(levels)
        self._context.check(lib.rw_polygons_check_name(self._context._handle, encode(path)))
        self._context.check(lib.rw_map_write_polygons(self._handle, C.byref(asked), encode(path)))

    def confidence(
        self,
        level: float,
        confidence: float = 0.9,
        layer: str | None = None,
        band: int | None = None,
        weights: Any = None,
        **given: float,
    ) -> Confidence:
        """How likely the coverage of a level is: draws of shadowing over the map. weights: a raster of counts such as people, or
        an array with a number for each cell. given: target (a fraction), sigma_db, correlation_m, site_correlation, draws, seed."""
        asked = options(_abi.rw_confidence_options, "rw_confidence_options_init_sized")
        asked.layer, asked.level, asked.confidence = encode(layer), level, confidence
        asked.band = _abi.RW_ALL_BANDS if band is None else band
        if isinstance(weights, (str, os.PathLike)):
            asked.weights = encode(weights)
        elif weights is not None:
            cells = np.ascontiguousarray(weights, np.float64)
            rows, columns = self.info.rows, self.info.columns
            if cells.size != rows * columns:
                raise BadCallError(f"weights has {cells.size} numbers, and the map {rows} x {columns} cells")
            asked.cell_weights = cells.ctypes.data_as(C.POINTER(C.c_double))
        for name, value in given.items():
            setattr(asked, name, value)
        found = new(_abi.rw_confidence)
        self._context.check(lib.rw_map_confidence(self._handle, C.byref(asked), C.byref(found)))
        return Confidence.of(found)

    def write_contours(
        self, path: str | os.PathLike[str], levels: Sequence[float], layer: str | None = None, band: int = 0
    ) -> None:
        """Lines along which a layer has each of the levels, as .gpkg, .geojson or .shp."""
        asked = options(_abi.rw_polygon_options, "rw_polygon_options_init_sized")
        values = (C.c_double * len(levels))(*levels)
        asked.layer, asked.band = encode(layer), band
        asked.levels, asked.level_count = values, len(levels)
        self._context.check(lib.rw_map_write_contours(self._handle, C.byref(asked), encode(path)))

    def add_reception(self) -> None:
        """Adds the layer "reception": 1 where a path arrives, 0 where a receiver has none. Nothing where all have one."""
        self._context.check(lib.rw_map_add_reception(self._handle))

    def plot(self, layer: str | None = None, band: int = 0, ax: Any = None, **keywords: Any) -> Any:
        """The layer on axes of matplotlib, in metres; returns the image."""
        import matplotlib.pyplot as plt

        name = layer or next(iter(self))
        info = self.info
        ax = ax or plt.gca()
        values = np.where(np.isfinite(self[name][band]), self[name][band], np.nan)
        extent = (info.x0_m, info.x0_m + info.columns * info.res_m, info.y0_m, info.y0_m + info.rows * info.res_m)
        keywords.setdefault("cmap", "viridis_r" if self.unit(name) == "dB" else "viridis")
        image = ax.imshow(values, origin="lower", extent=extent, **keywords)
        ax.set_xlabel("x in m")
        ax.set_ylabel("y in m")
        ax.figure.colorbar(image, ax=ax, label=f"{name.replace('_', ' ')} in {self.unit(name)}")
        return image

    def _repr_png_(self) -> bytes | None:
        folder = pathlib.Path(tempfile.mkdtemp())
        try:
            self.draw(folder / "map.png", width_px=700)
            return (folder / "map.png").read_bytes()
        except UnsupportedError:
            return None
        finally:
            shutil.rmtree(folder)

    def __repr__(self) -> str:
        info = self.info
        return f"<Map by {info.model or 'another program'}: {info.rows} x {info.columns} cells of {info.res_m:g} m, {', '.join(self)}>"

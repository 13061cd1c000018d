"""Maps of many transmitters in one call, for learning and optimisation."""

from __future__ import annotations

import ctypes as C
from typing import Any, Iterable

import numpy as np

from . import _abi
from ._device import DeviceArray, place_of
from ._library import BadCallError, lib, new, options
from ._models import Prediction, plain_key
from ._records import MapInfo
from ._scene import Scene
from ._sites import Transmitter, Transmitters, as_array


def _structs(transmitters: Any, like: Transmitter | None) -> tuple[Any, Any]:
    """The library's structs, and what keeps their texts alive."""
    if isinstance(transmitters, np.ndarray) or hasattr(transmitters, "columns"):  # also a frame of places
        transmitters = Transmitters(transmitters, like)
    elif like is not None:
        raise BadCallError("like goes with an array of places")
    return as_array(transmitters), transmitters


_TYPES = {np.dtype(np.float32): _abi.RW_ELEMENT_FLOAT32, np.dtype(np.uint8): _abi.RW_ELEMENT_UINT8}
_KEPT = 16  # grids of a scene


class _Opened:
    """What calls of the same options on a scene have in common. It does not hold the scene, which may hold it."""

    def __init__(self, scene: Scene, model: str, layer: str, dtype: Any, given: dict[str, Any]) -> None:
        self.dtype = np.dtype(dtype or (np.uint8 if layer == "los" else np.float32))
        if self.dtype not in _TYPES:
            raise BadCallError(f"dtype {self.dtype}: use float32, or uint8 for layer los")
        self.type = _TYPES[self.dtype]
        self.asked = Prediction(scene.context, Transmitter(), model, {**given, "layers": layer})
        self.grid: Any = new(_abi.rw_map_info)
        scene.context.check(lib.rw_predict_many_grid(scene._handle, C.byref(self.asked.struct), C.byref(self.grid)))
        self.array: Any = options(_abi.rw_map_array, "rw_map_array_init_sized")


def _opened(scene: Scene, model: str, layer: str, dtype: Any, given: dict[str, Any]) -> _Opened:
    """One that the scene has kept, where options are plain values: calls with them are many."""
    key = plain_key(given)
    if key is None:
        return _Opened(scene, model, layer, dtype, given)
    kept: dict[Any, _Opened] = scene.__dict__.setdefault("_grids", {})
    found = kept.get((model, layer, dtype, key))
    if found is None:
        found = _Opened(scene, model, layer, dtype, given)
        if len(kept) >= _KEPT:
            kept.clear()
        kept[model, layer, dtype, key] = found
    return found


class Predictor:
    """A model that is open on a scene, a grid and options: called with transmitters, it gives a map for each.

    An array [transmitter, row, column], row 0 the southernmost; NaN where there is no receiver, infinite without a path.
    dtype uint8, of layer los and its default, has 1 where the transmitter is seen, 0 where not, 255 without a receiver.
    Options are those of predict.
    """

    def __init__(
        self, scene: Scene, model: str = "shadow", layer: str = "path_loss", dtype: Any = None, **given: Any
    ) -> None:
        self.scene, self.layer = scene, layer
        opened = _opened(scene, model, layer, dtype, given)
        self.dtype, self._type = opened.dtype, opened.type
        self._asked, self._grid, self._array = opened.asked, opened.grid, opened.array
        self.shape: tuple[int, int] = (self._grid.rows, self._grid.columns)  # of a map

    @property
    def grid(self) -> MapInfo:
        """Rows, columns and place of the maps."""
        return MapInfo.of(self._grid)

    @property
    def x_m(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Centres of the columns."""
        return np.asarray(self._grid.x0_m + (np.arange(self._grid.columns) + 0.5) * self._grid.res_m)

    @property
    def y_m(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Centres of the rows, from the south."""
        return np.asarray(self._grid.y0_m + (np.arange(self._grid.rows) + 0.5) * self._grid.res_m)

    def empty(self, count: int, where: str = "host") -> Any:
        """An array that takes the maps of so many transmitters: of numpy, or on the device a DeviceArray."""
        if where not in ("host", "device"):
            raise BadCallError(f"where {where!r}: use host or device")
        shape = (count, *self.shape)
        return np.empty(shape, self.dtype) if where == "host" else DeviceArray(shape, self.dtype, self.scene.context)

    def __call__(
        self,
        transmitters: Transmitter | Iterable[Transmitter] | Any,
        out: Any = None,
        *,
        where: str = "host",
        like: Transmitter | None = None,
        invalid: str = "raise",
    ) -> Any:
        """Maps of transmitters: of a list, of Transmitters, or of an array (n, 3) of places, alike in all else.

        out: an array that takes them: of numpy, a DeviceArray, or any with __cuda_array_interface__ such as a tensor of
        torch on the GPU; else a new one, by where "host" or "device". invalid: what happens to a transmitter inside a
        building: "raise", or "nan" for a map of NaN (255 of uint8) in an array of numpy.
        """
        structs, _keeper = _structs(transmitters, like)
        result = self.empty(len(structs), where) if out is None else out
        if invalid not in ("raise", "nan"):
            raise BadCallError(f"invalid {invalid!r}: use raise or nan")
        if invalid == "nan" and not isinstance(result, np.ndarray):
            raise BadCallError('invalid "nan" needs an array of numpy')
        try:
            self._solve(structs, result)
        except BadCallError as error:
            if not len(structs):
                raise
            enclosures = self.scene.enclosures([(item.x_m, item.y_m, item.height_m) for item in structs])
            if not enclosures.any():
                raise
            if invalid == "raise":
                raise BadCallError(f"{error} (number {np.flatnonzero(enclosures)[0]} of {len(structs)}, from 0)") from None
            self._solve_valid(structs, result, enclosures)
        return result

    def _solve_valid(self, structs: Any, result: Any, enclosures: Any) -> None:
        """Models of rooms accept transmitters in closed meshes: first only those in buildings are left as NaN."""
        bad = (enclosures & _abi.RW_ENCLOSURE_BUILDING) != 0
        for last, skipped in ((False, bad), (True, enclosures != 0)):
            valid = np.flatnonzero(~skipped)
            part = np.empty((len(valid), *self.shape), self.dtype)
            try:
                if len(valid):
                    self._solve((_abi.rw_transmitter * len(valid))(*(structs[int(i)] for i in valid)), part)
            except BadCallError:
                if last:
                    raise
                continue
            result[...] = np.nan if self.dtype == np.float32 else 255
            result[valid] = part
            return

    def _solve(self, structs: Any, result: Any) -> None:
        context = self.scene.context
        asked = _abi.rw_predict_options.from_buffer_copy(self._asked.struct)
        array = _abi.rw_map_array.from_buffer_copy(self._array)
        asked.transmitters, asked.transmitter_count = structs, len(structs)
        shape = (len(structs), *self.shape)
        array.values, array.memory = place_of(result, shape, self.dtype, context)
        array.bytes, array.type = self.dtype.itemsize * len(structs) * shape[1] * shape[2], self._type
        context.check(lib.rw_predict_many(self.scene._handle, C.byref(asked), C.byref(array)))

    def to_xarray(self, maps: Any) -> Any:
        """Maps of this predictor as a DataArray with coordinates; those on a device are copied."""
        import xarray

        values = maps.copy_to_host() if isinstance(maps, DeviceArray) else maps
        return xarray.DataArray(
            values,
            dims=("transmitter", "y", "x"),
            coords={"y": self.y_m, "x": self.x_m},
            name=self.layer,
            attrs={"crs": self.scene.crs, "model": self.grid.model},
        )

    def __repr__(self) -> str:
        return f"<Predictor by {self.grid.model}: {self.layer}, {self.grid.rows} x {self.grid.columns} cells>"


def predict_many(
    scene: Scene,
    transmitters: Transmitter | Iterable[Transmitter] | Any,
    model: str = "shadow",
    layer: str = "path_loss",
    *,
    dtype: Any = None,
    out: Any = None,
    where: str = "host",
    like: Transmitter | None = None,
    invalid: str = "raise",
    **given: Any,
) -> Any:
    """One map for each of many transmitters in one call: an array [transmitter, row, column]. See Predictor."""
    return Predictor(scene, model, layer, dtype, **given)(transmitters, out, where=where, like=like, invalid=invalid)

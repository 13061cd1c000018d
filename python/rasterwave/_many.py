"""Maps of many transmitters in one call, for learning and optimisation."""

from __future__ import annotations

import ctypes as C
from typing import Any, Iterable, Iterator, Sequence

import numpy as np

from . import _abi
from ._device import DeviceArray, place_of
from ._library import BadCallError, lib, new, options
from ._models import Prediction
from ._records import MapInfo
from ._scene import Scene
from ._sites import Transmitter, as_array, of_struct

_KINDS = {C.c_double: "f8", C.c_int: "i4"}
_COLUMNS = [(name, _KINDS[kind]) for name, kind in _abi.rw_transmitter._fields_ if kind in _KINDS]
_RECORD = np.dtype(
    {
        "names": [name for name, _ in _COLUMNS],
        "formats": [kind for _, kind in _COLUMNS],
        "offsets": [getattr(_abi.rw_transmitter, name).offset for name, _ in _COLUMNS],
        "itemsize": C.sizeof(_abi.rw_transmitter),
    }
)


class Transmitters(Sequence[Transmitter]):
    """Many transmitters as columns: x_m, y_m, height_m, power_dbm, azimuth_deg, ... are arrays, and may be written to.

    places: an array (n, 2) or (n, 3) of x, y and height, or a count; like: what all have in common; columns: arrays or
    numbers for single fields. Writing to a column changes the transmitters in place, without a copy.
    """

    def __init__(self, places: Any, like: Transmitter | None = None, **columns: Any) -> None:
        like = like or Transmitter()
        known = {name for name, _ in _COLUMNS}
        for name in columns:
            if name not in known:
                raise BadCallError(f"there is no column {name!r}; there are {', '.join(sorted(known))}")
        at = None if isinstance(places, (int, np.integer)) else np.asarray(places, dtype=np.float64)
        if at is not None and (at.ndim != 2 or at.shape[1] not in (2, 3)):
            raise BadCallError(f"places: an array of shape (n, 2) or (n, 3) is needed, not {at.shape}")
        count = int(places) if at is None else len(at)
        self._struct = (_abi.rw_transmitter * count)()
        self._like = first = as_array(like)  # its texts are those of all
        raw = np.frombuffer(self._struct, dtype=np.dtype((np.void, C.sizeof(_abi.rw_transmitter)))) if count else None
        if raw is not None:
            raw[:] = np.frombuffer(first, dtype=raw.dtype)[0]
        self._table = np.frombuffer(self._struct, dtype=_RECORD) if count else np.zeros(0, _RECORD)
        if at is not None:
            for name, column in zip(("x_m", "y_m", "height_m"), at.T):
                self._table[name] = column
        for name, values in columns.items():
            self._table[name] = values

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in _RECORD.names:  # type: ignore[operator]
            return self._table[name]
        raise AttributeError(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _RECORD.names:  # type: ignore[operator]
            self._table[name] = value
        else:
            super().__setattr__(name, value)

    def __len__(self) -> int:
        return len(self._struct)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [of_struct(made) for made in self._struct[index]]
        return of_struct(self._struct[index])

    def __iter__(self) -> Iterator[Transmitter]:
        return (of_struct(made) for made in self._struct)

    def __repr__(self) -> str:
        return f"<Transmitters: {len(self)}>"


def _structs(transmitters: Any, like: Transmitter | None) -> tuple[Any, Any]:
    """The library's structs, and what keeps their texts alive."""
    if isinstance(transmitters, np.ndarray):
        transmitters = Transmitters(transmitters, like)
    elif like is not None:
        raise BadCallError("like goes with an array of places")
    structs = transmitters._struct if isinstance(transmitters, Transmitters) else as_array(transmitters)
    return structs, transmitters


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
        self.dtype = np.dtype(dtype or (np.uint8 if layer == "los" else np.float32))
        types = {np.dtype(np.float32): _abi.RW_ELEMENT_FLOAT32, np.dtype(np.uint8): _abi.RW_ELEMENT_UINT8}
        if self.dtype not in types:
            raise BadCallError(f"dtype {self.dtype}: use float32, or uint8 for layer los")
        self._type = types[self.dtype]
        self._asked = Prediction(scene.context, Transmitter(), model, {**given, "layers": layer})
        made = new(_abi.rw_map_info)
        scene.context.check(lib.rw_predict_many_grid(scene._handle, C.byref(self._asked.struct), C.byref(made)))
        self.grid = MapInfo.of(made)
        self._array = options(_abi.rw_map_array, "rw_map_array_init_sized")

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of a map."""
        return self.grid.rows, self.grid.columns

    @property
    def x_m(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Centres of the columns."""
        return self.grid.x0_m + (np.arange(self.grid.columns) + 0.5) * self.grid.res_m

    @property
    def y_m(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Centres of the rows, from the south."""
        return self.grid.y0_m + (np.arange(self.grid.rows) + 0.5) * self.grid.res_m

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
    ) -> Any:
        """Maps of transmitters: of a list, of Transmitters, or of an array (n, 3) of places, alike in all else.

        out: an array that takes them: of numpy, a DeviceArray, or any with __cuda_array_interface__ such as a tensor of
        torch on the GPU; else a new one, by where "host" or "device".
        """
        context = self.scene.context
        structs, _keeper = _structs(transmitters, like)
        result = self.empty(len(structs), where) if out is None else out
        asked = _abi.rw_predict_options.from_buffer_copy(self._asked.struct)
        array = _abi.rw_map_array.from_buffer_copy(self._array)
        asked.transmitters, asked.transmitter_count = structs, len(structs)
        shape = (len(structs), *self.shape)
        array.values, array.memory = place_of(result, shape, self.dtype, context)
        array.bytes, array.type = self.dtype.itemsize * len(structs) * shape[1] * shape[2], self._type
        context.check(lib.rw_predict_many(self.scene._handle, C.byref(asked), C.byref(array)))
        return result

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
    **given: Any,
) -> Any:
    """One map for each of many transmitters in one call: an array [transmitter, row, column]. See Predictor."""
    return Predictor(scene, model, layer, dtype, **given)(transmitters, out, where=where, like=like)

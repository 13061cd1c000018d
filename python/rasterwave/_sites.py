"""Transmitters and antennas."""

from __future__ import annotations

import contextlib
import csv
import ctypes as C
import os
import pathlib
import tempfile
from dataclasses import dataclass, fields, replace
from typing import Any, Iterable, Iterator, Sequence, Union

import numpy as np

from . import _abi
from ._context import Context, Owned
from ._library import BadCallError, Error, decode, encode, lib, new, options
from ._records import Parameter, ParamsRecord


@dataclass
class Transmitter:
    """Place, antenna, power and frequency. Lengths in metres, angles in degrees; freq_hz 0: that of the prediction."""

    x_m: float = 0.0
    y_m: float = 0.0
    height_m: float = 10.0  # above ground
    name: str = ""
    azimuth_deg: float = 0.0  # of the boresight, clockwise from north
    downtilt_deg: float = 0.0
    roll_deg: float = 0.0
    power_dbm: float = 30.0
    freq_hz: float = 0.0
    antenna: str = "isotropic"  # also dipole, 3gpp, macro, omni, sector:..., or the path of an MSI file
    channel: str = ""
    slant_deg: float = 0.0  # polarisation: 0 vertical, 90 horizontal
    dual_polarised: int = 0  # 1: a second port at slant_deg - 90
    load: float = 0.0  # share of its resource elements in use; 0: the prediction's, below 0: none
    radius_m: float = 0.0  # it is computed so far; 0: as the prediction says
    bandwidth_hz: float = 0.0  # of its carrier; 0: the prediction's
    streams: int = 0  # spatial streams at most (MIMO order), for throughput; 0: 1

    def moved(self, **changes: Any) -> Transmitter:
        """The same with other values."""
        return replace(self, **changes)

    def polarised(self, text: str) -> Transmitter:
        """The same with a polarisation: "vertical", "horizontal", a slant in degrees, "dual" (+45 and -45) or "vh"."""
        context, array = Context(), as_array(self)
        context.check(lib.rw_transmitter_set_polarisation(context._handle, array, encode(text)))
        return replace(self, slant_deg=array[0].slant_deg, dual_polarised=array[0].dual_polarised)


_SIZE = C.sizeof(_abi.rw_transmitter)
_TEXTS = {field.name for field in fields(Transmitter) if isinstance(field.default, str)}
# In the order of the struct behind its size; every call passes here, so that fields are not set one by one.
_ORDER = [(field[0], field[0] in _TEXTS) for field in _abi.rw_transmitter._fields_ if field[0] != "size"]


Senders = Union[Transmitter, Iterable[Transmitter]]


def _struct(item: Any) -> Any:
    values = item.__dict__ if isinstance(item, Transmitter) else _at_place(item).__dict__
    try:
        return _abi.rw_transmitter(_SIZE, *[encode(values[name]) if is_text else values[name] for name, is_text in _ORDER])
    except TypeError:
        for name, is_text in _ORDER:
            if not isinstance(values[name], (str, os.PathLike) if is_text else (int, float, np.integer, np.floating)):
                wanted = "a text" if is_text else "a number"
                raise BadCallError(f"{name} of a transmitter is {wanted}, not {values[name]!r}") from None
        raise


def _at_place(item: Any) -> Transmitter:
    """A transmitter from its place alone."""
    if isinstance(item, (tuple, list, np.ndarray)) and len(item) in (2, 3) and np.ndim(item) == 1:
        return Transmitter(**dict(zip(("x_m", "y_m", "height_m"), map(float, item))))  # type: ignore[arg-type]
    raise BadCallError(f"a transmitter is a Transmitter or its place (x, y, height), not {item!r}")


def as_array(transmitters: Any) -> Any:
    """An array of the library's structs: of a transmitter or its place, of many, of Transmitters, or of an array of places."""
    if isinstance(transmitters, Transmitters):
        return transmitters._struct
    if hasattr(transmitters, "columns"):  # a frame of places
        return Transmitters(transmitters)._struct
    items: list[Any] = [transmitters] if isinstance(transmitters, Transmitter) else list(transmitters)
    if items and isinstance(items[0], (int, float, np.integer, np.floating)):  # one place
        items = [items]
    return (_abi.rw_transmitter * len(items))(*[_struct(item) for item in items])


def as_list(transmitters: Any) -> list[Transmitter]:
    """Transmitters of whatever as_array takes."""
    return [of_struct(made) for made in as_array(transmitters)]


def of_struct(made: Any) -> Transmitter:
    values: dict[str, Any] = {field.name: getattr(made, field.name) for field in fields(Transmitter)}
    for name, value in values.items():
        if value is None or isinstance(value, bytes):
            values[name] = decode(value)
    values["antenna"] = values["antenna"] or "isotropic"
    return Transmitter(**values)


_KINDS = {C.c_double: "f8", C.c_int: "i4"}
_COLUMNS = [(field[0], _KINDS[field[1]]) for field in _abi.rw_transmitter._fields_ if field[1] in _KINDS]
_NAMES = {name for name, _ in _COLUMNS}
_DEFAULT = (_abi.rw_transmitter * 1)(_struct(Transmitter()))
_RECORD: Any = np.dtype(
    {
        "names": [name for name, _ in _COLUMNS],
        "formats": [kind for _, kind in _COLUMNS],
        "offsets": [getattr(_abi.rw_transmitter, name).offset for name, _ in _COLUMNS],
        "itemsize": _SIZE,
    }
)


class Transmitters(Sequence[Transmitter]):
    """Many transmitters as columns: x_m, y_m, height_m, power_dbm, azimuth_deg, ... are arrays, and may be written to.

    places: an array (n, 2) or (n, 3) of x, y and height, or a count; like: what all have in common; columns: arrays or
    numbers for single fields. Writing to a column changes the transmitters in place, without a copy.
    """

    def __init__(self, places: Any, like: Transmitter | None = None, **columns: Any) -> None:
        for name in columns:
            if name not in _NAMES:
                raise BadCallError(f"there is no column {name!r}; there are {', '.join(sorted(_NAMES))}")
        at = None if isinstance(places, (int, np.integer)) else np.asarray(places, dtype=np.float64)
        if at is not None and (at.ndim != 2 or at.shape[1] not in (2, 3)):
            raise BadCallError(f"places: an array of shape (n, 2) or (n, 3) is needed, not {at.shape}")
        count = int(places) if at is None else len(at)
        # Not by __setattr__, which looks for columns. The texts of the first are those of all.
        own = self.__dict__
        own["_like"] = as_array(like) if like else _DEFAULT
        memory = bytearray(bytes(self._like) * count)
        own["_struct"] = (_abi.rw_transmitter * count).from_buffer(memory)
        own["_table"] = np.frombuffer(memory, _RECORD) if count else np.zeros(0, _RECORD)
        if at is not None:
            for name, column in zip(("x_m", "y_m", "height_m"), at.T):
                self._table[name] = column
        for name, values in columns.items():
            self._table[name] = values

    def __getattr__(self, name: str) -> Any:
        if name in _NAMES:
            return self._table[name]
        raise AttributeError(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _NAMES:
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

    _like: Any
    _struct: Any
    _table: Any

    def __reduce__(self) -> Any:
        return _columns_of, (of_struct(self._like[0]), {name: self._table[name].copy() for name, _ in _COLUMNS})

    def __repr__(self) -> str:
        return f"<Transmitters: {len(self)}>"


def _columns_of(like: Transmitter, columns: dict[str, Any]) -> Transmitters:
    return Transmitters(len(columns["x_m"]), like, **columns)


@contextlib.contextmanager
def table_file(table: Any, name: str) -> Iterator[str | os.PathLike[str]]:
    """The path of a table: itself, or a file that a data frame (or a dict of columns) is written to meanwhile."""
    if isinstance(table, (str, os.PathLike)):
        yield table
        return
    names = list(table)
    rows = zip(*(list(table[column]) for column in names))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / f"{name}.csv"
        with path.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(names)
            writer.writerows([repr(float(v)) if isinstance(v, (float, np.floating)) else v for v in row] for row in rows)
        try:
            yield path
        except Error as error:  # the frame is what the caller knows
            raise type(error)(str(error).replace(str(path), f"the frame of {name}")) from None


def load_sites(
    path: Any,
    *,
    crs: str | None = None,
    to_crs: str | None = None,
    skip_bad: bool = False,
    columns: str | None = None,
    context: Context | None = None,
) -> list[Transmitter]:
    """Transmitters of a sites table: a CSV file, or a data frame of the same columns (name, x, y, height, azimuth, tilt,
    power, freq, antenna, ...). skip_bad: lines that cannot be used are told as warnings and left out.

    crs: of its places; to_crs: that of the scene, into which they and columns of longitude and latitude are brought.
    columns: names of the table's columns, such as "x=Easting,height=AntennaHeight".
    """
    context = context or Context()
    sites, count, left_out = C.POINTER(_abi.rw_transmitter)(), C.c_size_t(), C.c_size_t()
    asked = options(_abi.rw_sites_options, "rw_sites_options_init_sized")
    asked.crs, asked.to_crs, asked.skip_bad = encode(crs), encode(to_crs or None), int(skip_bad)
    asked.columns = encode(columns)
    size = C.sizeof(_abi.rw_transmitter)
    with table_file(path, "sites") as file:
        call = lib.rw_sites_load_for_sized
        context.check(
            call(context._handle, encode(file), C.byref(asked), size, C.byref(sites), C.byref(count), C.byref(left_out))
        )
    try:
        return [of_struct(sites[index]) for index in range(count.value)]
    finally:
        lib.rw_free(sites)


class Antenna(Owned):
    """An antenna pattern: "isotropic", "dipole", "3gpp", "macro", "omni", "sector:gain=15:horizontal=90", or the path of an MSI file."""

    def __init__(self, description: str | os.PathLike[str] = "isotropic", context: Context | None = None) -> None:
        context = context or Context()
        handle = C.c_void_p()
        context.check(lib.rw_antenna_create(context._handle, encode(description), C.byref(handle)))
        self._own(context, handle, "rw_antenna_destroy")

    @property
    def name(self) -> str:
        return decode(lib.rw_antenna_name(self._handle))

    def gain_dbi(self, theta_deg: float, phi_deg: float) -> float:
        """Gain towards theta from the antenna's zenith and phi from its boresight, counter-clockwise."""
        return float(lib.rw_antenna_gain_dbi(self._handle, theta_deg, phi_deg))

    def draw(self, path: str | os.PathLike[str]) -> None:
        """A PNG of the gain over the angle in the horizontal and the vertical plane."""
        self._context.check(lib.rw_antenna_draw(self._context._handle, self._handle, encode(path)))


class Params(Owned):
    """The numbers of a model that measurements can teach: params["reflection_db"] = 6."""

    def __init__(self, model: str, freq_hz: float, context: Context | None = None) -> None:
        context = context or Context()
        handle = C.c_void_p()
        context.check(lib.rw_params_create(context._handle, encode(model), freq_hz, C.byref(handle)))
        self._own(context, handle, "rw_params_destroy")

    @classmethod
    def load(cls, path: str | os.PathLike[str], context: Context | None = None) -> Params:
        """From a JSON file."""
        context = context or Context()
        params, handle = cls.__new__(cls), C.c_void_p()
        context.check(lib.rw_params_load(context._handle, encode(path), C.byref(handle)))
        params._own(context, handle, "rw_params_destroy")
        return params

    @classmethod
    def _borrowed(cls, context: Context, handle: Any, owner: Any) -> Params:
        """Those that live in another object."""
        params = cls.__new__(cls)
        params._borrow(context, C.c_void_p(handle), owner)
        return params

    def save(self, path: str | os.PathLike[str]) -> None:
        self._context.check(lib.rw_params_save(self._handle, encode(path)))

    @property
    def model(self) -> str:
        return decode(lib.rw_params_model(self._handle))

    @property
    def freq_hz(self) -> float:
        return float(lib.rw_params_freq_hz(self._handle))

    @property
    def parameters(self) -> Sequence[Parameter]:
        found = []
        for index in range(lib.rw_params_count(self._handle)):
            made = new(_abi.rw_parameter)
            self._context.check(lib.rw_params_get(self._handle, index, C.byref(made)))
            found.append(Parameter.of(made))
        return found

    @property
    def record(self) -> ParamsRecord:
        """How the values came about."""
        made = new(_abi.rw_params_record)
        self._context.check(lib.rw_params_get_record(self._handle, C.byref(made)))
        return ParamsRecord.of(made)

    def deviation_db(self, other: Params) -> float:
        """Root of the mean squared difference of the losses of two vectors."""
        value = C.c_double()
        self._context.check(lib.rw_params_deviation_db(self._handle, other._handle, C.byref(value)))
        return value.value

    def __getitem__(self, name: str) -> float:
        for item in self.parameters:
            if item.name == name:
                return item.value
        raise KeyError(name)

    def __setitem__(self, name: str, value: float) -> None:
        self._context.check(lib.rw_params_set(self._handle, encode(name), value))

    def __repr__(self) -> str:
        return f"<Params of {self.model}: " + ", ".join(f"{p.name}={p.value:g}" for p in self.parameters) + ">"

"""Derivatives of received levels and path gains without noise.

    kept = rasterwave.gradients.keep(scene, transmitters, points, model="images", freq="3.5GHz")
    kept.levels()                                  # dBm [transmitter, point]
    gradient = kept.vjp(2 * (kept.levels() - measured))
    kept.named(gradient)                           # {("permittivity", "itu_brick", 0): ..., ...}

Paths are traced once and kept; levels under other materials, powers and antenna orientations are then exact sums of
products, and so are their derivatives, forward (jvp) and backward (vjp). The sequence of interactions of each path is held
fixed. Without points the receivers are those of the model's map. torch_levels, torch_paths, jax_levels and jax_paths put
them into programs of PyTorch and JAX.
"""

from __future__ import annotations

import ctypes as C
from typing import Any, Callable, Iterable

import numpy as np

from . import _abi
from ._autodiff import jax_operation, torch_operation
from ._context import Owned
from ._library import BadCallError, lib, new, options
from ._map import Map
from ._models import Prediction
from ._paths import as_points
from ._predict import predict
from ._records import GainParameter, GainsInfo
from ._scene import Scene
from ._sites import Transmitter

__all__ = ["Gains", "jax_levels", "jax_paths", "keep", "torch_levels", "torch_paths"]

Array = np.ndarray[Any, np.dtype[Any]]
_MOVES = {"x": "x_m", "y": "y_m", "height": "height_m"}


def _memory(array: Array) -> Any:
    return array.ctypes.data_as(C.POINTER(C.c_double))


class Gains(Owned):
    """Kept paths of all transmitters to points (see keep).

    parameters has what levels depend on: quantity ("permittivity", "conductivity", "roughness", "thickness", "power",
    "azimuth", "downtilt", "roll", "x", "y", "height"), its unit, the material, slab or transmitter that it is of, the
    layer of the slab or the number of the transmitter, and its value. values are all of them as one array; the calls take
    other values in the same order. map is the model's map where the points are its receivers; None where points were given.
    """

    parameters: list[GainParameter]
    values: Array
    info: GainsInfo
    map: Map | None = None

    def _read(self, scene: Scene, transmitters: list[Transmitter], points: Any, positions: bool, model: str, given: Any) -> None:
        made = new(_abi.rw_gains_info)
        self._context.check(lib.rw_gains_get_info(self._handle, C.byref(made)))
        self.info = GainsInfo.of(made)
        self.parameters = [self._parameter(index) for index in range(self.info.parameters)]
        self.values = np.array([parameter.value for parameter in self.parameters])
        self._call = scene, transmitters, points, positions, model, given

    def _parameter(self, index: int) -> GainParameter:
        made = new(_abi.rw_gain_parameter)
        self._context.check(lib.rw_gains_get_parameter(self._handle, index, C.byref(made)))
        return GainParameter.of(made)

    def select(self, quantity: str, name: str | None = None, index: int | None = None) -> Array:
        """Numbers of the parameters of a quantity, of one name and index or of all."""
        chosen = [
            number
            for number, parameter in enumerate(self.parameters)
            if parameter.word == quantity and name in (None, parameter.name) and index in (None, parameter.index)
        ]
        if not chosen:
            known = sorted({(parameter.word, parameter.name) for parameter in self.parameters})
            raise BadCallError(f"there is no {quantity} of {name}; there are {known}")
        return np.array(chosen)

    def named(self, array: Any) -> dict[tuple[str, str, int], float]:
        """An array over the parameters by (quantity, name, index)."""
        pairs = zip(self.parameters, np.asarray(array, dtype=float))
        return {(parameter.word, parameter.name, parameter.index): float(value) for parameter, value in pairs}

    def path_ends(self) -> tuple[Array, Array]:
        """Transmitter and point of each path, in the order of paths()."""
        ends = np.zeros((2, self.info.paths), dtype=np.intp)
        transmitter, point = C.c_size_t(), C.c_size_t()
        for index in range(self.info.paths):
            self._context.check(lib.rw_gains_get_path(self._handle, index, C.byref(transmitter), C.byref(point)))
            ends[:, index] = transmitter.value, point.value
        return ends[0], ends[1]

    def _over_parameters(self, array: Any, what: str) -> Array:
        made = np.ascontiguousarray(array, dtype=float)
        if made.shape != (len(self.parameters),):
            raise BadCallError(f"{what}: an array of shape ({len(self.parameters)},) is needed, not {made.shape}")
        return made

    def _shape(self, output: str) -> tuple[int, ...]:
        if output not in ("levels", "paths"):
            raise BadCallError(f"output {output!r}: use levels or paths")
        return (self.info.transmitters, self.info.points) if output == "levels" else (self.info.paths, 2)

    def _chosen(self, values: Any) -> tuple[Array, Any]:
        held = self.values if values is None else self._over_parameters(values, "values")
        return held, _memory(held)

    def _evaluate(self, output: str, values: Any) -> Array:
        out = np.empty(self._shape(output))
        held, memory = self._chosen(values)
        self._context.check(lib.rw_gains_evaluate(self._handle, int(output == "paths"), memory, _memory(out)))
        return out

    def levels(self, values: Any = None) -> Array:
        """Received power in dBm [transmitter, point]; -inf where there is no path."""
        return self._evaluate("levels", values)

    def paths(self, values: Any = None) -> Array:
        """sqrt(received over transmitted power) of each path with its phase: complex [path]."""
        parts = self._evaluate("paths", values)
        return np.asarray(parts[:, 0] + 1j * parts[:, 1])

    def jvp(self, tangent: Any, values: Any = None, output: str = "levels") -> tuple[Array, Array]:
        """Levels (or paths) and their change along a tangent of the parameters."""
        out, change = np.empty(self._shape(output)), np.empty(self._shape(output))
        along, (held, memory) = self._over_parameters(tangent, "tangent"), self._chosen(values)
        call = lib.rw_gains_jvp
        number = int(output == "paths")
        self._context.check(call(self._handle, number, memory, _memory(along), _memory(out), _memory(change)))
        if output == "levels":
            return out, change
        return out[:, 0] + 1j * out[:, 1], change[:, 0] + 1j * change[:, 1]

    def vjp(self, cotangent: Any, values: Any = None, output: str = "levels") -> Array:
        """Gradient over the parameters of a scalar whose derivatives over the levels [transmitter, point] are given; over
        path gains: its derivative over the real part plus j times that over the imaginary part [path]."""
        shape = self._shape(output)
        if output == "paths":
            given = np.asarray(cotangent)
            cotangent = np.stack([given.real, given.imag], axis=-1)
        weights = np.ascontiguousarray(cotangent, dtype=float)
        if weights.shape != shape:
            raise BadCallError(f"cotangent: an array of shape {shape[: 1 if output == 'paths' else 2]} is needed")
        gradient = np.empty(len(self.parameters))
        held, memory = self._chosen(values)
        call = lib.rw_gains_vjp
        self._context.check(call(self._handle, int(output == "paths"), memory, _memory(weights), _memory(gradient)))
        return gradient

    def _receivers(self) -> Array:
        if self.map is None:
            raise BadCallError("points were given: there is no map; leave points out to keep the paths of a map")
        return _map_receivers(self.map)

    def on_map(self, array: Any) -> Array:
        """What has a value for each point [..., point] as a map [..., row, column]; NaN where there is no receiver."""
        chosen, given = self._receivers(), np.asarray(array)
        if given.shape[-1:] != (self.info.points,):
            raise BadCallError(f"an array of shape (..., {self.info.points}) is needed, not {given.shape}")
        made = np.full(given.shape[:-1] + chosen.shape, np.nan)
        made[..., chosen] = given
        return made

    def from_map(self, array: Any) -> Array:
        """The other way: a map [..., row, column], such as a cotangent of one, at the points."""
        chosen, given = self._receivers(), np.asarray(array)
        if given.shape[-2:] != chosen.shape:
            raise BadCallError(f"an array of shape (..., {chosen.shape[0]}, {chosen.shape[1]}) is needed, not {given.shape}")
        return np.asarray(given[..., chosen])

    def at(self, values: Any) -> Gains:
        """The same paths where no transmitter is elsewhere in values; else those from where they are there, kept anew."""
        wanted = self._over_parameters(values, "values")
        scene, transmitters, points, positions, model, given = self._call
        moved = list(transmitters)
        for parameter, value in zip(self.parameters, wanted):
            if parameter.word in _MOVES and value != parameter.value:
                moved[parameter.index] = moved[parameter.index].moved(**{_MOVES[parameter.word]: float(value)})
        if moved == list(transmitters):
            return self
        return keep(scene, moved, points, model, positions=positions, **given)

    def __repr__(self) -> str:
        info = self.info
        return f"<Gains: {info.paths} paths, {info.transmitters} transmitters, {info.points} points, {info.parameters} parameters>"


def _map_receivers(map: Map) -> Array:
    """Which cells have a receiver [row, column]: the others have no value from any transmitter."""
    return np.asarray(~np.isnan(map["power"]).all(axis=0))


def keep(
    scene: Scene,
    transmitters: Transmitter | Iterable[Transmitter],
    points: Any = None,
    model: str = "images",
    *,
    positions: bool = True,
    **given: Any,
) -> Gains:
    """Traces the paths from transmitters to points (n, 2) or (n, 3) by the model beams, images, shadow or tiles and keeps
    them. Without points: to the receivers of the map that predict makes with the same options (see on_map). positions:
    derivatives over the places of transmitters too, for four times the memory. Options are those of predict."""
    senders = [transmitters] if isinstance(transmitters, Transmitter) else list(transmitters)
    map = None
    if points is None:
        map = predict(scene, senders, model, layers=["power"], **given)
        rows, columns = np.nonzero(_map_receivers(map))
        points = np.stack([map.x_m[columns], map.y_m[rows]], axis=1)
    asked, array = Prediction(scene.context, senders, model, given), as_points(points)
    chosen = options(_abi.rw_gains_options, "rw_gains_options_init_sized")
    chosen.positions = int(positions)
    handle, made = C.c_void_p(), Gains.__new__(Gains)
    call = lib.rw_gains_create
    scene.context.check(
        call(scene._handle, C.byref(asked.struct), array, len(array), C.byref(chosen), C.byref(handle))
    )
    made._own(scene.context, handle, "rw_gains_destroy", scene)
    made._read(scene, senders, points, positions, model, given)
    made.map = map
    return made


def torch_levels(kept: Gains, values: Any) -> Any:
    """Levels in dBm [transmitter, point] of a PyTorch tensor of values of the parameters, with first derivatives backwards
    and forwards, and for torch.func. A second derivative is an error.

    Where a transmitter moves, its paths are kept anew: the gradient is that of the new place."""
    return torch_operation(kept, "levels")(values)


def torch_paths(kept: Gains, values: Any) -> Any:
    """The same of the complex gains of all paths [path]. Where a transmitter moves there may be other paths."""
    return torch_operation(kept, "paths")(values)


def jax_levels(kept: Gains) -> Callable[[Any], Any]:
    """Levels in dBm [transmitter, point] as a function of JAX over values of the parameters, with grad, jvp,
    jacfwd, jacrev, vmap and jit. A second derivative is an error.

    Where a transmitter moves, its paths are kept anew: the gradient is that of the new place."""
    return jax_operation(kept, "levels")


def jax_paths(kept: Gains) -> Callable[[Any], Any]:
    """The same of the complex gains of all paths [path]; transmitters stay where they were as the paths were kept."""
    return jax_operation(kept, "paths")

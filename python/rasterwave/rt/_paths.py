"""PathSolver and Paths: paths with the shapes of Sionna RT."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from .._library import BadCallError
from ._antennas import AntennaArray
from ._devices import RadioDevice
from ._scatter import patch_count, scattered_paths
from ._scene import Scene
from ._trace import Found, InteractionType, Ways, hits, trace, view_pixels
from ._utils import Array, Tensor, convert, convert_real, tensor, theta_phi_from_unit_vec

__all__ = ["InteractionType", "PathSolver", "Paths"]


class PathSolver:
    """Finds all paths between transmitters and receivers. Surfaces are found in views of 4096 pixels a side, where one pixel
    is enough; fewer samples_per_src than their default take coarser views, which are faster and may miss narrow ones.
    Paths over the surfaces are exact. The seed is taken and not needed."""

    loop_mode = "symbolic"

    def __init__(self, deterministic: bool = True) -> None:
        del deterministic  # paths are always the same

    def __call__(
        self,
        scene: Scene,
        max_depth: int = 3,
        max_num_paths_per_src: int = 1000000,
        samples_per_src: int = 1000000,
        synthetic_array: bool = True,
        los: bool = True,
        specular_reflection: bool = True,
        diffuse_reflection: bool = False,
        refraction: bool = True,
        diffraction: bool = False,
        edge_diffraction: bool = False,
        diffraction_lit_region: bool = True,
        seed: int = 42,
    ) -> Paths:
        del seed
        tx_array, rx_array = scene._need(receivers=True)
        pixels = view_pixels(samples_per_src)
        ways = Ways(max_depth, los, specular_reflection, diffuse_reflection, refraction, diffraction, pixels)
        ways.edge_diffraction, ways.diffraction_lit_region = bool(edge_diffraction), bool(diffraction_lit_region)
        ends, both = [], _both(scene)
        for array, devices in zip((tx_array, rx_array), both):
            places = [np.asarray(device.position) for device in devices]
            if not synthetic_array:
                places = [
                    np.asarray(device.position + place)
                    for device in devices
                    for place in array.rotate(scene.wavelength, device.orientation)
                ]
            ends.append(np.array(places).reshape(-1, 3))
        found = trace(scene, ends[0], ends[1], ways)
        if ways.scatters(scene):
            found = Found.joined([found, scattered_paths(scene, ends[0], ends[1], ways, patch_count(samples_per_src))])
        return Paths(scene, _strongest(found, max_num_paths_per_src), ends[0], ends[1], int(max_depth), synthetic_array)


def _both(scene: Scene) -> tuple[list[RadioDevice], list[RadioDevice]]:
    return list(scene.transmitters.values()), list(scene.receivers.values())


def _strongest(found: Found, most: int) -> Found:
    """At most so many paths of each source."""
    if not len(found) or np.bincount(found.source).max() <= most:
        return found
    strength = np.sum(np.abs(found.transfer) ** 2, axis=(1, 2))
    order = np.lexsort((-strength, found.source))
    begin = np.concatenate([[0], np.cumsum(np.bincount(found.source))])
    rank = np.arange(len(order)) - begin[found.source[order]]
    return found.taken(np.sort(order[rank < most]))


class Paths:
    """Paths with the shapes of Sionna RT; beyond the last path of a pair a is 0, tau is -1 and valid is False.

    With synthetic arrays tau, angles and Doppler shifts have the shape [num_rx, num_tx, num_paths]; else, and a always,
    [num_rx, num_rx_ant, num_tx, num_tx_ant, num_paths].
    """

    def __init__(self, scene: Scene, found: Found, sources: Array, targets: Array, max_depth: int, synthetic_array: bool) -> None:
        assert scene.tx_array is not None and scene.rx_array is not None
        self.synthetic_array, self.num_rx, self.num_tx = synthetic_array, len(scene.receivers), len(scene.transmitters)
        self.tx_array, self.rx_array = scene.tx_array, scene.rx_array
        self.sources, self.targets = tensor(sources), tensor(targets)
        self._frequency, self._scene, self._found, self._max_depth = scene.frequency, scene, found, max_depth
        self._hits: tuple[Array, Array] | None = None
        self._place()
        self._spread(scene)

    def _place(self) -> None:
        """Where each path goes in arrays [target, source, path]."""
        found = self._found
        pair = found.target * len(self.sources) + found.source
        order = np.argsort(pair, kind="stable")
        counts = np.bincount(pair, minlength=len(self.targets) * len(self.sources))
        number = np.empty(len(found), np.intp)
        begin = np.concatenate([[0], np.cumsum(counts)])
        number[order] = np.arange(len(found)) - begin[pair[order]]
        self._at = found.target, found.source, number
        self._shape = len(self.targets), len(self.sources), int(counts.max()) if len(found) else 0

    def _filled(self, values: Array, empty: Any, kind: Any = None) -> Array:
        """Values of paths [path, ...] as [target, source, path, ...]."""
        made = np.full((*self._shape, *values.shape[1:]), empty, kind or values.dtype)
        made[self._at] = values
        return made

    def _out(self, values: Array, axis: int = 0) -> Tensor:
        """[..., target, source, path, ...] from axis on with the dimensions of antennas where each was traced."""
        if self.synthetic_array:
            return tensor(values)
        before, (_, _, paths), behind = values.shape[:axis], self._shape, values.shape[axis + 3 :]
        rx, tx = self.rx_array, self.tx_array
        values = values.reshape(*before, self.num_rx, 1, rx.array_size, self.num_tx, 1, tx.array_size, paths, *behind)
        repeat = list(values.shape)
        repeat[axis + 1], repeat[axis + 4] = rx.num_ant // rx.array_size, tx.num_ant // tx.array_size
        values = np.broadcast_to(values, repeat)
        return tensor(values.reshape(*before, self.num_rx, rx.num_ant, self.num_tx, tx.num_ant, paths, *behind))

    def _fields(self, array: AntennaArray, devices: Any, end: Array, directions: Array) -> Array:
        """Of each path, what each polarisation of its end's antenna sends or takes along theta and phi."""
        fields = np.empty((len(end), len(array.antenna_pattern.patterns), 2), complex)
        device_of = end if self.synthetic_array else end // array.array_size
        for number, device in enumerate(devices.values()):
            own = device_of == number
            fields[own] = array.fields(directions[own], device.orientation)
        return fields

    def _spread(self, scene: Scene) -> None:
        """Angles, Doppler shifts, and coefficients of all antennas."""
        found = self._found
        self.tau, self.valid = self._out(self._filled(found.tau, -1.0)), self._out(self._filled(np.ones(len(found), bool), False))
        (theta_t, phi_t), (theta_r, phi_r) = (theta_phi_from_unit_vec(way) for way in (found.departs, found.arrives))
        self.theta_t, self.phi_t = self._out(self._filled(theta_t, 0.0)), self._out(self._filled(phi_t, 0.0))
        self.theta_r, self.phi_r = self._out(self._filled(theta_r, 0.0)), self._out(self._filled(phi_r, 0.0))
        sent = self._fields(self.tx_array, scene.transmitters, found.source, found.departs)
        taken = self._fields(self.rx_array, scene.receivers, found.target, found.arrives)
        gains = np.einsum("pri,pij,ptj->prt", taken, found.transfer, sent)
        self._a = self._synthetic(scene, gains) if self.synthetic_array else self._traced(gains)
        self.doppler = self._out(self._filled(self._shift(scene), 0.0))

    def _synthetic(self, scene: Scene, gains: Array) -> Array:
        """Plane waves over each array."""
        found, phases = self._found, []
        senders, receivers = _both(scene)
        for array, devices, end, ways in (
            (self.rx_array, receivers, found.target, found.arrives),
            (self.tx_array, senders, found.source, found.departs),
        ):
            places = np.stack([np.asarray(array.rotate(1.0, device.orientation)) for device in devices])
            phases.append(np.exp(2j * np.pi * np.einsum("pk,pak->pa", ways, places[end])))
        each = np.einsum("prt,pa,pb->pratb", gains, *phases)
        each = each.reshape(len(found), self.rx_array.num_ant, self.tx_array.num_ant)
        filled = self._filled(each, 0.0)
        return np.moveaxis(filled, (0, 1, 2, 3, 4), (0, 2, 4, 1, 3))

    def _traced(self, gains: Array) -> Array:
        """Each antenna has its own paths."""
        rx, tx = self.rx_array, self.tx_array
        filled = self._filled(gains, 0.0)  # [target, source, path, rx pattern, tx pattern]
        filled = filled.reshape(self.num_rx, rx.array_size, self.num_tx, tx.array_size, *filled.shape[2:])
        ordered = np.moveaxis(filled, (0, 5, 1, 2, 6, 3, 4), (0, 1, 2, 3, 4, 5, 6))
        return ordered.reshape(self.num_rx, rx.num_ant, self.num_tx, tx.num_ant, -1)

    def _shift(self, scene: Scene) -> Array:
        """Doppler shifts by the speeds of devices, and of the objects that the paths meet."""
        found, sizes = self._found, (1, 1) if self.synthetic_array else (self.tx_array.array_size, self.rx_array.array_size)
        speeds = []
        for devices, end, size in zip(_both(scene), (found.source, found.target), sizes):
            speeds.append(np.stack([np.asarray(device.velocity) for device in devices])[end // size])
        towards = np.einsum("pk,pk->p", found.departs, speeds[0]) + np.einsum("pk,pk->p", found.arrives, speeds[1])
        moving = {item.object_id: np.asarray(item.velocity) for item in (scene._objects or {}).values() if np.any(item.velocity)}
        if moving:
            towards = towards + self._met(moving)
        return towards / scene.wavelength

    def _met(self, moving: dict[int, Array]) -> Array:
        """Speed along paths by objects: v (k behind - k before), summed over the vertices of each."""
        found, ids = self._found, self._meet()[0]
        speed = np.array([moving.get(int(each), np.zeros(3)) for each in ids]).reshape(-1, 3)
        total = np.zeros(len(found))
        for path in np.nonzero(found.depth)[0]:
            inner = slice(found.first[path], found.first[path + 1])
            ends = self.sources[found.source[path]], self.targets[found.target[path]]
            way = np.diff(np.concatenate([ends[:1], found.vertices[inner], ends[1:]]), axis=0)
            way = way / np.linalg.norm(way, axis=1)[:, None]
            total[path] = np.sum(speed[inner] * np.diff(way, axis=0))
        return total

    def _meet(self) -> tuple[Array, Array]:
        if self._hits is None:
            self._hits = hits(self._scene, self._found.vertices)
        return self._hits

    def _steps(self, values: Array, empty: Any) -> Tensor:
        """Values of vertices as [max_depth, ..., path, ...]."""
        found = self._found
        made = np.full((self._max_depth, *self._shape, *values.shape[1:]), empty, values.dtype)
        path = np.repeat(np.arange(len(found)), found.depth)
        step = np.arange(len(path)) - found.first[path]
        made[(step, *(part[path] for part in self._at))] = values
        return self._out(made, 1)

    def concat(self, others: Paths | list[Paths]) -> Paths:
        """New paths: these, then others between the same devices, one after the other along the dimension of paths."""
        parts = [self, *([others] if isinstance(others, Paths) else others)]
        for other in parts[1:]:
            same = other.synthetic_array == self.synthetic_array and other._a.shape[:4] == self._a.shape[:4]
            if not same or not np.array_equal(other.sources, self.sources) or not np.array_equal(other.targets, self.targets):
                raise BadCallError("concat: paths of the same devices, arrays and synthetic_array are needed")
        made = copy.copy(self)
        made._found, made._hits = Found.joined([part._found for part in parts]), None
        begin = np.concatenate([[0], np.cumsum([part._shape[2] for part in parts])])
        target, source = (np.concatenate([part._at[axis] for part in parts]) for axis in (0, 1))
        made._at = target, source, np.concatenate([part._at[2] + first for part, first in zip(parts, begin)])
        made._shape, made._max_depth = (*self._shape[:2], int(begin[-1])), max(part._max_depth for part in parts)
        for name in ("tau", "valid", "theta_t", "phi_t", "theta_r", "phi_r", "doppler"):
            setattr(made, name, tensor(np.concatenate([getattr(part, name) for part in parts], axis=-1)))
        made._a = np.concatenate([part._a for part in parts], axis=-1)
        return made

    @property
    def a(self) -> tuple[Tensor, Tensor]:
        """(real, imaginary) [num_rx, num_rx_ant, num_tx, num_tx_ant, num_paths]."""
        return tensor(self._a.real), tensor(self._a.imag)

    @property
    def a_db(self) -> Tensor:
        """Power gains of the paths in decibels."""
        with np.errstate(divide="ignore"):
            return tensor(20 * np.log10(np.abs(self._a)))

    @property
    def interactions(self) -> Tensor:
        """Numbers of InteractionType [max_depth, num_rx, num_tx, num_paths]."""
        return self._steps(self._found.kinds, InteractionType.NONE)

    @property
    def vertices(self) -> Tensor:
        """Places [max_depth, num_rx, num_tx, num_paths, 3]."""
        return self._steps(self._found.vertices, 0.0)

    @property
    def objects(self) -> Tensor:
        """object_id of what is met [max_depth, num_rx, num_tx, num_paths]; 0xFFFFFFFF beyond the last."""
        return self._steps(self._meet()[0], 0xFFFFFFFF)

    @property
    def primitives(self) -> Tensor:
        """Numbers of the triangles of those objects."""
        return self._steps(self._meet()[1], 0xFFFFFFFF)

    def _times(self, values: Array) -> Array:
        """Values of [rx, tx, path] for all antennas."""
        return values[:, None, :, None] if self.synthetic_array else values

    def cir(
        self,
        *,
        sampling_frequency: float = 1.0,
        num_time_steps: int = 1,
        normalize_delays: bool = True,
        reverse_direction: bool = False,
        out_type: str = "drjit",
    ) -> Any:
        """Coefficients [num_rx, num_rx_ant, num_tx, num_tx_ant, num_paths, num_time_steps] and delays as tau."""
        a, tau = self._responses(sampling_frequency, num_time_steps, normalize_delays, reverse_direction)
        return convert(a, out_type), convert_real(tau, out_type)

    def _responses(self, rate: float, steps: int, normalize_delays: bool, reverse: bool) -> tuple[Array, Array]:
        tau, valid = np.asarray(self.tau), np.asarray(self.valid)
        if normalize_delays and tau.size:
            axes = (-1,) if self.synthetic_array else (1, 3, 4)
            first = np.where(valid, tau, np.inf).min(axis=axes, keepdims=True)
            tau = np.where(valid, tau - np.where(np.isfinite(first), first, 0), -1.0)
        carrier = np.exp(-2j * np.pi * self._frequency * np.where(valid, tau, 0))
        turn = np.exp(2j * np.pi * np.asarray(self.doppler)[..., None] * np.arange(steps) / rate)
        a = (self._a * self._times(carrier))[..., None] * self._times(turn)
        if reverse:
            a = np.moveaxis(a, (2, 3, 0, 1), (0, 1, 2, 3))
            tau = np.swapaxes(tau, 0, 1) if self.synthetic_array else np.moveaxis(tau, (2, 3, 0, 1), (0, 1, 2, 3))
        return a, tau

    def cfr(
        self,
        frequencies: Any,
        sampling_frequency: float = 1.0,
        num_time_steps: int = 1,
        normalize_delays: bool = True,
        normalize: bool = False,
        reverse_direction: bool = False,
        out_type: str = "drjit",
    ) -> Any:
        """Frequency response [num_rx, num_rx_ant, num_tx, num_tx_ant, num_time_steps, num_frequencies]."""
        a, tau = self._responses(sampling_frequency, num_time_steps, normalize_delays, reverse_direction)
        wave = np.exp(-2j * np.pi * np.where(tau < 0, 0, tau)[..., None] * np.asarray(frequencies, dtype=float).reshape(-1))
        response = _summed(a, wave, self.synthetic_array)
        if normalize:
            response = response / _root(np.mean(np.abs(response) ** 2, axis=(1, 3, 4, 5), keepdims=True))
        return convert(response, out_type)

    def taps(
        self,
        bandwidth: float,
        l_min: int,
        l_max: int,
        sampling_frequency: float | None = None,
        num_time_steps: int = 1,
        normalize: bool = False,
        normalize_delays: bool = True,
        reverse_direction: bool = False,
        out_type: str = "drjit",
    ) -> Any:
        """Channel taps [num_rx, num_rx_ant, num_tx, num_tx_ant, num_time_steps, l_max - l_min + 1]."""
        a, tau = self._responses(sampling_frequency or bandwidth, num_time_steps, normalize_delays, reverse_direction)
        pulse = np.sinc(np.arange(l_min, l_max + 1) - bandwidth * np.where(tau < 0, 0, tau)[..., None])
        found = _summed(a, pulse, self.synthetic_array)
        if normalize:
            energy = np.sum(np.abs(found) ** 2, axis=-1, keepdims=True)
            found = found / _root(np.mean(energy, axis=(1, 3, 4), keepdims=True))
        return convert(found, out_type)


def _summed(a: Array, wave: Array, synthetic: bool) -> Array:
    """Over paths: coefficients [rx, rx_ant, tx, tx_ant, path, time] times waves [rx, (rx_ant), tx, (tx_ant), path, value]."""
    return np.einsum("ritjpn,rtpf->ritjnf" if synthetic else "ritjpn,ritjpf->ritjnf", a, wave)


def _root(energy: Array) -> Array:
    return np.sqrt(np.where(energy > 0, energy, 1))

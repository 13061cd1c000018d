"""For people who come from Sionna RT: the same names, arguments and shapes over this engine.

    from rasterwave.rt import load_scene, PlanarArray, Transmitter, Receiver, PathSolver, RadioMapSolver

Paths are exact: nothing is sampled, and seeds and numbers of samples change nothing. Arrays are numpy's, with numpy()
for code that asks for it. What is not there is refused by name: `NotImplementedError`. Positions are x, y, z in metres;
z is the height above the scene's ground, which is its altitude in scenes of meshes.
"""

from __future__ import annotations

import importlib.util
import os
import pathlib
from typing import Any, Sequence

import numpy as np

from . import _paths, _predict
from ._context import Context
from ._library import BadCallError, NotFoundError
from ._scene import Scene as _EngineScene
from ._sites import Transmitter as _EngineTransmitter

SPEED_OF_LIGHT = 299792458.0
BOLTZMANN = 1.380649e-23
PATTERNS = {"iso": "isotropic", "hw_dipole": "dipole", "tr38901": "3gpp"}


class InteractionType:
    """Numbers of `Paths.interactions`."""

    NONE = 0
    SPECULAR = 1
    DIFFUSE = 2
    REFRACTION = 4
    DIFFRACTION = 8


_KINDS = {
    "reflection": InteractionType.SPECULAR,
    "scattering": InteractionType.DIFFUSE,
    "wall": InteractionType.REFRACTION,
    "street": InteractionType.DIFFRACTION,
    "roof": InteractionType.DIFFRACTION,
}


class Tensor(np.ndarray[Any, Any]):
    """An array that also has numpy(), as Dr.Jit's tensors."""

    def numpy(self) -> np.ndarray[Any, Any]:
        return np.asarray(self)


def _tensor(values: Any) -> Tensor:
    return np.asarray(values).view(Tensor)


def _refuse(what: str) -> None:
    raise NotImplementedError(f"rasterwave.rt has no {what}")


class _Scenes:
    """Built-in scenes by name: files of an installed Sionna RT, or of the folder that RASTERWAVE_SCENES names."""

    def __getattr__(self, name: str) -> str:
        folders = [os.environ["RASTERWAVE_SCENES"]] if "RASTERWAVE_SCENES" in os.environ else []
        found = importlib.util.find_spec("sionna")
        folders += [os.path.join(place, "rt", "scenes") for place in (found.submodule_search_locations or [])] if found else []
        for folder in folders:
            path = pathlib.Path(folder) / name / f"{name}.xml"
            if path.exists():
                return str(path)
        raise NotFoundError(
            f"there is no scene {name!r}: name the folder that holds {name}/{name}.xml in RASTERWAVE_SCENES, "
            "or call load_scene with a path"
        )


scene = _Scenes()


class PlanarArray:
    """Antennas in rows and columns, spacings in wavelengths. pattern: iso, hw_dipole or tr38901; polarization: V."""

    def __init__(
        self,
        *,
        num_rows: int,
        num_cols: int,
        vertical_spacing: float = 0.5,
        horizontal_spacing: float = 0.5,
        pattern: str = "iso",
        polarization: str = "V",
        polarization_model: str = "tr38901_2",
    ) -> None:
        if num_rows < 1 or num_cols < 1:
            raise BadCallError(f"an array of {num_rows} x {num_cols} antennas: at least one row and one column")
        if pattern not in PATTERNS:
            _refuse(f"antenna pattern {pattern!r}; it has {', '.join(PATTERNS)}")
        if polarization != "V":
            _refuse(f"polarization {polarization!r}; it has 'V'")
        if polarization_model != "tr38901_2":
            _refuse(f"polarization model {polarization_model!r}; it has 'tr38901_2'")
        self.pattern = pattern
        columns, rows = np.meshgrid(np.arange(num_cols), np.arange(num_rows), indexing="ij")
        # Column after column, each from its top, centred on the device.
        self.normalized_positions = np.stack(
            [
                np.zeros(num_rows * num_cols),
                (columns.ravel() - (num_cols - 1) / 2) * horizontal_spacing,
                ((num_rows - 1) / 2 - rows.ravel()) * vertical_spacing,
            ],
            axis=1,
        )

    @property
    def num_ant(self) -> int:
        return len(self.normalized_positions)

    array_size = num_ant


def _rotation(orientation: Any) -> np.ndarray[Any, Any]:
    """Yaw about z, pitch about y, roll about x (3GPP TR 38.901, 7.1)."""
    a, b, c = orientation
    about_z = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    about_y = np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
    about_x = np.array([[1, 0, 0], [0, np.cos(c), -np.sin(c)], [0, np.sin(c), np.cos(c)]])
    turned: np.ndarray[Any, Any] = about_z @ about_y @ about_x
    return turned


class RadioDevice:
    """A transmitter or receiver: position in m, orientation (yaw, pitch, roll) in rad, velocity in m/s."""

    def __init__(
        self,
        name: str,
        position: Sequence[float],
        orientation: Sequence[float] | None = None,
        look_at: Any = None,
        velocity: Sequence[float] | None = None,
        **ignored: Any,
    ) -> None:
        for key in ignored:
            if key not in ("color", "display_radius"):
                raise TypeError(f"a device has no {key!r}")
        self.name = name
        self.position = np.asarray(position, dtype=float).reshape(3)
        self.orientation = np.asarray((0.0, 0.0, 0.0) if orientation is None else orientation, dtype=float).reshape(3)
        self.velocity = np.asarray((0.0, 0.0, 0.0) if velocity is None else velocity, dtype=float).reshape(3)
        if look_at is not None:
            self.look_at(look_at)

    def look_at(self, target: Any) -> None:
        """Turns the boresight towards a point or a device."""
        place = target.position if isinstance(target, RadioDevice) else np.asarray(target, dtype=float).reshape(3)
        to = place - self.position
        distance = np.linalg.norm(to)
        if distance == 0:
            raise BadCallError(f"{self.name} cannot look at its own place")
        self.orientation = np.array([np.arctan2(to[1], to[0]), -np.arcsin(to[2] / distance), 0.0])

    def _angles_deg(self) -> tuple[float, float, float]:
        """Azimuth clockwise from north, downtilt, roll."""
        yaw, pitch, roll = np.degrees(self.orientation)
        return float((90 - yaw) % 360), float(pitch), float(roll)


class Transmitter(RadioDevice):
    def __init__(self, name: str, position: Sequence[float], *arguments: Any, power_dbm: float = 44.0, **keywords: Any) -> None:
        super().__init__(name, position, *arguments, **keywords)
        self.power_dbm = power_dbm

    @property
    def power(self) -> float:
        """In watts."""
        return float(10 ** (self.power_dbm / 10 - 3))


class Receiver(RadioDevice):
    pass


class Scene:
    """A scene with its devices: frequency in Hz (3.5 GHz), bandwidth in Hz (1 MHz), temperature in K (293)."""

    def __init__(self, engine: _EngineScene) -> None:
        self.engine = engine
        self.frequency, self.bandwidth, self.temperature = 3.5e9, 1e6, 293.0
        self.tx_array: PlanarArray | None = None
        self.rx_array: PlanarArray | None = None
        self.transmitters: dict[str, Transmitter] = {}
        self.receivers: dict[str, Receiver] = {}

    def add(self, items: Any) -> None:
        for item in items if isinstance(items, (list, tuple)) else [items]:
            if isinstance(item, Transmitter):
                self._add(self.transmitters, item)
            elif isinstance(item, Receiver):
                self._add(self.receivers, item)
            else:
                _refuse(f"way to add {type(item).__name__} to a scene")

    def _add(self, devices: dict[str, Any], item: RadioDevice) -> None:
        other = self.get(item.name)
        if other is not None and other is not item:
            raise BadCallError(f"the scene has a device {item.name!r} already")
        devices[item.name] = item

    def get(self, name: str) -> Any:
        return self.transmitters.get(name) or self.receivers.get(name)

    def remove(self, name: str) -> None:
        self.transmitters.pop(name, None)
        self.receivers.pop(name, None)

    @property
    def wavelength(self) -> float:
        return SPEED_OF_LIGHT / self.frequency

    @property
    def thermal_noise_power(self) -> float:
        """In watts."""
        return BOLTZMANN * self.temperature * self.bandwidth

    def _sources(self) -> list[_EngineTransmitter]:
        if not self.transmitters:
            raise BadCallError("the scene has no transmitter: scene.add(Transmitter(...))")
        if self.tx_array is None or self.rx_array is None:
            raise BadCallError("the scene needs antennas: set scene.tx_array and scene.rx_array to a PlanarArray")
        found = []
        for device in self.transmitters.values():
            azimuth, tilt, roll = device._angles_deg()
            x, y, z = device.position
            found.append(
                _EngineTransmitter(
                    x, y, z, device.name, azimuth, tilt, roll, device.power_dbm, antenna=PATTERNS[self.tx_array.pattern]
                )
            )
        return found

    def __getattr__(self, name: str) -> Any:
        if name in ("preview", "render", "render_to_file"):
            _refuse(f"{name}: pictures are drawn by rasterwave.Map.draw and rasterwave.TileMap.write")
        if name in ("objects", "radio_materials", "mi_scene", "edit"):
            _refuse(f"Scene.{name}: scene.engine is the rasterwave.Scene")
        raise AttributeError(name)


def load_scene(filename: str | os.PathLike[str] | None = None, *, context: Context | None = None, **ignored: Any) -> Scene:
    """A scene from a Mitsuba file, or any other that rasterwave reads."""
    for key in ignored:
        if key not in ("merge_shapes", "merge_shapes_exclude_regex", "remove_duplicate_vertices"):
            raise TypeError(f"load_scene has no {key!r}")
    if filename is None:
        _refuse("empty scene: build a rasterwave.Scene and wrap it with rasterwave.rt.Scene")
    return Scene(_EngineScene.load(str(filename), context=context))


def _model(max_depth: int, los: bool, specular_reflection: bool, diffuse_reflection: bool, refraction: bool, diffraction: bool) -> tuple[str, dict[str, Any]]:
    """The model, and its options, that finds such paths."""
    if diffuse_reflection:
        _refuse("diffuse reflection of paths, which would be sampled: rasterwave.predict(model='tiles') sums it up")
    if not los:
        _refuse("paths without the direct one (los=False)")
    given = {
        "depth": max(1, max_depth),
        "reflections": max_depth if specular_reflection else 0,
        "transmissions": max_depth if refraction else 0,
        "direct": "limited",
    }
    return "images", {**given, "diffractions": 1} if diffraction else given


class PathSolver:
    """Finds all paths between transmitters and receivers. Samples and seed are taken and not needed."""

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
        del max_num_paths_per_src, samples_per_src, edge_diffraction, diffraction_lit_region, seed
        if not synthetic_array:
            _refuse("tracing of each antenna (synthetic_array=False)")
        if not scene.receivers:
            raise BadCallError("the scene has no receiver: scene.add(Receiver(...))")
        model, given = _model(max_depth, los, specular_reflection, diffuse_reflection, refraction, diffraction)
        sources, found = scene._sources(), []
        assert scene.rx_array is not None
        for device in scene.receivers.values():
            azimuth, tilt, roll = device._angles_deg()
            if scene.rx_array.pattern != "iso":
                given = {**given, "rx_antenna": PATTERNS[scene.rx_array.pattern]}
            if scene.rx_array.pattern != "iso" or roll:
                given = {**given, "rx_azimuth": azimuth, "rx_tilt": tilt, "rx_roll": roll}
            found.append(_paths.trace(scene.engine, sources, [device.position], model, freq=scene.frequency, **given))
        return Paths(scene, found, max_depth)


class Paths:
    """Paths with the shapes of Sionna RT for synthetic arrays; beyond the last path of a pair a is 0 and tau is -1."""

    synthetic_array = True

    def __init__(self, scene: Scene, found: list[_paths.Paths], max_depth: int) -> None:
        self.num_rx, self.num_tx = len(scene.receivers), len(scene.transmitters)
        self._frequency = scene.frequency
        counts = [[int((paths.transmitter == tx).sum()) for tx in range(self.num_tx)] for paths in found]
        most = max(max(row) for row in counts)
        shape = (self.num_rx, self.num_tx, most)
        gain = np.zeros(shape, complex)
        columns = {name: np.zeros(shape) for name in ("theta_t", "phi_t", "theta_r", "phi_r")}
        tau, valid = np.full(shape, -1.0), np.zeros(shape, bool)
        interactions = np.zeros((max_depth, *shape), np.uint32)
        vertices = np.zeros((max_depth, *shape, 3))
        for rx, paths in enumerate(found):
            source, all_gains = paths.transmitter, paths.gain
            for tx in range(self.num_tx):
                for number, index in enumerate(np.nonzero(source == tx)[0]):
                    path, place = paths[index], (rx, tx, number)
                    gain[place], tau[place], valid[place] = all_gains[index], path.delay_s, True
                    for name, degrees in (
                        ("theta_t", path.departure_theta_deg),
                        ("phi_t", path.departure_phi_deg),
                        ("theta_r", path.arrival_theta_deg),
                        ("phi_r", path.arrival_phi_deg),
                    ):
                        columns[name][place] = np.radians(degrees)
                    inner = paths.vertices(index)[1:-1][:max_depth]
                    for step, vertex in enumerate(inner):
                        interactions[(step, *place)] = _KINDS[_paths.INTERACTIONS[vertex["interaction"]]]
                        vertices[(step, *place)] = vertex["x_m"], vertex["y_m"], vertex["z_m"]
        for name in ("phi_t", "phi_r"):
            columns[name] = (columns[name] + np.pi) % (2 * np.pi) - np.pi
        self.tau, self.valid = _tensor(tau), _tensor(valid)
        self.theta_t, self.phi_t = _tensor(columns["theta_t"]), _tensor(columns["phi_t"])
        self.theta_r, self.phi_r = _tensor(columns["theta_r"]), _tensor(columns["phi_r"])
        self.interactions, self.vertices = _tensor(interactions), _tensor(vertices)
        self._spread(scene, gain)

    def _spread(self, scene: Scene, gain: np.ndarray[Any, Any]) -> None:
        """Coefficients of all antennas, by the phase of plane waves over each array, and Doppler shifts."""
        to, arrival = _unit(self.theta_t, self.phi_t), _unit(self.theta_r, self.phi_r)
        assert scene.tx_array is not None and scene.rx_array is not None
        tx_places = np.stack([_turned(scene.tx_array, device) for device in scene.transmitters.values()])
        rx_places = np.stack([_turned(scene.rx_array, device) for device in scene.receivers.values()])
        tx_phase = np.exp(2j * np.pi * np.einsum("rtpk,tak->rtpa", to, tx_places))
        rx_phase = np.exp(2j * np.pi * np.einsum("rtpk,rak->rtpa", arrival, rx_places))
        # The carrier's phase over the delay is left to cir, as there.
        base = gain * np.exp(2j * np.pi * self._frequency * np.where(self.valid, self.tau, 0))
        self._a = np.einsum("rtp,rtpi,rtpj->ritjp", base, rx_phase, tx_phase)
        tx_speed = np.stack([device.velocity for device in scene.transmitters.values()])
        rx_speed = np.stack([device.velocity for device in scene.receivers.values()])
        shift = np.einsum("rtpk,tk->rtp", to, tx_speed) + np.einsum("rtpk,rk->rtp", arrival, rx_speed)
        self.doppler = _tensor(np.where(self.valid, shift / scene.wavelength, 0))

    @property
    def a(self) -> tuple[Tensor, Tensor]:
        """(real, imaginary) [num_rx, num_rx_ant, num_tx, num_tx_ant, num_paths]."""
        return _tensor(self._a.real), _tensor(self._a.imag)

    def __getattr__(self, name: str) -> Any:
        if name in ("objects", "primitives"):
            _refuse(f"Paths.{name}: vertices and interactions tell where and what")
        raise AttributeError(name)

    def cir(
        self,
        *,
        sampling_frequency: float = 1.0,
        num_time_steps: int = 1,
        normalize_delays: bool = True,
        reverse_direction: bool = False,
        out_type: str = "numpy",
    ) -> Any:
        """Coefficients [num_rx, num_rx_ant, num_tx, num_tx_ant, num_paths, num_time_steps] and delays [rx, tx, path]."""
        if reverse_direction:
            _refuse("reverse_direction")
        tau = np.asarray(self.tau)
        if normalize_delays and tau.shape[-1]:
            first = np.where(self.valid, tau, np.inf).min(axis=-1, keepdims=True)
            tau = np.where(self.valid, tau - np.where(np.isfinite(first), first, 0), tau)
        carrier = np.exp(-2j * np.pi * self._frequency * np.where(self.valid, tau, 0))
        steps = np.arange(num_time_steps) / sampling_frequency
        turn = np.exp(2j * np.pi * np.asarray(self.doppler)[..., None] * steps)
        coefficients = (self._a * carrier[:, None, :, None, :])[..., None] * turn[:, None, :, None]
        return _out(coefficients, out_type), _tensor(tau) if out_type == "drjit" else tau

    def cfr(
        self,
        frequencies: Any,
        sampling_frequency: float = 1.0,
        num_time_steps: int = 1,
        normalize_delays: bool = True,
        normalize: bool = False,
        reverse_direction: bool = False,
        out_type: str = "numpy",
    ) -> Any:
        """Frequency response [num_rx, num_rx_ant, num_tx, num_tx_ant, num_time_steps, num_frequencies]."""
        a, tau = self.cir(
            sampling_frequency=sampling_frequency,
            num_time_steps=num_time_steps,
            normalize_delays=normalize_delays,
            reverse_direction=reverse_direction,
        )
        turn = np.exp(-2j * np.pi * np.where(self.valid, tau, 0)[..., None] * np.asarray(frequencies, dtype=float))
        response = np.einsum("ritjpn,rtpf->ritjnf", a, turn)
        if normalize:
            energy = np.mean(np.abs(response) ** 2, axis=(1, 3, 4, 5), keepdims=True)
            response = response / np.sqrt(np.where(energy > 0, energy, 1))
        return _out(response, out_type)

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
        out_type: str = "numpy",
    ) -> Any:
        """Channel taps [num_rx, num_rx_ant, num_tx, num_tx_ant, num_time_steps, l_max - l_min + 1]."""
        a, tau = self.cir(
            sampling_frequency=sampling_frequency or bandwidth,
            num_time_steps=num_time_steps,
            normalize_delays=normalize_delays,
            reverse_direction=reverse_direction,
        )
        lags = np.arange(l_min, l_max + 1)
        pulse = np.sinc(lags - bandwidth * np.where(self.valid, tau, 0)[..., None])
        found = np.einsum("ritjpn,rtpl->ritjnl", a, pulse)
        if normalize:
            energy = np.mean(np.sum(np.abs(found) ** 2, axis=-1, keepdims=True), axis=(1, 3, 4), keepdims=True)
            found = found / np.sqrt(np.where(energy > 0, energy, 1))
        return _out(found, out_type)


def _out(values: np.ndarray[Any, Any], out_type: str) -> Any:
    if out_type == "numpy":
        return values
    if out_type == "drjit":
        return _tensor(values.real), _tensor(values.imag)
    if out_type in ("torch", "jax"):
        module = importlib.import_module(out_type if out_type == "torch" else "jax.numpy")
        return module.asarray(values)
    return _refuse(f"output of type {out_type!r}; it has numpy, drjit (pairs of arrays), torch and jax")


def _unit(theta: Any, phi: Any) -> np.ndarray[Any, Any]:
    theta, phi = np.asarray(theta), np.asarray(phi)
    return np.stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)], axis=-1)


def _turned(array: PlanarArray, device: RadioDevice) -> np.ndarray[Any, Any]:
    """Places of an array's antennas in wavelengths, turned with its device."""
    places: np.ndarray[Any, Any] = array.normalized_positions @ _rotation(device.orientation).T
    return places


class RadioMapSolver:
    """A radio map at the middles of cells. Samples and seed are taken and not needed."""

    def __call__(
        self,
        scene: Scene,
        center: Sequence[float] | None = None,
        orientation: Sequence[float] | None = None,
        size: Sequence[float] | None = None,
        cell_size: Sequence[float] = (10.0, 10.0),
        measurement_surface: Any = None,
        precoding_vec: Any = None,
        samples_per_tx: int = 1000000,
        max_depth: int = 3,
        los: bool = True,
        specular_reflection: bool = True,
        diffuse_reflection: bool = False,
        refraction: bool = True,
        diffraction: bool = False,
        edge_diffraction: bool = False,
        diffraction_lit_region: bool = True,
        seed: int = 42,
        **others: Any,
    ) -> RadioMap:
        del samples_per_tx, seed, edge_diffraction, diffraction_lit_region
        if measurement_surface is not None or precoding_vec is not None or (orientation is not None and np.any(orientation)):
            _refuse("measurement_surface, precoding_vec or orientation of a radio map")
        for key in others:
            if key not in ("rr_depth", "rr_prob", "stop_threshold", "check_cells_area"):
                raise TypeError(f"RadioMapSolver has no {key!r}")
        if cell_size[0] != cell_size[1]:
            _refuse("cells that are not square")
        model, given = _model(max_depth, los, specular_reflection, diffuse_reflection, refraction, diffraction)
        info = scene.engine.info
        if center is None:
            center = ((info.x_min_m + info.x_max_m) / 2, (info.y_min_m + info.y_max_m) / 2, 1.5)
        if size is None:
            size = (info.x_max_m - info.x_min_m, info.y_max_m - info.y_min_m)
        cells = [max(1, int(np.ceil(side / cell_size[0]))) for side in size]
        half = [count * cell_size[0] / 2 for count in cells]
        area = (center[0] - half[0], center[1] - half[1], center[0] + half[0], center[1] + half[1])
        found = _predict.predict(
            scene.engine,
            scene._sources(),
            model,
            freq=scene.frequency,
            res=float(cell_size[0]),
            area=area,
            rx_height=float(center[2]),
            sum="power",
            layers="path_loss",
            **given,
        )
        return RadioMap(scene, found, float(center[2]))


class RadioMap:
    """path_gain, rss (W) and sinr [num_tx, num_cells_y, num_cells_x]; each also in decibels with _db or _dbm behind."""

    def __init__(self, scene: Scene, map: Any, height_m: float) -> None:
        self.map, self._noise_w = map, scene.thermal_noise_power
        loss = map["path_loss"].astype(float)
        self.path_gain = _tensor(np.where(np.isnan(loss), 0.0, 10 ** (-loss / 10)))
        power = np.array([device.power for device in scene.transmitters.values()])
        self.rss = _tensor(np.asarray(self.path_gain) * power[:, None, None])
        total = np.asarray(self.rss).sum(axis=0)
        self.sinr = _tensor(np.asarray(self.rss) / (total - np.asarray(self.rss) + self._noise_w))
        x, y = np.meshgrid(map.x_m, map.y_m)
        self.cell_centers = _tensor(np.stack([x, y, np.full_like(x, height_m)], axis=-1))
        self.num_tx = len(power)

    def __getattr__(self, name: str) -> Any:
        decibels = {"path_gain_db": ("path_gain", 0.0), "rss_dbm": ("rss", 30.0), "rss_db": ("rss", 0.0), "sinr_db": ("sinr", 0.0)}
        if name in decibels:
            of, offset = decibels[name]
            with np.errstate(divide="ignore"):
                return _tensor(10 * np.log10(getattr(self, of)) + offset)
        if name in ("show", "show_association", "cdf", "sample_positions", "sample_cells", "transmitter_radio_map"):
            _refuse(f"RadioMap.{name}: RadioMap.map is a rasterwave.Map with plot and draw")
        raise AttributeError(name)

    def tx_association(self, metric: str = "path_gain") -> Tensor:
        """Number of the transmitter with the largest value in each cell; -1 where all are zero."""
        if metric not in ("path_gain", "rss", "sinr"):
            raise BadCallError(f"metric {metric!r}: use path_gain, rss or sinr")
        values = np.asarray(getattr(self, metric))
        return _tensor(np.where(values.max(axis=0) > 0, values.argmax(axis=0), -1))

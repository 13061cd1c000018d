"""RadioMapSolver and radio maps: over planes of cells, and over the triangles of meshes.

Values are those at the middles of cells, between a transmitter's array with its precoding vector and a dual-polarised
isotropic receiver; powers of paths add.
"""

from __future__ import annotations

import dis
import sys
from typing import Any

import numpy as np

from .. import _predict
from .._library import BadCallError
from .._sites import Transmitter as _EngineTransmitter
from ._antennas import AntennaArray, PolarizedAntennaPattern
from ._objects import Mesh, SceneObject
from ._scatter import patch_count, scattered_gain, sent_fields
from ._scene import Scene
from ._trace import Ways, absorbers_of, trace, view_pixels
from ._utils import Array, Tensor, Vector, refuse, rotation_matrix, tensor, vector

_ENGINE_PATTERNS = {"iso": "isotropic", "hw_dipole": "dipole", "tr38901": "3gpp"}
_METRICS = ("path_gain", "rss", "sinr")
_CELLS, _PATHS = 65536, 1500000  # pairs of the first batch; about as many paths are in memory at once


class RadioMapSolver:
    """A radio map at the middles of cells, of the paths that PathSolver finds. Fewer samples_per_tx than their default take
    coarser views, as there. The seed is taken and not needed."""

    loop_mode = "symbolic"

    def __call__(
        self,
        scene: Scene,
        center: Any = None,
        orientation: Any = None,
        size: Any = None,
        cell_size: Any = (10.0, 10.0),
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
        rr_depth: int = -1,
        rr_prob: float = 0.95,
        stop_threshold: float | None = None,
        check_cells_area: bool = False,
    ) -> Any:
        del seed, rr_depth, rr_prob, stop_threshold, check_cells_area
        array, _ = scene._need(receivers=False)
        pixels = view_pixels(samples_per_tx)
        ways = Ways(max_depth, los, specular_reflection, diffuse_reflection, refraction, diffraction, pixels)
        ways.edge_diffraction, ways.diffraction_lit_region = bool(edge_diffraction), bool(diffraction_lit_region)
        weights = _weights(precoding_vec, len(scene.transmitters), array.num_ant)

        def diffuse(places: Array) -> Any:
            count = patch_count(samples_per_tx)
            return scattered_gain(scene, places, ways, array, weights, count) if ways.scatters(scene) else 0.0

        if measurement_surface is not None:
            mesh = measurement_surface.mi_mesh if isinstance(measurement_surface, SceneObject) else measurement_surface
            if not isinstance(mesh, Mesh):
                raise BadCallError("measurement_surface is a SceneObject, or a mesh of load_mesh")
            gain = _by_paths(scene, mesh.centers(), ways, array, weights)
            return MeshRadioMap(scene, gain + diffuse(mesh.centers()), mesh)
        plane = Plane(scene, center, orientation, size, cell_size)
        gain = _by_engine(scene, plane, ways, array, weights)
        if gain is None:
            gain = _by_paths(scene, plane.centers.reshape(-1, 3), ways, array, weights)
        gain = gain + diffuse(plane.centers.reshape(-1, 3))
        return PlanarRadioMap(scene, gain.reshape(len(weights), *plane.centers.shape[:2]), plane)


class Plane:
    """Cells in a rectangle that may be turned."""

    def __init__(self, scene: Scene, center: Any, orientation: Any, size: Any, cell_size: Any) -> None:
        given = [part is not None for part in (center, orientation, size)]
        if not any(given):
            low, high = scene.extent()
            center, size, orientation = (*((low + high) / 2), 1.5), high - low, (0.0, 0.0, 0.0)
        elif not given[0] or not given[2]:
            raise BadCallError("center and size of a radio map are given together")
        self.center = vector(center, "a center")
        self.orientation = vector((0.0, 0.0, 0.0) if orientation is None else orientation, "an orientation")
        self.cell_size, asked = (np.asarray(part, dtype=float).reshape(-1) for part in (cell_size, size))
        if self.cell_size.size != 2 or asked.size != 2 or not (self.cell_size > 0).all() or not (asked > 0).all():
            raise BadCallError("size and cell_size of a radio map are two positive numbers each")
        self.cells_per_dim = np.maximum(1, np.ceil(asked / self.cell_size - 1e-9)).astype(int)
        self.size = self.cells_per_dim * self.cell_size
        x, y = ((np.arange(n) + 0.5) * step - n * step / 2 for n, step in zip(self.cells_per_dim, self.cell_size))
        x, y = np.meshgrid(x, y)
        own = np.stack([x, y, np.zeros_like(x)], axis=-1)
        self.centers = own @ np.asarray(rotation_matrix(self.orientation)).T + np.asarray(self.center)

    @property
    def level(self) -> bool:
        return not np.any(self.orientation) and self.cell_size[0] == self.cell_size[1]

    def cells(self, places: Array) -> Array:
        """(column, row) of places in the scene."""
        own = (places - np.asarray(self.center)) @ np.asarray(rotation_matrix(self.orientation))
        return np.floor((own[:, :2] + self.size / 2) / self.cell_size).astype(int)


def _weights(precoding: Any, transmitters: int, antennas: int) -> Array:
    """Of each transmitter's antennas; all alike where nothing is given."""
    if precoding is None:
        return np.full((transmitters, antennas), 1 / np.sqrt(antennas), complex)
    if not isinstance(precoding, (tuple, list)) or len(precoding) != 2:
        raise BadCallError("precoding_vec is a pair: real and imaginary parts")
    values = np.asarray(precoding[0], dtype=float) + 1j * np.asarray(precoding[1], dtype=float)
    values = np.broadcast_to(values, (transmitters, values.shape[-1])) if values.ndim == 1 else values
    if values.shape != (transmitters, antennas):
        raise BadCallError(f"precoding_vec has the shape {values.shape}: [{antennas}] or [{transmitters}, {antennas}]")
    return values


def _by_engine(scene: Scene, plane: Plane, ways: Ways, array: AntennaArray, weights: Array) -> Array | None:
    """Path gain [tx, cell] by the engine's map, where a transmitter's array is one antenna of one slant; else None."""
    pattern = array.antenna_pattern
    simple = array.array_size == 1 and array.pattern in _ENGINE_PATTERNS and isinstance(pattern, PolarizedAntennaPattern)
    simple = simple and not ways.selects_edges
    if scene.engine is None or absorbers_of(scene) or not plane.level or not simple or not ways.los or ways.max_depth == 0:
        return None
    assert isinstance(pattern, PolarizedAntennaPattern)
    field = weights @ np.stack([np.cos(pattern.slants), np.sin(pattern.slants)], axis=1)  # along theta and phi
    # Weights of one phase keep the field linear.
    linear = np.abs(np.imag(field[:, 0] * np.conj(field[:, 1]))) < 1e-12
    if pattern.polarization_model != "tr38901_2" or not linear.all():
        return None
    turned = field * np.exp(-1j * np.angle(np.where(np.abs(field[:, :1]) > 1e-12, field[:, :1], field[:, 1:])))
    slants = np.degrees(np.arctan2(turned[:, 1].real, turned[:, 0].real))
    senders = []
    places = [np.asarray(device.position) for device in scene.transmitters.values()]
    *raised, (x0, y0, z) = scene.raised(np.array([*places, np.asarray(plane.center)])).tolist()
    for device, place, slant in zip(scene.transmitters.values(), raised, slants):
        yaw, pitch, roll = np.degrees(device.orientation)
        senders.append(
            _EngineTransmitter(
                place[0],
                place[1],
                place[2],
                azimuth_deg=float((90 - yaw) % 360),
                downtilt_deg=float(pitch),
                roll_deg=float(roll),
                antenna=_ENGINE_PATTERNS[array.pattern],
                slant_deg=float(slant),
            )
        )
    wide, deep = plane.size / 2
    low, high = scene.extent()
    if not (np.array([x0 - wide, y0 - deep]) < high).all() or not (np.array([x0 + wide, y0 + deep]) > low).all():
        return None  # beside the scene, where the engine's maps have no cells
    found = _predict.predict(
        scene.engine,
        senders,
        "images",
        freq=scene.frequency,
        res=float(plane.cell_size[0]),
        area=(x0 - wide, y0 - deep, x0 + wide, y0 + deep),
        rx_height=float(z),
        rx_ports=2,
        sum="power",
        layers="path_loss",
        **ways.options(),
    )
    loss = found["path_loss"].astype(float).reshape(len(senders), -1)
    gain = np.where(np.isnan(loss), 0.0, 10 ** (-loss / 10))
    return gain * np.sum(np.abs(field) ** 2, axis=1)[:, None]


def _by_paths(scene: Scene, places: Array, ways: Ways, array: AntennaArray, weights: Array) -> Array:
    """Path gain [tx, place] from the paths to each place, for any array."""
    devices = list(scene.transmitters.values())
    sources = np.stack([np.asarray(device.position) for device in devices])
    gain = np.zeros((len(devices), len(places)))
    begin, count = 0, max(1024, _CELLS // len(devices))
    while begin < len(places):
        part = slice(begin, begin + count)
        found = trace(scene, sources, places[part], ways)
        # The search for images takes as long for a few cells as for many: as many as memory allows.
        begin, count = begin + count, max(1024, int(_PATHS * len(places[part]) / max(1, len(found))))
        for number, device in enumerate(devices):
            own = found.source == number
            sent = sent_fields(array, device.orientation, weights[number], found.departs[own])
            power = np.sum(np.abs(np.einsum("pij,pj->pi", found.transfer[own], sent)) ** 2, axis=1)
            gain[number, part] = np.bincount(found.target[own], power, minlength=len(places[part]))
    return gain


class RadioMap:
    """path_gain, rss in W and sinr [num_tx, ...], linear; each in decibels with _db (rss also _dbm) behind its name."""

    def __init__(self, scene: Scene, gain: Array, centers: Array) -> None:
        devices = list(scene.transmitters.values())
        self.path_gain, self.cell_centers = tensor(gain), tensor(centers)
        self.num_tx, self.num_rx = len(devices), len(scene.receivers)
        self._tx_names = [device.name for device in devices]
        self._tx_places = np.stack([np.asarray(device.position) for device in devices])
        self._rx_places = np.array([np.asarray(device.position) for device in scene.receivers.values()]).reshape(-1, 3)
        power = np.array([device.power for device in devices]).reshape(-1, *(1 for _ in gain.shape[1:]))
        rss = gain * power
        self.rss = tensor(rss)
        self.sinr = tensor(rss / (np.maximum(rss.sum(axis=0) - rss, 0) + scene.thermal_noise_power))

    @property
    def cells_count(self) -> int:
        return int(np.prod(self.path_gain.shape[1:]))

    def __getattr__(self, name: str) -> Any:
        decibels = {"path_gain_db": ("path_gain", 0.0), "rss_dbm": ("rss", 30.0), "rss_db": ("rss", 0.0), "sinr_db": ("sinr", 0.0)}
        if name in decibels:
            of, offset = decibels[name]
            with np.errstate(divide="ignore"):
                return tensor(10 * np.log10(getattr(self, of)) + offset)
        if name in ("add_paths", "measurement_surface", "to_world"):
            refuse(f"{type(self).__name__}.{name}")
        raise AttributeError(f"{type(self).__name__} has no {name!r}")

    def _checked(self, metric: str) -> str:
        if metric not in _METRICS:
            raise BadCallError(f"metric {metric!r}: use path_gain, rss or sinr")
        return metric

    def transmitter_radio_map(self, metric: str = "path_gain", tx: int | str | None = None) -> Tensor:
        """A metric of one transmitter, by number or name; None: the largest of all."""
        values = np.asarray(getattr(self, self._checked(metric)))
        return tensor(values.max(axis=0) if tx is None else values[self._number(tx)])

    def _number(self, tx: int | str) -> int:
        number = self._tx_names.index(tx) if isinstance(tx, str) and tx in self._tx_names else tx
        if not isinstance(number, (int, np.integer)) or not 0 <= number < self.num_tx:
            raise BadCallError(f"there is no transmitter {tx!r}; there are {', '.join(self._tx_names)}")
        return int(number)

    def _decibels(self, metric: str, tx: int | str | None) -> Array:
        with np.errstate(divide="ignore"):
            levels: Array = 10 * np.log10(np.asarray(self.transmitter_radio_map(metric, tx))) + (30 if metric == "rss" else 0)
        return levels

    def tx_association(self, metric: str = "path_gain") -> Tensor:
        """Number of the transmitter with the largest value in each cell; -1 where all are zero."""
        values = np.asarray(getattr(self, self._checked(metric)))
        return tensor(np.where(values.max(axis=0) > 0, values.argmax(axis=0), -1))

    def sample_cells(
        self,
        num_cells: int,
        metric: str = "path_gain",
        min_val_db: float | None = None,
        max_val_db: float | None = None,
        min_dist: float | None = None,
        max_dist: float | None = None,
        tx_association: bool = True,
        seed: int = 1,
    ) -> tuple[Tensor, Tensor]:
        """Numbers of random cells [num_tx, num_cells] within bounds, and how many of each transmitter are valid."""
        self._checked(metric)
        low, high = (-np.inf if min_val_db is None else min_val_db), (np.inf if max_val_db is None else max_val_db)
        near, far = (0.0 if min_dist is None else min_dist), (np.inf if max_dist is None else max_dist)
        if low > high or near > far:
            raise BadCallError("a least value or distance is larger than the largest")
        places = np.asarray(self.cell_centers).reshape(-1, 3)
        serves, random = np.asarray(self.tx_association(metric)).ravel(), np.random.default_rng(seed)
        cells, valid = np.zeros((self.num_tx, num_cells), np.uint32), np.zeros(self.num_tx, np.uint32)
        for tx in range(self.num_tx):
            levels = self._decibels(metric, tx).ravel()
            distance = np.linalg.norm(places - self._tx_places[tx], axis=1)
            fits = (levels >= low) & (levels <= high) & (distance >= near) & (distance <= far)
            chosen = np.nonzero(fits & (serves == tx) if tx_association else fits)[0]
            if len(chosen):
                cells[tx], valid[tx] = random.choice(chosen, num_cells), num_cells
        return tensor(cells), tensor(valid)

    def cdf(self, metric: str = "path_gain", tx: int | str | None = None, bins: int = 200) -> tuple[Any, Tensor, Tensor]:
        """A figure of matplotlib, levels in dB (rss: dBm), and the share of covered cells at or below each."""
        import matplotlib.pyplot as plt

        levels = np.sort(self._decibels(metric, tx).ravel())
        levels = levels[np.isfinite(levels)]
        if not len(levels):
            raise BadCallError("the radio map covers no cell")
        x = levels[0] + (levels[-1] - levels[0]) * np.arange(1, bins + 1) / bins
        share = np.searchsorted(levels, x + 1e-9, side="right") / len(levels)
        figure, axes = plt.subplots()
        axes.plot(x, share)
        axes.grid(True)
        axes.set_xlabel(_LABELS[metric])
        axes.set_ylabel("Cumulative probability")
        return figure, tensor(x), tensor(share)


_LABELS = {"path_gain": "Path gain [dB]", "rss": "Received signal strength [dBm]", "sinr": "SINR [dB]"}


class Sampled(tuple[Any, ...]):
    """Positions, cells and the number of valid ones, which also are assigned to two names: Sionna RT before 2.2 returns two."""

    def __iter__(self) -> Any:
        caller = sys._getframe(1)
        code, at = caller.f_code.co_code, caller.f_lasti
        two = dis.opname[code[at]] == "UNPACK_SEQUENCE" and code[at + 1] == 2
        return iter(self[:2] if two else self[:])


class PlanarRadioMap(RadioMap):
    """Cells of a plane: arrays [num_tx, num_cells_y, num_cells_x]."""

    def __init__(self, scene: Scene, gain: Array, plane: Plane) -> None:
        super().__init__(scene, gain, plane.centers)
        self._plane = plane
        self.center, self.orientation = plane.center, plane.orientation
        self.size, self.cell_size, self.cells_per_dim = tensor(plane.size), tensor(plane.cell_size), tensor(plane.cells_per_dim)

    center: Vector
    orientation: Vector

    @property
    def tx_cell_indices(self) -> Tensor:
        """(column, row) of each transmitter [num_tx, 2]."""
        return tensor(self._plane.cells(self._tx_places))

    @property
    def rx_cell_indices(self) -> Tensor:
        return tensor(self._plane.cells(self._rx_places))

    def sample_positions(
        self,
        num_pos: int,
        metric: str = "path_gain",
        min_val_db: float | None = None,
        max_val_db: float | None = None,
        min_dist: float | None = None,
        max_dist: float | None = None,
        tx_association: bool = True,
        center_pos: bool = False,
        seed: int = 1,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Random places [num_tx, num_pos, 3] within bounds, NaN where a transmitter has none; their cells as (row, column),
        which index the arrays of a metric; how many of each transmitter are valid."""
        bounds = (metric, min_val_db, max_val_db, min_dist, max_dist, tx_association, seed)
        cells, valid = self.sample_cells(num_pos, *bounds)
        row, column = np.divmod(np.asarray(cells), self._plane.cells_per_dim[0])
        places = np.asarray(self.cell_centers)[row, column]
        if not center_pos:
            within = np.random.default_rng(seed + 1).uniform(-0.5, 0.5, (*places.shape[:2], 2)) * self._plane.cell_size
            own = np.concatenate([within, np.zeros((*places.shape[:2], 1))], axis=-1)
            places = places + own @ np.asarray(rotation_matrix(self.orientation)).T
        places = np.where(np.asarray(valid)[:, None, None] > 0, places, np.nan)
        return Sampled((tensor(places), tensor(np.stack([row, column], axis=-1)), valid))

    def _marks(self, axes: Any, tx: int | None, show_tx: bool, show_rx: bool) -> None:
        shown = self.tx_cell_indices if tx is None else self.tx_cell_indices[tx : tx + 1]
        if show_tx:
            axes.scatter(shown[:, 0], shown[:, 1], marker="P", color="red")
        if show_rx and len(self._rx_places):
            axes.scatter(self.rx_cell_indices[:, 0], self.rx_cell_indices[:, 1], marker="x", color="blue")
        axes.set_xlabel("Cell (x)")
        axes.set_ylabel("Cell (y)")

    def show(
        self,
        metric: str = "path_gain",
        tx: int | str | None = None,
        vmin: float | None = None,
        vmax: float | None = None,
        show_tx: bool = True,
        show_rx: bool = False,
    ) -> Any:
        """A figure of matplotlib with a metric in dB (rss: dBm)."""
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots()
        picture = axes.imshow(self._decibels(metric, tx), origin="lower", vmin=vmin, vmax=vmax)
        figure.colorbar(picture, label=_LABELS[metric])
        self._marks(axes, None if tx is None else self._number(tx), show_tx, show_rx)
        return figure

    def show_association(self, metric: str = "path_gain", show_tx: bool = True, show_rx: bool = False, color_map: Any = None) -> Any:
        """A figure of matplotlib with the transmitter of each cell."""
        import matplotlib.pyplot as plt

        serves = np.asarray(self.tx_association(metric)).astype(float)
        serves[serves < 0] = np.nan
        figure, axes = plt.subplots()
        picture = axes.imshow(serves, origin="lower", cmap=color_map if isinstance(color_map, str) else "rainbow")
        figure.colorbar(picture, label="Transmitter", ticks=range(self.num_tx))
        self._marks(axes, None, show_tx, show_rx)
        return figure


class MeshRadioMap(RadioMap):
    """Triangles of a mesh: arrays [num_tx, num_triangles], values at their middles."""

    def __init__(self, scene: Scene, gain: Array, mesh: Mesh) -> None:
        super().__init__(scene, gain, mesh.centers())
        self.measurement_surface = mesh

    def sample_positions(self, num_pos: int, *arguments: Any, center_pos: bool = False, **keywords: Any) -> tuple[Tensor, Tensor, Tensor]:
        """Middles of random triangles [num_tx, num_pos, 3] within bounds, their numbers, and how many are valid."""
        del center_pos
        cells, valid = self.sample_cells(num_pos, *arguments, **keywords)
        places = np.asarray(self.cell_centers)[np.asarray(cells)]
        return Sampled((tensor(np.where(np.asarray(valid)[:, None, None] > 0, places, np.nan)), cells, valid))

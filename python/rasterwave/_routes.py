"""Paths over time: along routes of receivers, of transmitters, or of both."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Iterable

import numpy as np

from ._context import Context
from ._device import DeviceArray
from ._library import BadCallError, UnsupportedError
from ._models import complete_options
from ._paths import Paths, load_points, trace
from ._scene import Scene
from ._sites import Transmitter, Transmitters, as_list

if TYPE_CHECKING:
    Array = np.ndarray[Any, Any]

_SPEED_OF_LIGHT_M_S = 299792458.0


@dataclass(frozen=True)
class Route:
    """Places over time: points [time, 3] of x, y and height above ground (NaN: that of the options), time_s [time],
    velocity_m_s [time, 3] east, north and up."""

    points: Array
    time_s: Array
    velocity_m_s: Array

    @classmethod
    def of(cls, points: Any, time_s: Any = None, velocity_m_s: Any = None, *, speed_m_s: float = 0.0) -> Route:
        """A route of points (n, 2) or (n, 3) at times, or at a speed. Velocities that are not given follow from the
        points before and after, along the ground, as the command line has them."""
        at = np.atleast_2d(np.asarray(points, dtype=float))
        if at.ndim != 2 or at.shape[1] not in (2, 3):
            raise BadCallError(f"points: an array of shape (n, 2) or (n, 3) is needed, not {np.shape(points)}")
        if at.shape[1] == 2:
            at = np.column_stack([at, np.full(len(at), np.nan)])
        if speed_m_s < 0 or (speed_m_s > 0 and time_s is not None):
            raise BadCallError("speed_m_s: a positive number, and no times beside it")
        steps_m = np.hypot(*np.diff(at[:, :2], axis=0).T) if len(at) > 1 else np.zeros(0)
        if time_s is None:
            times = np.concatenate([[0.0], np.cumsum(steps_m) / speed_m_s]) if speed_m_s > 0 else np.zeros(len(at))
        else:
            times = np.asarray(time_s, dtype=float)
        if times.shape != (len(at),):
            raise BadCallError(f"time_s: {len(at)} times are needed, not an array of shape {times.shape}")
        velocities = _velocities(at, times, speed_m_s) if velocity_m_s is None else np.asarray(velocity_m_s, dtype=float)
        return cls(at, times, np.array(np.broadcast_to(velocities, at.shape)))

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        crs: str | None = None,
        to_crs: str | None = None,
        speed_m_s: float = 0.0,
        context: Context | None = None,
    ) -> Route:
        """A route from CSV, GPX or GeoJSON, as paths --points of the command line takes it."""
        points, motions = load_points(path, crs=crs, to_crs=to_crs, speed_m_s=speed_m_s, context=context)
        return cls(points, motions[:, 0], motions[:, 1:])

    def resampled(self, step_s: float) -> Route:
        """The same way at even times, straight between its points."""
        if not step_s > 0 or not (np.diff(self.time_s) > 0).all():
            raise BadCallError("step_s: a positive number, for a route whose times rise")
        times = np.arange(self.time_s[0], self.time_s[-1] + 1e-9 * step_s, step_s)
        points = np.column_stack([np.interp(times, self.time_s, column) for column in self.points.T])
        return Route.of(points, times)

    def __len__(self) -> int:
        return len(self.points)

    @property
    def motions(self) -> Array:
        """Times and velocities [time, 4], as Paths.set_motions takes them."""
        return np.column_stack([self.time_s, self.velocity_m_s])


def _velocities(at: Array, times: Array, speed_m_s: float) -> Array:
    """By the points before and after, in the time between them or at a speed."""
    order = np.arange(len(at))
    before, after = np.maximum(order - 1, 0), np.minimum(order + 1, len(at) - 1)
    away = at[after, :2] - at[before, :2]
    span = np.hypot(*away.T) / speed_m_s if speed_m_s > 0 else times[after] - times[before]
    scale = np.divide(1.0, span, out=np.zeros(len(at)), where=span > 0)
    return np.column_stack([away * scale[:, None], np.zeros(len(at))])


@dataclass(frozen=True)
class RoutePaths:
    """Paths over time as arrays: [time, other, path], where other are the transmitters, or the points that a moving
    transmitter is received at; the paths of a pair from the strongest, and beyond the last loss_db is infinite and all
    else 0. Plain values, which can be pickled."""

    time_s: Array  # [time]
    position_m: Array  # [time, 3] of what moves, the receiver where both do: x, y, height above ground
    velocity_m_s: Array  # [time, 3]
    freq_hz: Array  # [time, other]
    path_count: Array  # [time, other]
    loss_db: Array
    gain: Array  # complex, of models with phases; else 0
    delay_s: Array
    doppler_hz: Array
    departure_theta_deg: Array
    departure_phi_deg: Array
    arrival_theta_deg: Array
    arrival_phi_deg: Array

    @property
    def valid(self) -> Array:
        """Which places of the arrays hold a path."""
        return np.asarray(np.arange(self.loss_db.shape[2]) < self.path_count[..., None])

    @property
    def total_loss_db(self) -> Array:
        """Loss of all paths together, by the sum of their powers [time, other]; infinite without a path."""
        with np.errstate(divide="ignore"):
            return np.asarray(-10 * np.log10((10 ** (-self.loss_db / 10)).sum(axis=2)))

    def frequency_response(self, frequencies_hz: Any, elapsed_s: Any = 0.0) -> Array:
        """Complex gain [time, other, frequency] at frequencies from the carrier; elapsed_s: so long after each time,
        the paths as they were and their phases turned by the Doppler shift."""
        if self.path_count.any() and not self.gain.any():
            raise UnsupportedError("the paths have losses and no phases; use model rt, tiles, images or sbr")
        offsets = np.atleast_1d(np.asarray(frequencies_hz, dtype=float))
        gain = self.gain * np.exp(2j * np.pi * self.doppler_hz * elapsed_s)
        turn = np.exp(-2j * np.pi * self.delay_s[..., None] * offsets)
        return np.asarray((gain[..., None] * turn).sum(axis=2))

    def to_device(self, context: Context | None = None) -> dict[str, DeviceArray]:
        """All arrays in memory of the context's backend, by name."""
        context = context or Context()
        return {field.name: DeviceArray.from_numpy(getattr(self, field.name), context) for field in fields(self)}

    def to_xarray(self) -> Any:
        """An xarray Dataset over time, other and path."""
        import xarray

        units = {"db": "dB", "s": "s", "hz": "Hz", "deg": "degrees", "m": "m", "m_s": "m/s"}
        data = {}
        for field in fields(self):
            values = getattr(self, field.name)
            dims = ("time", "axis") if field.name in ("position_m", "velocity_m_s") else ("time", "other", "path")
            unit = units.get("m_s" if field.name.endswith("m_s") else field.name.rpartition("_")[2], "")
            data[field.name] = xarray.DataArray(values, dims=dims[: values.ndim], attrs={"units": unit} if unit else {})
        return xarray.Dataset(data).assign_coords(time=self.time_s)


_COLUMNS = (
    "loss_db",
    "gain",
    "delay_s",
    "doppler_hz",
    "departure_theta_deg",
    "departure_phi_deg",
    "arrival_theta_deg",
    "arrival_phi_deg",
)


def _columns(paths: Paths) -> dict[str, Array]:
    names = ("point", "transmitter", *_COLUMNS)
    return {name: np.asarray(getattr(paths, name)) for name in names}


def _towards(theta_deg: Array, phi_deg: Array, velocity_m_s: Array) -> Array:
    """The speed along directions."""
    theta, phi = np.radians(theta_deg), np.radians(phi_deg)
    direction = np.stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)], axis=-1)
    return np.asarray((direction * velocity_m_s).sum(axis=-1))


def _frequencies(transmitters: list[Transmitter], model: str, given: dict[str, Any]) -> Array:
    own = np.array([site.freq_hz for site in transmitters])
    usual = float(complete_options(model, **{"freq": given.get("freq")})["freq_hz"])
    return np.where(own > 0, own, usual)


def _fill(
    columns: dict[str, Array], rows: Array, others: Array, shape: tuple[int, int], most: int | None
) -> tuple[Array, dict[str, Array]]:
    """Lists of paths as arrays [time, other, path]."""
    key = rows * shape[1] + others
    order = np.argsort(key, kind="stable")  # those of a pair stay as they are: from the strongest
    counts = np.bincount(key, minlength=shape[0] * shape[1])
    rank = np.arange(len(key)) - np.repeat(np.cumsum(counts) - counts, counts)
    width = int(counts.max(initial=0)) if most is None else min(int(counts.max(initial=0)), most)
    kept = rank < width
    at = (rows[order][kept], others[order][kept], rank[kept])
    filled = {}
    for name in _COLUMNS:
        values = columns[name]
        made = np.full((*shape, width), np.inf if name == "loss_db" else 0, dtype=values.dtype)
        made[at] = values[order][kept]
        filled[name] = made
    return np.minimum(counts, width).reshape(shape), filled


def trace_route(
    scene: Scene,
    transmitters: Transmitter | Iterable[Transmitter] | Route,
    points: Route | Any,
    model: str = "shadow",
    *,
    like: Transmitter | None = None,
    transmitter_velocity_m_s: Any = (0.0, 0.0, 0.0),
    max_paths: int | None = None,
    **given: Any,
) -> RoutePaths:
    """Paths over time: of a route of receivers, of a Route of a transmitter (like: what it is beside its place) to points,
    or of both at the same times.

    Doppler shifts are of both ends: transmitters that stand in the scene as it is at each time may have a velocity too.
    max_paths: the strongest of a pair alone. Options are those of trace.
    """
    if isinstance(transmitters, Route):
        sites = Transmitters(transmitters.points, like)
        if np.isnan(transmitters.points[:, 2]).any():
            sites.height_m = np.where(np.isnan(sites.height_m), (like or Transmitter()).height_m, sites.height_m)
        if isinstance(points, Route):
            return _trace_both(scene, sites, transmitters, points, model, max_paths, given)
        paths = trace(scene, sites, points, model, **given)
        columns = _columns(paths)
        rows, others, moving = columns["transmitter"], columns["point"], transmitters
        shape = (len(moving), len(np.atleast_2d(np.asarray(points))))
        freq_hz = np.repeat(_frequencies(list(sites), model, given)[:, None], shape[1], axis=1)
        velocity, position_m = moving.velocity_m_s[rows], np.column_stack([sites.x_m, sites.y_m, sites.height_m])
    elif isinstance(points, Route):
        sites_given = as_list(transmitters)
        paths, moving = trace(scene, sites_given, points.points, model, **given), points
        paths.set_motions(points.motions)
        columns, position_m = _columns(paths), paths.points
        rows, others = columns["point"], columns["transmitter"]
        shape = (len(moving), len(sites_given))
        freq_hz = np.repeat(_frequencies(sites_given, model, given)[None], shape[0], axis=0)
        velocity = np.broadcast_to(np.asarray(transmitter_velocity_m_s, dtype=float), (shape[1], 3))[others]
    else:
        raise BadCallError("one of transmitters and points is a Route; trace is for places that stand")
    shift = _towards(columns["departure_theta_deg"], columns["departure_phi_deg"], velocity)
    columns["doppler_hz"] = columns["doppler_hz"] + freq_hz[rows, others] * shift / _SPEED_OF_LIGHT_M_S
    counts, filled = _fill(columns, rows, others, shape, max_paths)
    return RoutePaths(moving.time_s, position_m, moving.velocity_m_s, freq_hz, counts, **filled)


def _trace_both(
    scene: Scene, sites: Transmitters, source: Route, target: Route, model: str, most: int | None, given: dict[str, Any]
) -> RoutePaths:
    """One pair at each time."""
    if len(source) != len(target) or not np.array_equal(source.time_s, target.time_s):
        raise BadCallError("routes of both ends need the same times: see Route.resampled")
    freq_hz = _frequencies(list(sites), model, given)[:, None]
    parts, places = [], []
    for time, site in enumerate(sites):
        paths = trace(scene, site, target.points[time : time + 1], model, **given)
        paths.set_motions(target.motions[time : time + 1])
        part = _columns(paths)
        shift = _towards(part["departure_theta_deg"], part["departure_phi_deg"], source.velocity_m_s[time])
        part["doppler_hz"] = part["doppler_hz"] + freq_hz[time, 0] * shift / _SPEED_OF_LIGHT_M_S
        part["point"] = np.full(len(part["point"]), time)
        parts.append(part)
        places.append(paths.points[0])
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    none = np.zeros(len(columns["point"]), int)
    counts, filled = _fill(columns, columns["point"], none, (len(target), 1), most)
    return RoutePaths(target.time_s, np.array(places), target.velocity_m_s, freq_hz, counts, **filled)

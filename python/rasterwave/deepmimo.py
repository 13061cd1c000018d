"""Channels of users with the names and shapes of DeepMIMO: power, phase, delay, angles and interactions of each path.

Version 4 has one array for each quantity, [user, path] with NaN beyond the last path of a user; version 3 one dictionary
for each user. Powers are those of 0 dBW between the antennas of the call (isotropic by default, so that DeepMIMO can put
its own arrays in their place); the phase is that of the path at the carrier; elevations count from zenith, azimuths from
east, counter-clockwise. deepmimo.Dataset(dataset(...)).compute_channels() needs nothing else; save_scenario writes the
folder that deepmimo.load reads.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._library import BadCallError
from ._models import model_options
from ._paths import INTERACTIONS, trace
from ._scenario import SceneObjects, save_scenario
from ._scene import Scene
from ._sites import Transmitter, as_list

__all__ = ["as_v3", "dataset", "save_scenario"]

# Digits of `inter`, in the order of the path; 0 alone is the direct path.
REFLECTION, DIFFRACTION, SCATTERING, TRANSMISSION = 1, 2, 3, 4
_DIGITS = {
    "reflection": REFLECTION,
    "street": DIFFRACTION,
    "roof": DIFFRACTION,
    "scattering": SCATTERING,
    "wall": TRANSMISSION,
}
_DIGIT_OF = np.array([_DIGITS.get(word, 0) for word in INTERACTIONS], float)


def dataset(
    scene: Scene,
    transmitter: Transmitter,
    users: Any,
    *,
    num_paths: int = 25,
    model: str = "images",
    tx_velocity: Any = None,
    rx_velocity: Any = None,
    **given: Any,
) -> dict[str, Any]:
    """Arrays of one transmitter and users [n, 3] by the names of DeepMIMO v4; options are those of trace.

    power (dBW), phase (deg), delay (s), aoa_az, aoa_el, aod_az, aod_el (deg), inter (digits) [n, path]; inter_pos [n,
    path, interaction, 3]; num_paths, los (1, 0, -1 without a path), pathloss (dB), distance (m) [n]; rx_pos [n, 3],
    tx_pos [1, 3], heights above ground. num_paths: the strongest n of each user. tx_velocity [3] and rx_velocity [3] or
    [n, 3] in m/s add doppler (Hz) [n, path]: channels of DeepMIMO then change over their times. scene has the bounding
    boxes of buildings and meshes, rt_params the frequency.
    """
    places = np.atleast_2d(np.asarray(users, dtype=float))
    if places.ndim != 2 or places.shape[1] != 3:
        raise BadCallError(f"users: an array of shape (n, 3) is needed, not {np.shape(users)}")
    if num_paths < 1:
        raise BadCallError(f"num_paths of {num_paths}: at least 1")
    (transmitter,) = as_list(transmitter)
    paths = trace(scene, transmitter, places, model, **given)
    if len(paths) and not np.any(paths.gain):
        raise BadCallError(f"model {model} gives no phases of paths; use images, rt or sbr")
    user, rank = paths.point, np.empty(len(paths), np.intp)
    order = np.lexsort((-np.abs(paths.gain), user))  # user by user, each from the strongest
    rank[order] = np.arange(len(user)) - np.searchsorted(user[order], user[order])
    kept = rank < num_paths
    at, shape = (user[kept], rank[kept]), (len(places), num_paths)

    def filled(values: Any) -> Any:
        made = np.full(shape, np.nan)
        made[at] = values[kept]
        return made

    gain = paths.gain
    inter, inter_pos = _interactions(paths, kept, at, shape)
    found = {
        "power": filled(20 * np.log10(np.abs(gain))),
        "phase": filled(np.degrees(np.angle(gain))),
        "delay": filled(paths.delay_s),
        "aoa_az": filled(paths.arrival_phi_deg),
        "aoa_el": filled(paths.arrival_theta_deg),
        "aod_az": filled(paths.departure_phi_deg),
        "aod_el": filled(paths.departure_theta_deg),
        "inter": inter,
        "inter_pos": inter_pos,
    }
    found.update(_summary(found, places, np.array([[transmitter.x_m, transmitter.y_m, transmitter.height_m]])))
    freq_hz = carrier_hz(scene, transmitter, model, given)
    if tx_velocity is not None or rx_velocity is not None:
        found["doppler"] = _doppler(found, freq_hz, tx_velocity, rx_velocity)
    return {**found, "rt_params": {"frequency": freq_hz}, "scene": {"objects": SceneObjects(scene)}}


def carrier_hz(scene: Scene, transmitter: Transmitter, model: str, given: dict[str, Any]) -> float:
    """The frequency of the paths: of the transmitter, of the call, or the default of the model."""
    asked = given.get("freq", model_options(model)["freq"].default_text)
    return float(transmitter.freq_hz or (scene.context.parse(asked, "frequency_hz") if isinstance(asked, str) else asked))


def _velocities(values: Any, users: int, what: str) -> Any:
    found = np.zeros(3) if values is None else np.asarray(values, dtype=float)
    if found.shape not in ((3,), (users, 3)) or not np.isfinite(found).all():
        raise BadCallError(f"{what}: three numbers in m/s are needed{', or three for each user' if users else ''}")
    return np.broadcast_to(found, (users, 3)) if users else found


def _directions(azimuth_deg: Any, zenith_deg: Any) -> Any:
    phi, theta = np.radians(azimuth_deg), np.radians(zenith_deg)
    return np.stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)], axis=-1)


def _doppler(found: dict[str, Any], freq_hz: float, tx_velocity: Any, rx_velocity: Any) -> Any:
    """Shift of each path in Hz: positive where its length shrinks; the scene stands still."""
    departs = _directions(found["aod_az"], found["aod_el"])
    arrives = _directions(found["aoa_az"], found["aoa_el"])  # from the user towards where the wave comes from
    sender = _velocities(tx_velocity, 0, "tx_velocity")
    user = _velocities(rx_velocity, len(departs), "rx_velocity")
    return (departs @ sender + np.einsum("upc,uc->up", arrives, user)) * (freq_hz / 299792458.0)


def _interactions(paths: Any, kept: Any, at: Any, shape: tuple[int, int]) -> tuple[Any, Any]:
    """Digits and places of the interactions of each path."""
    vertices, begin = paths.all_vertices()
    depth = np.diff(begin) - 2
    most = int(depth[kept].max()) if kept.any() else 0
    digits, places = np.zeros(len(depth)), np.full((len(depth), most, 3), np.nan)
    for step in range(most):
        has = depth > step
        vertex = vertices[begin[:-1][has] + 1 + step]
        digits[has] = 10 * digits[has] + _DIGIT_OF[vertex["interaction"]]
        places[has, step] = np.stack([vertex["x_m"], vertex["y_m"], vertex["z_m"]], axis=1)
    inter, inter_pos = np.full(shape, np.nan), np.full((*shape, most, 3), np.nan)
    inter[at], inter_pos[at] = digits[kept], places[kept]
    return inter, inter_pos


def _summary(found: dict[str, Any], users: Any, mast: Any) -> dict[str, Any]:
    """What follows from the paths of each user."""
    there = np.isfinite(found["power"])
    field = np.where(there, 10 ** (found["power"] / 20) * np.exp(1j * np.radians(found["phase"])), 0).sum(axis=1)
    count = there.sum(axis=1)
    with np.errstate(divide="ignore"):
        loss = np.where(count > 0, -20 * np.log10(np.abs(field)), np.nan)
    los = np.where(count == 0, -1, (found["inter"] == 0).any(axis=1).astype(int))
    distance = np.linalg.norm(users - mast, axis=1)
    return {"num_paths": count, "los": los, "pathloss": loss, "distance": distance, "rx_pos": users, "tx_pos": mast}


def as_v3(data: dict[str, Any]) -> dict[str, Any]:
    """The same by the names of DeepMIMO v3: user and basestation, with a dictionary of the paths of each user."""
    named = {"DoD_theta": "aod_el", "DoD_phi": "aod_az", "DoA_theta": "aoa_el", "DoA_phi": "aoa_az", "phase": "phase", "ToA": "delay"}
    paths = []
    for user, count in enumerate(data["num_paths"]):
        each: dict[str, Any] = {name: data[of][user, :count].copy() for name, of in named.items()}
        each["power"] = 10 ** (data["power"][user, :count] / 10)  # W for one W sent
        each["LoS"] = (data["inter"][user, :count] == 0).astype(int)
        each["num_paths"] = int(count)
        paths.append(each)
    users = {name: data[of] for name, of in {"LoS": "los", "location": "rx_pos", "distance": "distance", "pathloss": "pathloss"}.items()}
    return {"user": {"paths": paths, **users}, "basestation": {"location": data["tx_pos"]}, "location": data["tx_pos"][0]}

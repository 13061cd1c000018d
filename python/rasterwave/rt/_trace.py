"""From ends in a scene to paths as arrays, by the model images."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _paths
from .._library import BadCallError
from .._sites import Transmitter as _EngineTransmitter
from ._materials import AbsorberRadioMaterial
from ._scene import Scene
from ._utils import SPEED_OF_LIGHT, Array, r_hat


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
_KIND_OF = np.array([_KINDS.get(word, InteractionType.NONE) for word in _paths.INTERACTIONS], np.uint32)

# The two ends stand at odd slants while paths are searched for, so that no path is lost because it turns the field across
# the receiver's antenna.
_SLANTS_DEG = (27.0, 61.0)


def view_pixels(samples: int) -> int:
    """Pixels along a side of views in place of samples."""
    return 4096 if samples >= 1000000 else 2048 if samples >= 250000 else 1024


@dataclass
class Ways:
    """Which paths are looked for."""

    max_depth: int = 3
    los: bool = True
    specular_reflection: bool = True
    diffuse_reflection: bool = False
    refraction: bool = True
    diffraction: bool = False
    pixels: int = 4096  # along a side of each view
    edge_diffraction: bool = False  # at edges of one surface alone, as of screens
    diffraction_lit_region: bool = True  # not only where the straight line is behind the wedge

    def __post_init__(self) -> None:
        if isinstance(self.max_depth, bool) or self.max_depth != int(self.max_depth) or self.max_depth < 0:
            raise BadCallError(f"max_depth of {self.max_depth!r}: a whole number from 0 on")

    def scatters(self, scene: Scene) -> bool:
        """Whether some material makes diffuse paths."""
        rough = any(getattr(each, "scattering_coefficient", 0) > 0 for each in scene.radio_materials.values())
        return self.diffuse_reflection and self.max_depth > 0 and rough

    @property
    def selects_edges(self) -> bool:
        """Whether some of the engine's diffracted paths are dropped."""
        return self.diffraction and self.max_depth > 0 and not (self.edge_diffraction and self.diffraction_lit_region)

    def options(self) -> dict[str, Any]:
        """Of the model images."""
        given: dict[str, Any] = {
            "depth": max(1, self.max_depth),
            "reflections": self.max_depth if self.specular_reflection else 0,
            "transmissions": self.max_depth if self.refraction else 0,
            "direct": "limited",
            "refraction": "none",
            "pixels": self.pixels,
            "threshold": 1,
        }
        return {**given, "diffractions": 1} if self.diffraction and self.max_depth else given


@dataclass
class Found:
    """Paths, one after the other: from sources to targets by number. transfer [path, 2, 2] goes from theta and phi at the
    source (last index) to theta and phi at the target, without the carrier's phase over the delay tau; departs and
    arrives are directions away from both ends; first [path + 1] tells where each path's inner vertices begin."""

    source: Array
    target: Array
    transfer: Array
    tau: Array
    departs: Array
    arrives: Array
    first: Array
    vertices: Array
    kinds: Array

    def __len__(self) -> int:
        return len(self.tau)

    @property
    def depth(self) -> Array:
        return np.diff(self.first)

    @classmethod
    def joined(cls, parts: list[Found]) -> Found:
        """The paths of several, one after the other."""
        names = ("source", "target", "transfer", "tau", "departs", "arrives", "vertices", "kinds")
        each = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
        first = np.concatenate([[0], np.cumsum(np.concatenate([part.depth for part in parts]))])
        return cls(first=first, **each)

    def taken(self, chosen: Array) -> Found:
        """Some of the paths, by number, in that order."""
        depth = self.depth[chosen]
        first = np.concatenate([[0], np.cumsum(depth)])
        inner = np.repeat(self.first[:-1][chosen] - first[:-1], depth) + np.arange(first[-1])
        parts = (self.source, self.target, self.transfer, self.tau, self.departs, self.arrives)
        each = [*(part[chosen] for part in parts), first, self.vertices[inner], self.kinds[inner]]
        return Found(*each)


def straight(sources: Array, targets: Array, wavelength: float) -> Found:
    """The direct paths where there is nothing."""
    source, target = (part.ravel() for part in np.meshgrid(np.arange(len(sources)), np.arange(len(targets)), indexing="ij"))
    way = targets[target] - sources[source]
    length = np.linalg.norm(way, axis=1)
    kept = length > 0
    source, target, way, length = source[kept], target[kept], way[kept], length[kept]
    to = way / length[:, None]
    # Looking back, phi has turned round and theta has not: in free space phi arrives with the other sign.
    transfer = np.zeros((len(length), 2, 2), complex)
    transfer[:, 0, 0], transfer[:, 1, 1] = 1, -1
    transfer *= (wavelength / (4 * np.pi * length))[:, None, None]
    none = np.zeros(len(length) + 1, np.intp)
    return Found(source, target, transfer, length / SPEED_OF_LIGHT, to, -to, none, np.zeros((0, 3)), np.zeros(0, np.uint32))


def trace(scene: Scene, sources: Array, targets: Array, ways: Ways) -> Found:
    """All paths between places [n, 3], those of one source after the other, from its strongest to each target."""
    raised = scene.raised(np.concatenate([sources, targets]))
    engine = scene.engine
    if engine is None:
        found = straight(sources, targets, scene.wavelength)
        return found if ways.los else found.taken(np.zeros(0, np.intp))
    senders = [_EngineTransmitter(x, y, z, slant_deg=_SLANTS_DEG[0]) for x, y, z in raised[: len(sources)].tolist()]
    traced = _paths.trace(
        engine, senders, raised[len(sources) :], "images", freq=scene.frequency, rx_slant=_SLANTS_DEG[1], **ways.options()
    )
    vertices, begin = traced.all_vertices()
    inner = np.ones(len(vertices), bool)
    inner[begin[:-1]] = inner[begin[1:] - 1] = False
    first = begin - 2 * np.arange(len(begin))
    places = np.stack([vertices["x_m"], vertices["y_m"], vertices["z_m"] - scene._lift_m], axis=1)[inner]
    # Walls turn the phase of coefficients and add nothing to delays, as there.
    tau = traced.length_m / SPEED_OF_LIGHT
    carrier = np.exp(2j * np.pi * scene.frequency * tau)
    angles = (traced.departure_theta_deg, traced.departure_phi_deg, traced.arrival_theta_deg, traced.arrival_phi_deg)
    theta_t, phi_t, theta_r, phi_r = (np.radians(angle) for angle in angles)
    found = Found(
        traced.transmitter,
        traced.point,
        traced.transfer * carrier[:, None, None],
        tau,
        np.asarray(r_hat(theta_t, phi_t)),
        np.asarray(r_hat(theta_r, phi_r)),
        first,
        places,
        _KIND_OF[vertices["interaction"][inner]],
    )
    strength = np.sum(np.abs(found.transfer) ** 2, axis=(1, 2))
    kept = np.ones(len(found), bool) if ways.los else found.depth > 0
    kept &= found.depth <= max(ways.max_depth, 0)
    if ways.selects_edges:
        kept &= _edges_selected(scene, found, sources, targets, ways)
    order = np.lexsort((found.tau, -strength, found.target, found.source))
    return _drop_absorbed(scene, found.taken(order[kept[order]]))


def _edges_selected(scene: Scene, found: Found, sources: Array, targets: Array, ways: Ways) -> Array:
    """Of each path, whether its diffraction is at a kind of edge, and in a region, that is wanted."""
    wanted = np.ones(len(found), bool)
    objects = list(scene.objects.values())
    corners = np.concatenate([item.mi_mesh.vertices[item.mi_mesh.triangles] for item in objects]).astype(float)
    for path in np.nonzero(found.depth)[0]:
        inner = range(int(found.first[path]), int(found.first[path + 1]))
        points = [sources[found.source[path]], *found.vertices[inner.start : inner.stop], targets[found.target[path]]]
        for step, vertex in enumerate(inner, 1):
            if found.kinds[vertex] == InteractionType.DIFFRACTION:
                near = corners[_near(corners, points[step])]
                near = near[_distance(near, points[step]) < 5e-3] if len(near) else near
                faces, line = _faces_at(near, points[step])
                free = len(faces) < 2
                shadow = _behind_edge(faces, line, points[step - 1] - points[step], points[step + 1] - points[step])
                wanted[path] &= (ways.edge_diffraction or not free) and (ways.diffraction_lit_region or shadow)
    return wanted


def _faces_at(corners: Array, point: Array) -> tuple[Array, Array]:
    """Directions of the half planes [n, 3] that leave an edge at a point of it, one for each plane; and the edge's."""
    starts, ends = corners.reshape(-1, 3), np.roll(corners, -1, axis=1).reshape(-1, 3)
    sides = ends - starts
    length = np.maximum(np.linalg.norm(sides, axis=1), 1e-12)
    along = np.clip(np.sum((point - starts) * sides, axis=1) / length**2, 0, 1)
    off = np.linalg.norm(starts + along[:, None] * sides - point, axis=1)
    if not len(off):
        return np.zeros((0, 3)), np.array([0.0, 0.0, 1.0])
    line = sides[np.argmin(off)] / length[np.argmin(off)]
    away = corners.mean(axis=1) - point
    away = away - np.outer(away @ line, line)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    holds = np.abs(normal @ line) < 1e-3 * np.maximum(np.linalg.norm(normal, axis=1), 1e-30)
    faces: list[Array] = []
    for each in away[holds & (np.linalg.norm(away, axis=1) > 1e-9)]:
        each = each / np.linalg.norm(each)
        if all(each @ other < np.cos(0.0175) for other in faces):
            faces.append(each)
    # Two half planes that go straight on are one surface.
    if len(faces) == 2 and faces[0] @ faces[1] < -np.cos(0.0175):
        faces = faces[:1]
    return np.array(faces).reshape(-1, 3), line


def _behind_edge(faces: Array, line: Array, source: Array, target: Array) -> bool:
    """Whether the turn from the source's side of an edge to the target's, past no face, is more than half a circle."""
    ahead = np.cross(line, [1.0, 0.0, 0.0] if abs(line[0]) < 0.9 else [0.0, 1.0, 0.0])
    ahead /= np.linalg.norm(ahead)
    aside = np.cross(line, ahead)
    own = np.arctan2(source @ aside, source @ ahead)
    turns = (np.arctan2(faces @ aside, faces @ ahead) - own) % (2 * np.pi)
    turn = (np.arctan2(target @ aside, target @ ahead) - own) % (2 * np.pi)
    if len(turns) and turns.min() < turn < turns.max():
        return False
    return bool((turn if not len(turns) or turn <= turns.min() else 2 * np.pi - turn) > np.pi)


def absorbers_of(scene: Scene) -> list[int]:
    """The object_id of every object that absorbs."""
    return [item.object_id for item in scene.objects.values() if isinstance(item.radio_material, AbsorberRadioMaterial)]


def _drop_absorbed(scene: Scene, found: Found) -> Found:
    """The paths that meet no absorber."""
    absorbers = absorbers_of(scene)
    if not absorbers:
        return found
    met = np.isin(hits(scene, found.vertices)[0], absorbers)
    lost = np.unique(np.repeat(np.arange(len(found)), found.depth)[met])
    return found.taken(np.delete(np.arange(len(found)), lost))


def hits(scene: Scene, vertices: Array, step: int = 256) -> tuple[Array, Array]:
    """Of each vertex, the object (its object_id) and the number of the triangle on which it lies."""
    objects = list(scene.objects.values())
    ids, numbers = np.full(len(vertices), 0xFFFFFFFF, np.uint32), np.full(len(vertices), 0xFFFFFFFF, np.uint32)
    if not objects or not len(vertices):
        return ids, numbers
    corners = np.concatenate([item.mi_mesh.vertices[item.mi_mesh.triangles] for item in objects])
    owner = np.concatenate([np.full(len(item.mi_mesh.triangles), item.object_id, np.uint32) for item in objects])
    number = np.concatenate([np.arange(len(item.mi_mesh.triangles), dtype=np.uint32) for item in objects])
    for begin in range(0, len(vertices), step):
        part = vertices[begin : begin + step]
        for place, point in enumerate(part, begin):
            near = _near(corners, point)
            if len(near):
                best = near[np.argmin(_distance(corners[near], point))]
                ids[place], numbers[place] = owner[best], number[best]
    return ids, numbers


def _near(corners: Array, point: Array, reach_m: float = 0.02) -> Array:
    low, high = corners.min(axis=1) - reach_m, corners.max(axis=1) + reach_m
    return np.nonzero(((point >= low) & (point <= high)).all(axis=1))[0]


def _distance(corners: Array, point: Array) -> Array:
    """How far a point lies from triangles [n, 3, 3]: over their plane, and outside of their sides."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    normal = np.cross(b - a, c - a)
    area = np.maximum(np.linalg.norm(normal, axis=1), 1e-30)
    normal = normal / area[:, None]
    over = np.abs(np.einsum("nk,nk->n", point - a, normal))
    outside = np.zeros(len(corners))
    for start, end in ((a, b), (b, c), (c, a)):
        side = end - start
        inward = np.cross(normal, side) / np.maximum(np.linalg.norm(side, axis=1), 1e-30)[:, None]
        outside = np.maximum(outside, -np.einsum("nk,nk->n", point - start, inward))
    return over + outside

"""Diffuse reflection: surfaces that scatter as patches, each a path or, in radio maps, a source of power.

The effective-roughness model (Degli-Esposti et al., IEEE Trans. AP 55, 2007; conventions of Sionna RT): of the field that a
smooth surface would reflect, the fraction sqrt(1 - S^2) stays specular and S^2 of its power scatters with a pattern f. A patch of
area dA scatters |E_s|^2 = |E_i|^2 Gamma^2 S^2 f cos(theta_i) dA / r^2, with the polarisation that the XPD coefficient tells. Nothing
is drawn at random: triangles are halved until patches are small against their distance from the devices, so that results are the
same on every run. A path scatters once, anywhere on it.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._antennas import AntennaArray
from ._patterns import LambertianPattern
from ._scene import Scene
from ._trace import Found, InteractionType, Ways, trace
from ._utils import SPEED_OF_LIGHT, VACUUM_PERMITTIVITY, Array, phi_hat, theta_hat, theta_phi_from_unit_vec

_FINE = 0.2  # longest side of a patch over its distance from the nearest device, where the number of patches allows it
_OFFSET_M = 1e-3  # of the points at which paths end, over both sides of a patch
_OWN_M = 5e-3  # a vertex so near the plane of the patch next to it is on the patch's own surface
_VIEW_PIXELS = 1024  # of views that find paths to patches; what is found there is exact
_LEG_PIXELS = 256  # of views that find which cells a patch sees
_NEAR = 3.0  # sides of a patch within which a cell has it in pieces
_BATCH = 32  # patches that are sources at once


def _pieces(n: int) -> Array:
    """Middles of the n^2 like triangles that make up one, by weights of its corners [n^2, 3]."""
    upright = [(i + 1 / 3, j + 1 / 3) for i in range(n) for j in range(n - i)]
    turned = [(i + 2 / 3, j + 2 / 3) for i in range(n) for j in range(n - i - 1)]
    return np.array([[1 - (u + v) / n, u / n, v / n] for u, v in upright + turned])


_PIECES = _pieces(4)


def patch_count(samples: int) -> int:
    """Patches in place of samples."""
    return int(min(50000, max(64, samples // 125)))


def rough_materials(scene: Scene) -> list[Any]:
    """Materials that scatter."""
    return [each for each in scene.radio_materials.values() if getattr(each, "scattering_coefficient", 0) > 0]


@dataclass
class Patches:
    """Sides of patches: a point over each, the normal on its side, corners, area, and number of the material."""

    points: Array
    normals: Array
    corners: Array
    areas: Array
    material: Array
    materials: list[Any]


def patches_of(scene: Scene, devices: Array, count: int) -> Patches:
    """At most so many patches of the surfaces that scatter, both sides of each, fine where devices [n, 3] are near."""
    materials, corners, owner = rough_materials(scene), [], []
    for item in scene.objects.values():
        if item.radio_material in materials:
            corners.append(item.mi_mesh.vertices[item.mi_mesh.triangles].astype(float))
            owner.append(np.full(len(corners[-1]), materials.index(item.radio_material)))
    triangles = np.concatenate(corners) if corners else np.zeros((0, 3, 3))
    material = np.concatenate(owner) if owner else np.zeros(0, int)
    triangles, material = _largest(triangles, material, devices, count)
    while len(triangles) < count:
        sides = np.roll(triangles, -1, axis=1) - triangles
        length2 = np.sum(sides**2, axis=2)
        ratio2 = length2.max(axis=1) / _distance2(triangles.mean(axis=1), devices)
        order = np.argsort(-ratio2, kind="stable")[: count - len(triangles)]
        chosen = order[ratio2[order] > _FINE**2]
        if not len(chosen):
            break
        # Halved across the longest side.
        turned = np.stack([triangles[chosen, (length2[chosen].argmax(axis=1) + step) % 3] for step in range(3)], axis=1)
        middle = turned[:, :2].mean(axis=1)
        first, second = turned.copy(), turned.copy()
        first[:, 1], second[:, 0] = middle, middle
        triangles[chosen] = first
        triangles, material = np.concatenate([triangles, second]), np.concatenate([material, material[chosen]])
    across = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    twice = np.linalg.norm(across, axis=1)
    kept = twice > 1e-12
    normal, middle = across[kept] / twice[kept, None], triangles[kept].mean(axis=1)
    normals = np.concatenate([normal, -normal])
    return Patches(
        np.concatenate([middle, middle]) + _OFFSET_M * normals,
        normals,
        np.concatenate([triangles[kept], triangles[kept]]),
        np.tile(twice[kept] / 2, 2),
        np.tile(material[kept], 2),
        materials,
    )


def _distance2(places: Array, devices: Array) -> Array:
    """Squared distance from the nearest device."""
    nearest = np.full(len(places), np.inf)
    for device in devices:
        nearest = np.minimum(nearest, np.sum((places - device) ** 2, axis=1))
    return np.maximum(nearest, 1e-4)


def _largest(triangles: Array, material: Array, devices: Array, count: int) -> tuple[Array, Array]:
    """Where there are more triangles than patches: those that the devices see largest."""
    if len(triangles) <= count:
        return triangles.copy(), material
    area = np.linalg.norm(np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1)
    order = np.sort(np.argsort(-area / _distance2(triangles.mean(axis=1), devices), kind="stable")[:count])
    return triangles[order], material[order]


def reflection_coefficients(material: Any, cosine: Array, frequency: float) -> tuple[Array, Array]:
    """TE and TM of a slab by its two faces (ITU-R P.2040), as rasterwave.calc.slab computes them for one angle."""
    angular = 2 * np.pi * frequency
    index2 = material.relative_permittivity - 1j * material.conductivity / (VACUUM_PERMITTIVITY * angular)
    root = np.sqrt(index2 - (1 - cosine**2) + 0j)
    delay = np.exp(-2j * angular / SPEED_OF_LIGHT * material.thickness * root)
    te = (cosine - root) / (cosine + root)
    tm = (index2 * cosine - root) / (index2 * cosine + root)
    return tuple(each * (1 - delay) / (1 - each**2 * delay) for each in (te, tm))


def _frame(normals: Array, directions: Array) -> Array:
    """Directions [n, 3] in frames whose z is the normal."""
    helper = np.where(np.abs(normals[:, :1]) < 0.9, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]])
    x = np.cross(helper, normals)
    x /= np.linalg.norm(x, axis=1)[:, None]
    y = np.cross(normals, x)
    return np.stack([np.sum(axis * directions, axis=1) for axis in (x, y, normals)], axis=1)


def _pattern(patches: Patches, side: Array, inward: Array, outward: Array) -> Array:
    """Power per solid angle scattered from directions of propagation in to those out, 0 behind the surface."""
    found = np.zeros(len(side))
    for number, material in enumerate(patches.materials):
        own = np.nonzero(patches.material[side] == number)[0]
        if len(own):
            normals = patches.normals[side[own]]
            k_i, k_o = _frame(normals, inward[own]), _frame(normals, outward[own])
            # [3, 3] would be read as columns
            values = np.asarray(material.scattering_pattern(np.concatenate([k_i, k_i[:1]]), np.concatenate([k_o, k_o[:1]])))
            found[own] = np.where(k_o[:, 2] > 1e-9, values.reshape(-1)[:-1], 0.0)
    return found


def _reflected(scene: Scene, patches: Patches, side: Array, inward: Array, fields: Array) -> Array:
    """What a smooth surface would reflect of the power of fields [n, wave, 2], along theta and phi of their directions."""
    normals = patches.normals[side]
    across = np.cross(inward, normals)
    length = np.linalg.norm(across, axis=1)
    theta, phi = theta_phi_from_unit_vec(inward)
    along_theta, along_phi = np.asarray(theta_hat(theta, phi)), np.asarray(phi_hat(phi))
    te = np.where(length[:, None] > 1e-9, across / np.maximum(length, 1e-30)[:, None], along_phi)
    tm = np.cross(te, inward)
    amplitudes = []
    for axis in (te, tm):
        turn = np.stack([np.sum(axis * along_theta, axis=1), np.sum(axis * along_phi, axis=1)], axis=1)
        amplitudes.append(np.einsum("nwk,nk->nw", fields, turn))
    cosine = np.abs(np.sum(inward * normals, axis=1))
    power = np.zeros(fields.shape[:2])
    for number, material in enumerate(patches.materials):
        own = patches.material[side] == number
        for amplitude, coefficient in zip(amplitudes, reflection_coefficients(material, cosine[own], float(scene.frequency))):
            power[own] += np.abs(amplitude[own]) ** 2 * np.abs(coefficient[:, None]) ** 2
    return power


def _legs(scene: Scene, places: Array, patches: Patches, ways: Ways) -> Found:
    """Paths from places to the sides of patches that come from the side's half space, and not over the patch's own surface."""
    inner = copy.copy(ways)
    inner.max_depth, inner.los, inner.diffuse_reflection = ways.max_depth - 1, True, False
    inner.pixels = min(ways.pixels, _VIEW_PIXELS)
    found = trace(scene, places, patches.points, inner)
    normals, points = patches.normals[found.target], patches.points[found.target]
    kept = np.sum(found.arrives * normals, axis=1) > 1e-6
    last = np.nonzero(found.depth > 0)[0]
    height = np.sum((found.vertices[found.first[1:][last] - 1] - points[last]) * normals[last], axis=1) + _OFFSET_M
    kept[last[np.abs(height) < _OWN_M]] = False
    chosen = np.nonzero(kept)[0]
    return found.taken(chosen[np.argsort(found.target[chosen], kind="stable")])


def _begins(sorted_numbers: Array, count: int) -> Array:
    """Where each number from 0 on begins in a sorted list, and its end."""
    return np.searchsorted(sorted_numbers, np.arange(count + 1))


def _ragged(starts: Array, lengths: Array, backwards: bool = False) -> Array:
    """Indices starts[i], starts[i] + 1, ... of each i one after the other."""
    within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    if backwards:
        return np.repeat(starts + lengths - 1, lengths) - within
    return np.repeat(starts, lengths) + within


def _xpd(patches: Patches, side: Array) -> Array:
    """From components along theta and phi of the direction in to those of the direction out [n, 2, 2]."""
    leaks = np.array([float(each.xpd_coefficient) for each in patches.materials])[patches.material[side]]
    stays, leaks = np.sqrt(1 - leaks), np.sqrt(leaks)
    return np.stack([np.stack([stays, -leaks], axis=-1), np.stack([leaks, stays], axis=-1)], axis=1)


def scattered_paths(scene: Scene, sources: Array, targets: Array, ways: Ways, count: int) -> Found:
    """All paths that scatter once, by at most so many patches: transfers are exact for each component of the source's field."""
    patches = patches_of(scene, np.concatenate([sources, targets]), count)
    before, after = _legs(scene, sources, patches, ways), _legs(scene, targets, patches, ways)
    first = _begins(before.target, len(patches.points))
    own = np.diff(first)[after.target]
    behind = np.repeat(np.arange(len(after)), own)
    ahead = _ragged(first[after.target], own)
    fits = before.depth[ahead] + after.depth[behind] + 1 <= ways.max_depth
    ahead, behind = ahead[fits], behind[fits]
    side = before.target[ahead]
    # Fields along theta and phi of the direction of propagation: phi turns round with the direction.
    incident = np.moveaxis(before.transfer[ahead], 1, 2) * [1, -1]
    inward, outward = -before.arrives[ahead], after.arrives[behind]
    size = np.sum(np.abs(incident) ** 2, axis=2)
    gamma = np.sqrt(_reflected(scene, patches, side, inward, incident) / np.where(size > 0, size, 1))
    roughness = np.array([float(each.scattering_coefficient) for each in patches.materials])[patches.material[side]]
    cosine = np.sum(-inward * patches.normals[side], axis=1)
    factor = roughness * np.sqrt(_pattern(patches, side, inward, outward) * cosine * patches.areas[side])
    leaving = np.einsum("nok,njk->noj", _xpd(patches, side), incident * gamma[:, :, None])
    # The leg behind is that from the target to the patch, read backwards.
    transfer = np.einsum("nkr,nkj->nrj", after.transfer[behind], leaving) * (factor * 4 * np.pi / scene.wavelength)[:, None, None]
    depths = before.depth[ahead], np.ones(len(side), int), after.depth[behind]
    begin = np.concatenate([[0], np.cumsum(sum(depths))])
    vertices, kinds = np.empty((begin[-1], 3)), np.full(begin[-1], InteractionType.DIFFUSE, np.uint32)
    at, middle = _ragged(begin[:-1], depths[0]), begin[:-1] + depths[0]
    inner = _ragged(before.first[ahead], depths[0])
    vertices[at], kinds[at] = before.vertices[inner], before.kinds[inner]
    vertices[middle] = patches.points[side] - _OFFSET_M * patches.normals[side]
    at, inner = _ragged(middle + 1, depths[2]), _ragged(after.first[behind], depths[2], backwards=True)
    vertices[at], kinds[at] = after.vertices[inner], after.kinds[inner]
    found = Found(
        before.source[ahead],
        after.source[behind],
        transfer,
        before.tau[ahead] + after.tau[behind],
        before.departs[ahead],
        after.departs[behind],
        begin,
        vertices,
        kinds,
    )
    return found.taken(np.nonzero(np.sum(np.abs(transfer) ** 2, axis=(1, 2)) > 0)[0])


def scattered_gain(scene: Scene, places: Array, ways: Ways, array: AntennaArray, weights: Array, count: int) -> Array:
    """Path gain [tx, place] of what scatters last on its path, for a dual-polarised isotropic receiver."""
    devices = list(scene.transmitters.values())
    sources = np.stack([np.asarray(device.position) for device in devices])
    gain = np.zeros((len(devices), len(places)))
    patches = patches_of(scene, sources, count)
    found = _legs(scene, sources, patches, ways)
    sent = np.empty((len(found), 2), complex)
    for number, device in enumerate(devices):
        own = found.source == number
        sent[own] = sent_fields(array, device.orientation, weights[number], found.departs[own])
    fields = np.einsum("pij,pj->pi", found.transfer, sent) * [1, -1]
    inward = -found.arrives
    cosine = np.sum(found.arrives * patches.normals[found.target], axis=1)
    roughness = np.array([float(each.scattering_coefficient) for each in patches.materials])[patches.material[found.target]]
    # Power over solid angle and 1 / r^2; the wavelength of the leg in is undone, that of the leg out is in the gain again.
    power = _reflected(scene, patches, found.target, inward, fields[:, None, :])[:, 0]
    power = power * roughness**2 * cosine * patches.areas[found.target]
    lit = np.unique(found.target[power > 0])
    leg = Ways(0, pixels=_LEG_PIXELS)
    for begin in range(0, len(lit), _BATCH):
        sides = lit[begin : begin + _BATCH]
        out = trace(scene, patches.points[sides], places, leg)
        starts = _begins(out.source, len(sides))
        for number, side in enumerate(sides):
            seen = out.target[starts[number] : starts[number + 1]]
            for path in np.nonzero(found.target == side)[0]:
                gain[found.source[path], seen] += power[path] * _spread(patches, side, inward[path], places[seen])
    return gain


def _spread(patches: Patches, side: int, inward: Array, places: Array) -> Array:
    """Mean over a patch of the pattern over the squared distance from places; those that are near have it in 16 pieces."""
    middle, area = patches.points[side], patches.areas[side]
    near = np.sum((places - middle) ** 2, axis=1) < _NEAR**2 * area
    total = np.zeros(len(places))
    for chosen, pieces in ((np.nonzero(~near)[0], middle[None]), (np.nonzero(near)[0], _PIECES @ patches.corners[side])):
        for piece in pieces if len(chosen) else []:
            away = places[chosen] - piece
            distance2 = np.sum(away**2, axis=1)
            sides, k_i = np.full(len(chosen), side), np.tile(inward, (len(chosen), 1))
            # The power of an area stays finite close to it: as right over a Lambertian disc.
            shape = _pattern(patches, sides, k_i, away / np.sqrt(distance2)[:, None])
            total[chosen] += shape / (distance2 + area / len(pieces) / (2 * np.pi)) / len(pieces)
    return total


def sent_fields(array: AntennaArray, orientation: Any, weights: Array, directions: Array) -> Array:
    """Components along theta and phi [n, 2] that an array with weights sends in directions [n, 3]."""
    turned = np.asarray(array.rotate(1.0, orientation))
    phase = np.exp(2j * np.pi * directions @ turned.T)
    each = weights.reshape(len(array.antenna_pattern.patterns), -1)
    found: Array = np.einsum("pa,ra,prc->pc", phase, each, array.fields(directions, orientation))
    return found

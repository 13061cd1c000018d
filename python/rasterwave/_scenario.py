"""A scene and its channels as a scenario folder of DeepMIMO v4: matrices of each transmitter (.npz), objects.json, vertices.npz
and params.json, as its converters write them. Positions and altitudes are absolute there."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import tempfile
from typing import Any, Iterable, Sequence

import numpy as np

from ._library import BadCallError
from ._scene import Scene
from ._sites import Transmitter, as_list

Array = Any  # of numpy

MATRICES = ("aoa_az", "aoa_el", "aod_az", "aod_el", "power", "phase", "delay", "inter", "inter_pos", "rx_pos", "tx_pos")


class BoundingBox:
    """Extent of an object in m."""

    def __init__(self, low: Array, high: Array) -> None:
        self.x_min, self.y_min, self.z_min = (float(each) for each in low)
        self.x_max, self.y_max, self.z_max = (float(each) for each in high)
        self.center = (np.asarray(low, dtype=float) + np.asarray(high, dtype=float)) / 2


class SceneObject:
    """A building, a mesh or the ground: vertices [n, 3], faces as lists of their numbers, and a velocity in m/s."""

    def __init__(self, number: int, name: str, label: str, surface: str, vertices: Array, faces: list[list[int]]) -> None:
        self.object_id, self.name, self.label, self.surface = number, name, label, surface
        self.vertices, self.faces = vertices, faces
        self.bounding_box = BoundingBox(vertices.min(axis=0), vertices.max(axis=0))
        self.vel = np.zeros(3)

    def __repr__(self) -> str:
        return f"<{self.label} {self.object_id} {self.name!r}: {len(self.faces)} faces>"


class SceneObjects(Sequence[SceneObject]):
    """The objects of a scene, made when first needed: ground, parts of buildings, free-standing walls, meshes."""

    def __init__(self, scene: Scene) -> None:
        self._scene: Scene | None = scene
        self._made: list[SceneObject] = []

    def _all(self) -> list[SceneObject]:
        if self._scene is not None:
            self._made, self._scene = list_objects(self._scene), None
        return self._made

    def __len__(self) -> int:
        return len(self._all())

    def __getitem__(self, index: Any) -> Any:
        return self._all()[index]

    def __reduce__(self) -> Any:
        return list, (self._all(),)


def _prism(ring: Array, bottom_m: float, top_m: float) -> tuple[Array, list[list[int]]]:
    """Walls and roof over an outline; a courtyard in it has a prism of walls of its own."""
    count = len(ring)
    vertices = np.concatenate([np.column_stack([ring, np.full(count, z)]) for z in (bottom_m, top_m)])
    walls = [[i, (i + 1) % count, count + (i + 1) % count, count + i] for i in range(count)]
    return vertices, walls


def list_objects(scene: Scene) -> list[SceneObject]:
    """Objects of a scene in the order of their numbers; 0 is the ground."""
    info, geometry = scene.info, scene.geometry
    low = np.array([info.x_min_m, info.y_min_m, info.terrain_min_m if info.has_terrain else 0.0])
    high = np.array([info.x_max_m, info.y_max_m, low[2]])
    corners = np.array([low, [high[0], low[1], low[2]], [high[0], high[1], low[2]], [low[0], high[1], low[2]]])
    found = [SceneObject(0, "ground", "terrain", "", corners, [[0, 1, 2, 3]])]

    def add(name: str, label: str, surface: str, vertices: Array, faces: list[list[int]]) -> None:
        found.append(SceneObject(len(found), name, label, surface, vertices, faces))

    for part in scene.parts:
        vertices, faces = _prism(geometry.rings[part.first_ring], part.bottom_m, part.top_m)
        faces.append(list(range(len(vertices) // 2, len(vertices))))
        for hole in range(part.first_ring + 1, part.first_ring + part.ring_count):
            inner, walls = _prism(geometry.rings[hole], part.bottom_m, part.top_m)
            faces += [[number + len(vertices) for number in wall] for wall in walls]
            vertices = np.concatenate([vertices, inner])
        add(f"building {part.building}", "buildings", part.surface, vertices, faces)
    for number, wall in enumerate(scene.panels):
        ring = np.array([[wall.x0_m, wall.y0_m], [wall.x1_m, wall.y1_m]])
        vertices, faces = _prism(ring, wall.bottom_m, wall.top_m)
        add(f"wall {number}", "floorplans", wall.surface, vertices, faces[:1])
    for number in range(info.meshes):
        name, surface, vertices, triangles = scene.mesh(number)
        if len(vertices):
            add(name or f"mesh {number}", "objects", surface, vertices, [list(map(int, each)) for each in triangles])
    return found


def _altitudes(scene: Scene, points: Array) -> Array:
    """Points with heights above ground as points with altitudes."""
    found = np.array(points, dtype=float)
    if scene.info.has_terrain:
        for point in found:
            point[2] += scene.profile(point[:2], point[:2] + [0.01, 0.0], 2)[0][0]
    return found


def _materials(scene: Scene, names: list[str], freq_hz: float) -> dict[str, Any]:
    """Permittivity and conductivity at the frequency, as far as the scene defines them (ITU-R P.2040, equation (28))."""
    found, ghz = {}, freq_hz / 1e9
    for number, name in enumerate(names):
        entry = {"id": number, "name": name or "default", "permittivity": 1.0, "conductivity": 0.0}
        if name in scene.materials:
            material = scene.material(name)
            entry["permittivity"] = material.a * ghz**material.b
            entry["conductivity"] = material.c * ghz**material.d
        found[f"material_{number}"] = entry
    return found


def _write_objects(folder: pathlib.Path, scene: Scene, freq_hz: float) -> tuple[dict[str, Any], dict[str, Any]]:
    """Writes vertices.npz and objects.json; returns what params.json has of the scene and its materials."""
    objects = list_objects(scene)
    names = sorted({each.surface for each in objects})
    first, listed, triangles = 0, [], 0
    for each in objects:
        listed.append(
            {
                "name": each.name,
                "label": each.label,
                "id": each.object_id,
                "face_vertex_idxs": [[first + number for number in face] for face in each.faces],
                "face_material_idxs": [names.index(each.surface)] * len(each.faces),
            }
        )
        first += len(each.vertices)
        triangles += sum(len(face) - 2 for face in each.faces)
    np.savez_compressed(folder / "vertices.npz", vertices=np.concatenate([each.vertices for each in objects]))
    (folder / "objects.json").write_text(json.dumps(listed))
    faces = sum(len(each.faces) for each in objects)
    counts = {"num_scenes": 1, "n_objects": len(objects), "n_vertices": first, "n_faces": faces, "n_triangular_faces": triangles}
    return counts, _materials(scene, names, freq_hz)


def _ends(number: int, name: str, points: int, active: int, sends: bool) -> dict[str, Any]:
    return {
        "name": name,
        "id_orig": number,
        "id": number,
        "is_tx": sends,
        "is_rx": not sends,
        "num_points": points,
        "num_active_points": active,
        "num_ant": 1,
        "dual_pol": False,
        "ant_rel_positions": [[0, 0, 0]],
        "array_orientation": [0, 0, 0],
    }


def _ray_parameters(freq_hz: float, given: dict[str, Any]) -> dict[str, Any]:
    from . import __version__

    def limit(name: str) -> int:
        return int(given.get(name, given.get("depth", 0)))

    return {
        "raytracer_name": "rasterwave",
        "raytracer_version": __version__,
        "frequency": freq_hz,
        "max_path_depth": limit("depth"),
        "max_reflections": limit("reflections"),
        "max_diffractions": int(given.get("diffractions", 0)),
        "max_scattering": int(given.get("scatterings", 0)),
        "max_transmissions": int(given.get("transmissions", 0)),
    }


def save_scenario(
    folder: str | os.PathLike[str],
    scene: Scene,
    transmitters: Transmitter | Iterable[Transmitter],
    users: Any,
    *,
    num_paths: int = 25,
    model: str = "images",
    overwrite: bool = False,
    **given: Any,
) -> pathlib.Path:
    """Writes a scenario of DeepMIMO v4: transmitters and users [n, 3], all of one frequency; options are those of trace.

    deepmimo.load(name) finds it below deepmimo_scenarios in its working folder. The folder appears when it is complete; one
    of that name is replaced with overwrite only.
    """
    from .deepmimo import carrier_hz, dataset

    target, senders = pathlib.Path(folder), as_list(transmitters)
    if target.exists() and not overwrite:
        raise BadCallError(f"{target} exists: choose another folder, or overwrite=True")
    carriers = {carrier_hz(scene, each, model, given) for each in senders}
    if len(carriers) != 1:
        raise BadCallError(f"transmitters of {len(carriers)} frequencies: a scenario of DeepMIMO has one; write one for each")
    freq_hz = carriers.pop()
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as scratch:
        made = pathlib.Path(scratch) / target.name
        made.mkdir()
        active = 0
        for number, sender in enumerate(senders):
            data = dataset(scene, sender, users, num_paths=num_paths, model=model, **given)
            data["rx_pos"], data["tx_pos"] = _altitudes(scene, data["rx_pos"]), _altitudes(scene, data["tx_pos"])
            active = max(active, int((data["num_paths"] > 0).sum()))
            for name in MATRICES:
                values: Any = {name: np.asarray(data[name], dtype=np.float64 if name.endswith("pos") else np.float32)}
                np.savez_compressed(made / f"{name}_t000_tx{number:03}_r001.npz", **values)
        counts, materials = _write_objects(made, scene, freq_hz)
        sets = {
            "txrx_set_0": _ends(0, "transmitters", len(senders), len(senders), True),
            "txrx_set_1": _ends(1, "users", len(data["rx_pos"]), active, False),
        }
        parameters = {
            "version": "4.0.0",
            "rt_params": _ray_parameters(freq_hz, given),
            "txrx_sets": sets,
            "materials": materials,
            "scene": counts,
        }
        (made / "params.json").write_text(json.dumps(parameters, indent=1))
        if target.exists():
            shutil.rmtree(target)
        os.replace(made, target)
    return target

"""Objects of a scene: meshes that can be moved, turned, scaled and given other materials."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from .._library import BadCallError
from .._scene import Scene as _EngineScene
from ._materials import RadioMaterialBase
from ._utils import Array, Vector, look_at_orientation, rotation_matrix, vector


class Mesh:
    """Triangles: vertices [n, 3] in metres, and vertex numbers [m, 3]."""

    def __init__(self, vertices: Any, triangles: Any, name: str = "") -> None:
        self.vertices = np.array(vertices, dtype=float).reshape(-1, 3)
        self.triangles = np.array(triangles, dtype=np.uint32).reshape(-1, 3)
        self.name = name

    def centers(self) -> Array:
        """Middles of the triangles [m, 3]."""
        return self.vertices[self.triangles].mean(axis=1)


def load_mesh(fname: str | os.PathLike[str], flip_normals: bool = True) -> Mesh:
    """A mesh from a PLY or OBJ file; several in one file become one."""
    del flip_normals  # both sides of a triangle are alike
    engine = _EngineScene.load(str(fname))
    vertices, triangles, count = [], [], 0
    for index in range(engine.info.meshes):
        _, _, xyz, numbers = engine.mesh(index)
        vertices.append(xyz)
        triangles.append(numbers + count)
        count += len(xyz)
    return Mesh(np.concatenate(vertices), np.concatenate(triangles), os.path.splitext(os.path.basename(str(fname)))[0])


def transform_mesh(mesh: Mesh, translation: Any = None, rotation: Any = None, scale: Any = None) -> None:
    """Scales, turns and moves a mesh about its middle, in this order."""
    middle = (mesh.vertices.min(axis=0) + mesh.vertices.max(axis=0)) / 2
    places = mesh.vertices - middle
    if scale is not None:
        places = places * np.broadcast_to(np.asarray(scale, dtype=float).reshape(-1), 3)
    if rotation is not None:
        places = places @ np.asarray(rotation_matrix(rotation)).T
    mesh.vertices = places + middle + (0.0 if translation is None else np.asarray(vector(translation)))


class SceneObject:
    """A mesh with a name and a radio material; position is the middle of its box, orientation in rad, velocity in m/s."""

    _count = 0

    def __init__(
        self,
        mi_mesh: Mesh | None = None,
        name: str | None = None,
        fname: str | os.PathLike[str] | None = None,
        radio_material: RadioMaterialBase | None = None,
        remove_duplicate_vertices: bool = False,
        position: Any = None,
        orientation: Any = None,
        look_at: Any = None,
        velocity: Any = None,
    ) -> None:
        del remove_duplicate_vertices
        if mi_mesh is None and fname is None:
            raise BadCallError("an object needs a mesh (mi_mesh) or the name of a file (fname)")
        SceneObject._count += 1
        self.mi_mesh = mi_mesh if mi_mesh is not None else load_mesh(str(fname))
        self.object_id = SceneObject._count
        self.name = name or self.mi_mesh.name or f"no-name-{self.object_id}"
        self.scene: Any = None
        self._material: Any = radio_material
        self._orientation, self._scaling = vector((0.0, 0.0, 0.0)), vector((1.0, 1.0, 1.0))
        self.velocity = (0.0, 0.0, 0.0) if velocity is None else velocity
        if position is not None:
            self.position = position
        if look_at is not None:
            self.look_at(look_at)
        elif orientation is not None:
            self.orientation = orientation

    def _move(self, vertices: Array) -> None:
        self.mi_mesh.vertices = vertices
        if self.scene is not None:
            self.scene._touch()

    @property
    def radio_material(self) -> Any:
        return self._material

    @radio_material.setter
    def radio_material(self, material: str | RadioMaterialBase) -> None:
        if isinstance(material, str):
            found = self.scene.radio_materials.get(material) if self.scene is not None else None
            if found is None:
                raise BadCallError(f"there is no radio material {material!r}")
            self._material = found
        else:
            self._material = material
        if self.scene is not None:
            self.scene.add(self._material)
            self.scene._touch()

    @property
    def velocity(self) -> Vector:
        return self._velocity

    @velocity.setter
    def velocity(self, values: Any) -> None:
        self._velocity = vector(values, "a velocity")

    @property
    def position(self) -> Vector:
        vertices = self.mi_mesh.vertices
        found = vector((vertices.min(axis=0) + vertices.max(axis=0)) / 2)
        found.store = lambda moved: setattr(self, "position", moved)
        return found

    @position.setter
    def position(self, values: Any) -> None:
        self._move(self.mi_mesh.vertices + np.asarray(vector(values, "a position") - self.position))

    @property
    def orientation(self) -> Vector:
        found = self._orientation.copy()
        found.store = lambda turned: setattr(self, "orientation", turned)
        return found

    @orientation.setter
    def orientation(self, values: Any) -> None:
        turned = vector(values, "an orientation")
        middle = np.asarray(self.position)
        turn = np.asarray(rotation_matrix(turned)) @ np.asarray(rotation_matrix(self._orientation)).T
        self._orientation = turned
        self._move((self.mi_mesh.vertices - middle) @ turn.T + middle)

    @property
    def scaling(self) -> Vector:
        found = self._scaling.copy()
        found.store = lambda scaled: setattr(self, "scaling", scaled)
        return found

    @scaling.setter
    def scaling(self, values: Any) -> None:
        scaled = vector(np.broadcast_to(np.asarray(values, dtype=float).reshape(-1), 3), "a scaling")
        if not (np.asarray(scaled) > 0).all():
            raise BadCallError("a scaling is positive")
        middle, turn = np.asarray(self.position), np.asarray(rotation_matrix(self._orientation))
        own = (self.mi_mesh.vertices - middle) @ turn * np.asarray(scaled / self._scaling)
        self._scaling = scaled
        self._move(own @ turn.T + middle)

    @property
    def lcs_half_extents(self) -> Vector:
        """Half of the sides of the object's box in its own axes."""
        own = (self.mi_mesh.vertices - np.asarray(self.position)) @ np.asarray(rotation_matrix(self._orientation))
        return vector((own.max(axis=0) - own.min(axis=0)) / 2)

    def look_at(self, target: Any) -> None:
        """Turns the object's x axis towards a point, a device or an object, also by its name."""
        if isinstance(target, str):
            found = self.scene.get(target) if self.scene is not None else None
            if found is None:
                raise BadCallError(f"there is nothing named {target!r} to look at")
            target = found
        self.orientation = look_at_orientation(self.position, vector(getattr(target, "position", target)), self.name)

    def clone(self, name: str | None = None, as_mesh: bool = False) -> Any:
        """A copy with a name of its own, in no scene yet."""
        named = name or f"{self.name}-clone"
        mesh = Mesh(self.mi_mesh.vertices, self.mi_mesh.triangles, named)
        if as_mesh:
            return mesh
        made = SceneObject(mi_mesh=mesh, name=named, radio_material=self._material, velocity=self._velocity)
        made._orientation, made._scaling = self._orientation.copy(), self._scaling.copy()
        return made

    def __repr__(self) -> str:
        return f"<SceneObject {self.name}: {len(self.mi_mesh.triangles)} triangles>"

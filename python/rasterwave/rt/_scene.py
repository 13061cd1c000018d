"""Scenes: what they are made of, the devices in them, and the engine's scene behind them."""

from __future__ import annotations

import importlib
import importlib.machinery
import os
import pathlib
import re
import sys
import tempfile
import warnings
from typing import Any

import numpy as np

from .._context import Context
from .._library import BadCallError, NotFoundError
from .._scene import Scene as _EngineScene
from ._antennas import AntennaArray
from ._devices import RadioDevice, Receiver, Transmitter
from ._materials import ITURadioMaterial, LayeredMaterial, RadioMaterial, RadioMaterialBase
from ._objects import Mesh, SceneObject
from ._utils import BOLTZMANN, SPEED_OF_LIGHT, Scalar, refuse

DEFAULT_FREQUENCY, DEFAULT_BANDWIDTH, DEFAULT_TEMPERATURE = 3.5e9, 1e6, 293.0


class BuiltinScenes:
    """Built-in scenes by name: files of an installed Sionna RT, or of the folder that RASTERWAVE_SCENES names."""

    def __getattr__(self, name: str) -> str:
        if name.startswith("__"):
            raise AttributeError(name)
        folders = [os.environ["RASTERWAVE_SCENES"]] if "RASTERWAVE_SCENES" in os.environ else []
        # By the path: programs may have put another module in the place of theirs.
        found = importlib.machinery.PathFinder.find_spec("sionna")
        folders += [os.path.join(place, "rt", "scenes") for place in (found.submodule_search_locations or [])] if found else []
        for folder in folders:
            for path in (pathlib.Path(folder) / name / f"{name}.xml", pathlib.Path(folder) / f"{name}.ply"):
                if path.exists():
                    return str(path)
        raise NotFoundError(
            f"there is no scene {name!r}: name the folder that holds {name}/{name}.xml in RASTERWAVE_SCENES, "
            "or call load_scene with a path"
        )


class Scene:
    """A scene with its devices: frequency in Hz (3.5 GHz), bandwidth in Hz (1 MHz), temperature in K (293).

    engine is the rasterwave.Scene behind it, None where it is empty. Objects and materials are read from it when they
    are asked for; where one is changed, the engine's scene is built again before the next call of a solver.
    """

    def __init__(self, engine: _EngineScene | None = None) -> None:
        self._engine, self._objects, self._materials = engine, None, None
        self._context = engine.context if engine is not None else None
        self._changed, self._built_hz, self._lift_m = False, 0.0, 0.0
        self.frequency, self.bandwidth, self.temperature = DEFAULT_FREQUENCY, DEFAULT_BANDWIDTH, DEFAULT_TEMPERATURE
        self.tx_array: AntennaArray | None = None
        self.rx_array: AntennaArray | None = None
        self.transmitters: dict[str, Transmitter] = {}
        self.receivers: dict[str, Receiver] = {}
        self._preview: Any = None  # the widget of the last preview

    _objects: dict[str, SceneObject] | None
    _materials: dict[str, Any] | None

    @property
    def frequency(self) -> Any:
        return self._frequency

    @frequency.setter
    def frequency(self, value: Any) -> None:
        self._frequency = _positive(value, "a frequency", "Hz")

    @property
    def bandwidth(self) -> Any:
        return self._bandwidth

    @bandwidth.setter
    def bandwidth(self, value: Any) -> None:
        self._bandwidth = _positive(value, "a bandwidth", "Hz")

    @property
    def temperature(self) -> Any:
        return self._temperature

    @temperature.setter
    def temperature(self, value: Any) -> None:
        self._temperature = _positive(value, "a temperature", "K")

    @property
    def wavelength(self) -> Scalar:
        return Scalar(SPEED_OF_LIGHT / self.frequency)

    @property
    def wavenumber(self) -> Scalar:
        return Scalar(2 * np.pi / self.wavelength)

    @property
    def angular_frequency(self) -> Scalar:
        return Scalar(2 * np.pi * self.frequency)

    @property
    def thermal_noise_power(self) -> Scalar:
        """In watts."""
        return Scalar(BOLTZMANN * self.temperature * self.bandwidth)

    @property
    def objects(self) -> dict[str, SceneObject]:
        """Objects by name."""
        return dict(self._content()[0])

    @property
    def radio_materials(self) -> dict[str, Any]:
        """Materials by name."""
        return dict(self._content()[1])

    def _content(self) -> tuple[dict[str, SceneObject], dict[str, Any]]:
        if self._objects is None or self._materials is None:
            self._objects, self._materials = {}, {}
            if self._engine is not None:
                self._read(self._engine, self._objects, self._materials)
        return self._objects, self._materials

    def _read(self, engine: _EngineScene, objects: dict[str, SceneObject], materials: dict[str, Any]) -> None:
        surfaces: dict[str, Any] = {}
        for index in range(engine.info.meshes):
            name, surface, vertices, triangles = engine.mesh(index)
            if surface not in surfaces:
                surfaces[surface] = _material_of(engine, surface)
                surfaces[surface]._scene = self
                materials[surfaces[surface].name] = surfaces[surface]
            plain = name.removeprefix("mesh-")
            while plain in objects:
                plain += "_"
            made = SceneObject(Mesh(vertices, triangles), plain, radio_material=surfaces[surface])
            made.scene = self
            objects[plain] = made

    def _touch(self) -> None:
        self._changed = True

    def raised(self, places: Any) -> Any:
        """Places [n, 3] in the engine's scene, which stands higher where one of them would not be above altitude 0."""
        lowest = float(np.min(places[:, 2])) if len(places) else 1.0
        info = self._engine.info if self._engine is not None else None
        if lowest + self._lift_m < 0.01 and info is not None and not info.parts + info.panels:
            self._lift_m, self._changed = float(np.ceil(1 - lowest)), True
        return places + np.array([0.0, 0.0, self._lift_m])

    @property
    def engine(self) -> _EngineScene | None:
        """The rasterwave.Scene with all changes."""
        materials = (self._materials or {}).values()
        depends = self._built_hz and any(getattr(each, "frequency_update_callback", None) for each in materials)
        if self._changed or (depends and self._built_hz != self.frequency):
            self._engine = self._build()
            self._changed, self._built_hz = False, self.frequency
        return self._engine

    def _build(self) -> _EngineScene | None:
        objects, _ = self._content()
        if self._engine is not None and self._engine.info.parts + self._engine.info.panels:
            refuse("change of a scene with buildings or walls that are no meshes: change it with rasterwave.Scene")
        if not objects:
            return None
        engine, surfaces = _EngineScene(self._context), {}
        for item in objects.values():
            material = item.radio_material
            if id(material) not in surfaces:
                surfaces[id(material)] = f"rt_{material.name}"
                material._add_to(engine, surfaces[id(material)])
            vertices = item.mi_mesh.vertices + np.array([0.0, 0.0, self._lift_m])
            engine.add_mesh(vertices, item.mi_mesh.triangles, surface=surfaces[id(material)], name=item.name)
        engine.set_no_ground()
        return engine.commit()

    def get(self, name: str) -> Any:
        """A material, object, transmitter or receiver; None where there is none of that name."""
        device = self.transmitters.get(name) or self.receivers.get(name)
        if device is not None:
            return device
        objects, materials = self._content()
        return materials.get(name) or objects.get(name)

    def add(self, item: Any) -> None:
        """Adds devices, objects and materials."""
        for each in item if isinstance(item, (list, tuple)) else [item]:
            other = self.get(each.name) if hasattr(each, "name") else None
            if other is each and other is not None:
                continue
            if other is not None:
                raise BadCallError(f"the scene has something named {each.name!r} already")
            self._add(each)

    def _add(self, item: Any) -> None:
        if isinstance(item, Transmitter):
            self.transmitters[item.name] = item
        elif isinstance(item, Receiver):
            self.receivers[item.name] = item
        elif isinstance(item, RadioMaterialBase):
            self._content()[1][item.name] = item
            item._scene = self
        elif isinstance(item, SceneObject):
            if item.radio_material is None:
                raise BadCallError(f"object {item.name} has no radio material")
            self._content()[0][item.name] = item
            item.scene = self
            self.add(item.radio_material)
            self._touch()
        else:
            refuse(f"way to add {type(item).__name__} to a scene")

    def remove(self, item: Any) -> None:
        """Removes devices, objects and materials, by name or, for objects, themselves."""
        for each in item if isinstance(item, (list, tuple)) else [item]:
            name = each if isinstance(each, str) else each.name
            found = self.get(name)
            if isinstance(found, RadioDevice):
                self.transmitters.pop(name, None)
                self.receivers.pop(name, None)
            elif isinstance(found, SceneObject):
                self._content()[0].pop(name)
                found.scene = None
                self._touch()
            elif isinstance(found, RadioMaterialBase):
                if found.is_used:
                    raise BadCallError(f"the radio material {name!r} is used by an object")
                self._content()[1].pop(name)
                found._scene = None

    def edit(self, add: Any = None, remove: Any = None) -> None:
        """Removes, then adds objects."""
        self.remove([] if remove is None else remove)
        self.add([] if add is None else add)

    def all_set(self, radio_map: bool) -> None:
        """Raises where arrays or devices are missing that a radio map, or paths, need."""
        self._need(receivers=not radio_map)

    def scene_geometry_updated(self) -> None:
        """Nothing: pictures and previews are drawn from the scene as it is."""

    def _need(self, receivers: bool) -> tuple[AntennaArray, AntennaArray]:
        """Whether a solver can work: its arrays."""
        if not self.transmitters:
            raise BadCallError("the scene has no transmitter: scene.add(Transmitter(...))")
        if receivers and not self.receivers:
            raise BadCallError("the scene has no receiver: scene.add(Receiver(...))")
        if self.tx_array is None or (receivers and self.rx_array is None):
            raise BadCallError("the scene needs antennas: set scene.tx_array and scene.rx_array to a PlanarArray")
        return self.tx_array, self.rx_array or self.tx_array

    def extent(self) -> tuple[Any, Any]:
        """Smallest and largest x, y of the scene; -1 and 1 where it is empty."""
        engine = self.engine
        if engine is None:
            return np.array([-1.0, -1.0]), np.array([1.0, 1.0])
        info = engine.info
        return np.array([info.x_min_m, info.y_min_m]), np.array([info.x_max_m, info.y_max_m])

    def render(
        self,
        *,
        camera: Any = None,
        clip_at: float | None = None,
        clip_plane_orientation: Any = (0, 0, -1),
        envmap: Any = None,
        fov: float | None = None,
        lighting_scale: float = 1.0,
        num_samples: int = 128,
        resolution: Any = (655, 500),
        return_bitmap: bool = False,
        rm_show_color_bar: bool = False,
        **look: Any,
    ) -> Any:
        """A figure of matplotlib with the scene from a camera, or the pixels [height, width, 3]: by the renderer of this
        library, with devices, paths and a radio map (paths, radio_map, rm_metric, rm_tx, rm_db_scale, rm_vmin, rm_vmax, rm_cmap,
        show_devices, show_orientations). What lies behind the plane of clip_at is not drawn. camera: None, or a name where no
        preview is open, has everything in view. Light and samples are accepted and not needed."""
        del envmap, lighting_scale, num_samples
        shown = _picture().Look(**look)
        view = _picture().camera_of(self, camera, shown.radio_map)
        pixels = _picture().draw_picture(self, view, shown, resolution, fov, _clip(clip_at, clip_plane_orientation))
        return pixels if return_bitmap else _picture().figure_of(pixels, shown, rm_show_color_bar)

    def render_to_file(
        self,
        *,
        camera: Any = None,
        filename: Any,
        clip_at: float | None = None,
        clip_plane_orientation: Any = (0, 0, -1),
        envmap: Any = None,
        fov: float | None = None,
        lighting_scale: float = 1.0,
        num_samples: int = 512,
        resolution: Any = (655, 500),
        **look: Any,
    ) -> Any:
        """Writes what render draws as a PNG, and returns the pixels [height, width, 3]."""
        del envmap, lighting_scale, num_samples
        shown = _picture().Look(**{"show_orientations": True, **look})
        view = _picture().camera_of(self, camera, shown.radio_map)
        return _picture().draw_picture(self, view, shown, resolution, fov, _clip(clip_at, clip_plane_orientation), filename)

    def preview(
        self,
        *,
        background: str = "#ffffff",
        clip_at: float | None = None,
        clip_plane_orientation: Any = (0, 0, -1),
        fov: float = 45.0,
        resolution: Any = (655, 500),
        point_picker: bool = True,
        **look: Any,
    ) -> Any:
        """The scene as a widget that can be turned, where pythreejs is installed and nothing is clipped; else the figure of
        render. In a notebook it is shown as well."""
        del point_picker
        shown = _picture().Look(**look)
        view = _picture().default_camera(self, shown.radio_map)
        made = None if clip_at is not None else _picture().widget_of(self, view, shown, resolution, fov, background)
        self._preview = made
        if made is None:
            clip = _clip(clip_at, clip_plane_orientation)
            return _picture().figure_of(_picture().draw_picture(self, view, shown, resolution, fov, clip), shown)
        shell = sys.modules.get("IPython")
        if shell is not None and shell.get_ipython() is not None:
            shell.display.display(made)
            return None
        return made

    def __getattr__(self, name: str) -> Any:
        if name in ("coverage_map", "compute_paths", "trace_paths", "compute_fields"):
            refuse(f"Scene.{name}, which is of Sionna RT before 1.0: use PathSolver and RadioMapSolver")
        if name == "ris":
            refuse("reconfigurable intelligent surfaces (RIS)")
        if name in ("mi_scene", "mi_scene_params", "sensing_targets", "sources", "targets", "use_mi_scene"):
            refuse(f"Scene.{name}: Scene.engine is the rasterwave.Scene")
        raise AttributeError(name)


def _picture() -> Any:
    """The module that draws, which reads paths and maps in turn."""
    return importlib.import_module(f"{__package__}._picture")


def _clip(offset: float | None, normal: Any) -> Any:
    return None if offset is None else (np.asarray(normal, dtype=float).reshape(3), float(offset))


def _positive(value: Any, what: str, unit: str) -> Scalar:
    number = float(np.asarray(value, dtype=float).reshape(-1)[0])
    if not 0 < number < np.inf:
        raise BadCallError(f"{what} of {number:g} {unit}: it is positive")
    return Scalar(number)


def _material_of(engine: _EngineScene, surface: str) -> Any:
    """The radio material of a surface that the engine's scene has."""
    name = surface.removeprefix("itu_")
    layers = engine.slab(surface) if surface in engine.slabs else [(surface, 1.0)]
    own = [engine.material(each) for each, _ in layers if each in engine.materials]
    if len(layers) == 1 and not own and layers[0][0].startswith("itu_"):
        return ITURadioMaterial(name, layers[0][0].removeprefix("itu_"), layers[0][1])
    if len(layers) == 1 and own and not own[0].b and not own[0].d and not own[0].perfect_conductor:
        only = own[0]
        return RadioMaterial(name, layers[0][1], max(1.0, only.a), only.c, scattering_coefficient=only.scattering)
    return LayeredMaterial(name, layers, own)


def load_scene(
    filename: str | os.PathLike[str] | None = None,
    merge_shapes: bool = True,
    merge_shapes_exclude_regex: str | None = None,
    remove_duplicate_vertices: bool = False,
    *,
    context: Context | None = None,
) -> Scene:
    """A scene from a Mitsuba file, or any other that rasterwave reads; None: an empty one. Shapes are never merged, and no
    ground is laid under scenes of meshes."""
    del merge_shapes, merge_shapes_exclude_regex, remove_duplicate_vertices
    if filename is None:
        made = Scene()
        made._context = context
        return made
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="materials without thickness")  # theirs have 0.1 m as well
        engine = _EngineScene.load(str(filename), context=context, commit=False)
        engine.set_no_ground()
        engine.commit()
    return Scene(engine)


def load_scene_from_string(
    xml_string: str,
    merge_shapes: bool = True,
    merge_shapes_exclude_regex: str | None = None,
    remove_duplicate_vertices: bool = False,
    *,
    context: Context | None = None,
) -> Scene:
    """A scene from the text of a Mitsuba file; names of files in it are relative to the current folder."""
    del merge_shapes, merge_shapes_exclude_regex, remove_duplicate_vertices
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "scene.xml"
        path.write_text(re.sub(r'(name="filename"\s+value=")([^"]*)(")', _absolute, xml_string), encoding="utf-8")
        return load_scene(path, context=context or Context(allow_outside=True))


def _absolute(found: Any) -> str:
    return f"{found[1]}{os.path.abspath(found[2])}{found[3]}"

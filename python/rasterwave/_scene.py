"""Scenes: from files, generators, arrays and data frames."""

from __future__ import annotations

import ctypes as C
import os
from typing import Any, Iterable, Sequence

import numpy as np

from . import _abi
from ._context import Context, Owned
from ._library import BadCallError, UnsupportedError, decode, encode, lib, new, options
from ._records import LinkProfile, Material, Note, Panel, SceneInfo, ScenePart, SurfaceReport
from ._sites import as_array

Path = "str | os.PathLike[str]"


def _doubles(values: Any, columns: int, what: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != columns:
        raise BadCallError(f"{what}: an array of shape (n, {columns}) is needed, not {array.shape}")
    return array


def _pointer(array: Any, kind: Any) -> Any:
    return array.ctypes.data_as(C.POINTER(kind))


class Scene(Owned):
    """Buildings, walls, meshes, materials and terrain, in metres.

    An empty scene is filled by its add and set methods and committed; it is immutable then. Scenes of load, city, office
    and terrain are committed already, unless commit=False.
    """

    def __init__(self, context: Context | None = None) -> None:
        self._make(context or Context(), "rw_scene_create")

    def _make(self, context: Context, call: str, *arguments: Any) -> None:
        handle = C.c_void_p()
        context.check(getattr(lib, call)(context._handle, *arguments, C.byref(handle)))
        self._own(context, handle, "rw_scene_destroy")

    @classmethod
    def _of(cls, context: Context | None, call: str, *arguments: Any) -> Scene:
        scene = cls.__new__(cls)
        scene._make(context or Context(), call, *arguments)
        return scene

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        context: Context | None = None,
        format: str | None = None,
        crs: str | None = None,
        height_field: str | None = None,
        height_unit: str | None = None,
        storeys_field: str | None = None,
        layer: str | None = None,
        default_height_m: float = 10.0,
        area: tuple[float, float, float, float] | None = None,
        terrain: str | os.PathLike[str] | None = None,
        foliage: str | os.PathLike[str] | None = None,
        materials: str | os.PathLike[str] | None = None,
        mesh_buildings: bool = False,
        terrain_area: tuple[float, float, float, float] | None = None,
        terrain_area_crs: str | None = None,
        commit: bool = True,
    ) -> Scene:
        """A scene from a file of any format that the command line reads. mesh_buildings: see meshes_to_buildings.

        height_unit: "m" or "ft", of heights without one; storeys_field: attribute with the number of storeys; layer: of a GIS
        file with several; area (west, south, east, north): only what touches it, of GIS
        vector files in metres; terrain_area: terrain is read there too, and not only round the scene.
        """
        asked = options(_abi.rw_load_options, "rw_load_options_init_sized")
        asked.format, asked.crs, asked.height_field = encode(format), encode(crs), encode(height_field)
        asked.height_unit, asked.storeys_field, asked.layer = encode(height_unit), encode(storeys_field), encode(layer)
        asked.terrain, asked.foliage, asked.materials = encode(terrain), encode(foliage), encode(materials)
        if area is not None:
            asked.area_m[:] = area
        asked.default_height_m, asked.commit, asked.mesh_buildings = default_height_m, int(commit), int(mesh_buildings)
        if terrain_area is not None:
            asked.terrain_area_m[:] = terrain_area
        asked.terrain_area_crs = encode(terrain_area_crs)
        try:
            return cls._of(context, "rw_scene_load", encode(path), C.byref(asked))
        except UnsupportedError as error:  # the library of the wheel has no GDAL
            raise UnsupportedError(f"{error}; or read it with geopandas and call Scene.from_geodataframe") from None

    @classmethod
    def city(
        cls,
        width_m: float = 2400.0,
        depth_m: float = 3400.0,
        *,
        style: str = "european",
        seed: int = 1,
        hills: bool = False,
        context: Context | None = None,
        commit: bool = True,
    ) -> Scene:
        """A generated city: the same options give the same city on every machine."""
        asked = options(_abi.rw_city_options, "rw_city_options_init_sized")
        asked.style, asked.width_m, asked.depth_m = encode(style), width_m, depth_m
        asked.seed, asked.hills = seed, int(hills)
        return cls._of(context, "rw_generate_city", C.byref(asked))._committed(commit)

    @classmethod
    def office(
        cls,
        width_m: float = 40.0,
        depth_m: float = 20.0,
        *,
        storeys: int = 1,
        storey_height_m: float = 3.0,
        seed: int = 1,
        context: Context | None = None,
        commit: bool = True,
    ) -> Scene:
        """A generated office building."""
        asked = options(_abi.rw_office_options, "rw_office_options_init_sized")
        asked.width_m, asked.depth_m, asked.storeys = width_m, depth_m, storeys
        asked.storey_height_m, asked.seed = storey_height_m, seed
        return cls._of(context, "rw_generate_office", C.byref(asked))._committed(commit)

    @classmethod
    def terrain(
        cls,
        width_m: float = 5000.0,
        depth_m: float = 5000.0,
        *,
        spacing_m: float = 20.0,
        relief_m: float = 150.0,
        seed: int = 1,
        context: Context | None = None,
        commit: bool = True,
    ) -> Scene:
        """Generated hills with nothing on them."""
        asked = options(_abi.rw_terrain_options, "rw_terrain_options_init_sized")
        asked.width_m, asked.depth_m, asked.spacing_m = width_m, depth_m, spacing_m
        asked.relief_m, asked.seed = relief_m, seed
        return cls._of(context, "rw_generate_terrain", C.byref(asked))._committed(commit)

    @classmethod
    def from_geodataframe(
        cls,
        frame: Any,
        height: str | float | Sequence[float] = "height",
        *,
        surface: str | None = None,
        context: Context | None = None,
        commit: bool = True,
    ) -> Scene:
        """Buildings from a frame or series of geopandas with polygons in a projected CRS, or from a list of polygons of
        shapely in metres. height above ground in m: a column, one number, or one for each; surface: a column with their
        slabs or materials, or the name of one for all. A CRS whose unit is not the metre, or whose metres are not those on
        the ground (Web Mercator), is rejected."""
        crs = getattr(frame, "crs", None)
        if crs is not None:
            _check_metres(crs)
        scene = cls(context)
        if crs is not None:
            scene.crs = crs.to_wkt()
        shapes = list(getattr(frame, "geometry", frame))
        columns = list(getattr(frame, "columns", ()))
        if isinstance(height, str) and height not in columns:
            raise BadCallError(f"there is no column {height!r} of heights; there are {', '.join(map(str, columns)) or 'none'}")
        heights = frame[height] if isinstance(height, str) else np.broadcast_to(np.asarray(height, dtype=float), len(shapes))
        surfaces = frame[surface] if surface in columns else [surface] * len(shapes)
        for number, (shape, roof_m, of) in enumerate(zip(shapes, heights, surfaces)):
            for polygon in _polygons(shape, number):
                rings = [np.asarray(ring.coords)[:-1, :2] for ring in (polygon.exterior, *polygon.interiors)]
                scene.add_building(rings, _height_m(roof_m, number), surface=of, source=f"row {number}")
        return scene._committed(commit)

    def _committed(self, wanted: bool) -> Scene:
        return self.commit() if wanted else self

    def add_material(
        self,
        name: str,
        permittivity: float,
        conductivity_s_m: float = 0.0,
        *,
        permittivity_exponent: float = 0.0,
        conductivity_exponent: float = 0.0,
        freq_range_hz: tuple[float, float] = (0.0, float("inf")),
        perfect_conductor: bool = False,
        scattering: float = 0.0,
    ) -> None:
        """A material: values at 1 GHz, and exponents of the frequency in GHz as in ITU-R P.2040."""
        made = new(_abi.rw_material)
        made.name, made.a, made.b = encode(name), permittivity, permittivity_exponent
        made.c, made.d = conductivity_s_m, conductivity_exponent
        made.freq_min_hz, made.freq_max_hz = freq_range_hz
        made.perfect_conductor, made.scattering = int(perfect_conductor), scattering
        self._context.check(lib.rw_scene_add_material(self._handle, C.byref(made)))

    def add_slab(self, name: str, layers: Sequence[tuple[str, float]]) -> None:
        """A wall construction: (material, thickness in m) from one side to the other."""
        array = (_abi.rw_layer * len(layers))()
        for item, (material, thickness_m) in zip(array, layers):
            item.size, item.material, item.thickness_m = C.sizeof(_abi.rw_layer), encode(material), thickness_m
        made = new(_abi.rw_slab)
        made.name, made.layers, made.layer_count = encode(name), array, len(layers)
        self._context.check(lib.rw_scene_add_slab(self._handle, C.byref(made)))

    def add_building(
        self,
        rings: Any,
        roof_height_m: float,
        *,
        base_height_m: float = 0.0,
        ground_m: float = float("nan"),
        surface: str | None = None,
        building_id: int = 0,
        source: str | None = None,
    ) -> None:
        """A prism: one outline of shape (n, 2), or a list of an outline and its holes. ground_m NaN: on the terrain."""
        single = isinstance(rings, np.ndarray) or np.ndim(rings[0]) == 1
        parts = [_doubles(ring, 2, "a ring") for ring in ([rings] if single else rings)]
        xy = np.concatenate(parts)
        sizes = (C.c_size_t * len(parts))(*(len(part) for part in parts))
        made = new(_abi.rw_building)
        made.building_id, made.xy, made.ring_sizes, made.ring_count = building_id, _pointer(xy, C.c_double), sizes, len(parts)
        made.ground_m, made.base_height_m, made.roof_height_m = ground_m, base_height_m, roof_height_m
        made.surface, made.source = encode(surface), encode(source)
        self._context.check(lib.rw_scene_add_building(self._handle, C.byref(made)))

    def add_panel(
        self,
        start: Sequence[float],
        end: Sequence[float],
        bottom_m: float,
        top_m: float,
        *,
        surface: str | None = None,
        source: str | None = None,
    ) -> None:
        """A free-standing vertical wall between two points (x, y)."""
        made = new(_abi.rw_panel)
        (made.x0_m, made.y0_m), (made.x1_m, made.y1_m) = start, end
        made.bottom_m, made.top_m = bottom_m, top_m
        made.surface, made.source = encode(surface), encode(source)
        self._context.check(lib.rw_scene_add_panel(self._handle, C.byref(made)))

    def add_mesh(self, vertices: Any, triangles: Any, *, surface: str | None = None, name: str | None = None) -> None:
        """Triangles in space: vertices (n, 3) in metres, and three vertex numbers for each triangle (m, 3)."""
        xyz = _doubles(vertices, 3, "vertices")
        numbers = np.ascontiguousarray(triangles, dtype=np.uint32)
        if numbers.ndim != 2 or numbers.shape[1] != 3:
            raise BadCallError(f"triangles: an array of shape (n, 3) is needed, not {numbers.shape}")
        made = new(_abi.rw_mesh)
        made.name, made.surface = encode(name), encode(surface)
        made.xyz, made.vertex_count = _pointer(xyz, C.c_double), len(xyz)
        made.triangles, made.triangle_count = _pointer(numbers, C.c_uint32), len(numbers)
        self._context.check(lib.rw_scene_add_mesh(self._handle, C.byref(made)))

    def set_terrain(
        self, heights: Any, *, origin_m: Sequence[float] = (0.0, 0.0), spacing_m: float | Sequence[float] = 1.0
    ) -> None:
        """Altitudes at posts, row 0 the southernmost; NaN: unknown. spacing_m: of both axes, or (x, y)."""
        self._context.check(lib.rw_scene_set_terrain(self._handle, C.byref(_raster(heights, origin_m, spacing_m))))

    def set_foliage(
        self, heights: Any, *, origin_m: Sequence[float] = (0.0, 0.0), spacing_m: float | Sequence[float] = 1.0
    ) -> None:
        """Heights of trees above ground, as set_terrain takes them."""
        self._context.check(lib.rw_scene_set_foliage(self._handle, C.byref(_raster(heights, origin_m, spacing_m))))

    def meshes_to_buildings(self) -> None:
        """Makes buildings of meshes that are upright prisms, for the models shadow and beams; before commit."""
        self._context.check(lib.rw_scene_meshes_to_buildings(self._handle))

    def set_flat(self) -> None:
        """Forgets terrain and ground altitudes."""
        self._context.check(lib.rw_scene_set_flat(self._handle))

    def set_no_ground(self) -> None:
        """No level ground is laid under the scene: its own surfaces are all that reflects."""
        self._context.check(lib.rw_scene_set_no_ground(self._handle))

    def read_terrain(self, path: str | os.PathLike[str]) -> None:
        self._context.check(lib.rw_scene_read_terrain(self._handle, encode(path)))

    def read_foliage(self, path: str | os.PathLike[str]) -> None:
        self._context.check(lib.rw_scene_read_foliage(self._handle, encode(path)))

    def read_materials(self, path: str | os.PathLike[str]) -> None:
        self._context.check(lib.rw_scene_read_materials(self._handle, encode(path)))

    def note(self, what: str, example: str = "") -> None:
        """A finding, which info and warnings tell."""
        self._context.check(lib.rw_scene_note(self._handle, encode(what), encode(example)))

    def commit(self) -> Scene:
        """Validates, repairs and prepares the scene, which is immutable afterwards. Returns it."""
        self._context.check(lib.rw_scene_commit(self._handle))
        return self

    def save(self, path: str | os.PathLike[str]) -> None:
        """GeoPackage, or GeoJSON by the name's end."""
        self._context.check(lib.rw_scene_save(self._handle, encode(path)))

    def draw(
        self,
        path: str | os.PathLike[str],
        *,
        transmitters: Any = (),
        azimuth_deg: float | None = None,
        elevation_deg: float | None = None,
        width_px: int = 0,
    ) -> None:
        """The scene in space as a PNG."""
        asked = options(_abi.rw_scene_draw_options, "rw_scene_draw_options_init_sized")
        array = as_array(transmitters)
        asked.transmitters, asked.transmitter_count, asked.width_px = array, len(array), width_px
        asked.azimuth_deg = asked.azimuth_deg if azimuth_deg is None else azimuth_deg
        asked.elevation_deg = asked.elevation_deg if elevation_deg is None else elevation_deg
        self._context.check(lib.rw_scene_draw(self._handle, C.byref(asked), encode(path)))

    @property
    def context(self) -> Context:
        return self._context

    @property
    def crs(self) -> str:
        """Coordinate system; "" where none is known. May be set before commit: WKT, PROJ string or EPSG:n."""
        return decode(lib.rw_scene_crs(self._handle))

    @crs.setter
    def crs(self, text: str) -> None:
        self._context.check(lib.rw_scene_set_crs(self._handle, encode(text)))

    @property
    def info(self) -> SceneInfo:
        """Counts, extent and heights."""
        made = new(_abi.rw_scene_info)
        self._context.check(lib.rw_scene_get_info(self._handle, C.byref(made)))
        return SceneInfo.of(made)

    @property
    def hash(self) -> int:
        """One number for the geometry of a committed scene."""
        return int(lib.rw_scene_hash(self._handle))

    @property
    def notes(self) -> list[Note]:
        """What readers and validation found, each with how often."""
        found = []
        for index in range(self.info.notes):
            made = new(_abi.rw_note)
            self._context.check(lib.rw_scene_get_note(self._handle, index, C.byref(made)))
            found.append(Note.of(made))
        return found

    @property
    def parts(self) -> list[ScenePart]:
        """The prisms of buildings, with altitudes; rings() has their outlines by number."""
        return [self._item("rw_scene_get_part", _abi.rw_scene_part, ScenePart, i) for i in range(self.geometry.part_count)]

    @property
    def panels(self) -> list[Panel]:
        """Free-standing walls."""
        return [self._item("rw_scene_get_panel", _abi.rw_panel, Panel, i) for i in range(self.geometry.panel_count)]

    def _item(self, call: str, struct: Any, record: Any, index: int) -> Any:
        made = new(struct)
        self._context.check(getattr(lib, call)(self._handle, index, C.byref(made)))
        return record.of(made)

    @property
    def geometry(self) -> Geometry:
        """Outlines, meshes and terrain as arrays, in world coordinates."""
        made = new(_abi.rw_scene_geometry)
        self._context.check(lib.rw_scene_get_geometry(self._handle, C.byref(made)))
        return Geometry(made)

    def profile(self, start: Sequence[float], end: Sequence[float], count: int = 200) -> tuple[Any, Any]:
        """Altitudes of the ground and of the highest roof at places on the line between two points (x, y)."""
        ground, top = np.empty(count), np.empty(count)
        pointers = (_pointer(ground, C.c_double), _pointer(top, C.c_double))
        self._context.check(lib.rw_scene_profile(self._handle, *start[:2], *end[:2], count, *pointers))
        return ground, top

    def read_surface(self, path: str | os.PathLike[str]) -> SurfaceReport:
        """Heights of buildings without one, missing buildings and foliage from a raster of the highest points over the
        scene's terrain, before commit."""
        found = new(_abi.rw_surface_report)
        self._context.check(lib.rw_scene_read_surface(self._handle, encode(path), C.byref(found)))
        return SurfaceReport.of(found)

    @property
    def surface_report(self) -> SurfaceReport:
        """What the surface model gave; posts 0: none was read."""
        found = new(_abi.rw_surface_report)
        self._context.check(lib.rw_scene_get_surface_report(self._handle, C.byref(found)))
        return SurfaceReport.of(found)

    def draw_heights(self, path: str | os.PathLike[str]) -> None:
        """A PNG of the buildings by where their heights are from."""
        self._context.check(lib.rw_scene_draw_heights(self._handle, encode(path)))

    def link_profile(
        self,
        first: Sequence[float],
        second: Sequence[float],
        freq_hz: float = 947e6,
        *,
        k_factor: float = 4 / 3,
        count: int = 0,
        title: str = "",
        csv: str | os.PathLike[str] | None = None,
        png: str | os.PathLike[str] | None = None,
    ) -> tuple[LinkProfile, dict[str, np.ndarray[Any, np.dtype[np.float64]]]]:
        """The section of a link between two antennas (x, y, height above ground): what is known of all of it, and arrays of
        its samples: distance, altitudes of ground, roofs, bulge of the earth and line of sight, radius of the first Fresnel
        zone. csv, png: files that are also written."""
        asked, found = options(_abi.rw_link_options, "rw_link_options_init_sized"), new(_abi.rw_link_profile)
        asked.first_m, asked.second_m = (C.c_double * 3)(*first), (C.c_double * 3)(*second)
        asked.freq_hz, asked.k_factor, asked.count = freq_hz, k_factor, count
        context = self._context
        context.check(lib.rw_link_profile_create(self._handle, C.byref(asked), C.byref(found)))
        try:
            if csv:
                context.check(lib.rw_link_profile_write(context._handle, C.byref(found), encode(csv)))
            if png:
                context.check(lib.rw_link_profile_draw(context._handle, C.byref(found), encode(title), encode(png)))
            names = [field[0] for field in _abi.rw_link_sample._fields_]
            values = np.ctypeslib.as_array(C.cast(found.samples, C.POINTER(C.c_double)), (found.count, len(names))).copy()
            return LinkProfile.of(found), {name: values[:, index] for index, name in enumerate(names)}
        finally:
            lib.rw_free(found.samples)

    def enclosures(self, points: Any) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """What encloses points (n, 3), x, y and height above ground: bit 1 a building, bit 2 a closed mesh; 0: outdoors."""
        xyz = _doubles(points, 3, "points")
        found = np.empty(len(xyz), np.uint8)
        pointers = _pointer(xyz, C.c_double), len(xyz), _pointer(found, C.c_ubyte)
        self._context.check(lib.rw_scene_find_enclosures(self._handle, *pointers))
        return found

    def sample_outdoor(
        self,
        count: int,
        seed: int = 0,
        *,
        height_m: float = 1.5,
        area: tuple[float, float, float, float] | None = None,
    ) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Random points outside buildings, uniform over the scene or the area (west, south, east, north): x, y and height
        above ground (count, 3). The same seed gives the same points."""
        info = self.info
        west, south, east, north = area or (info.x_min_m, info.y_min_m, info.x_max_m, info.y_max_m)
        if not (west < east and south < north):
            raise BadCallError(f"area {(west, south, east, north)}: west < east and south < north are needed")
        random = np.random.default_rng(seed)
        found = np.empty((0, 3))
        drawn = 0
        while len(found) < count:
            size = max(1024, 2 * (count - len(found)))
            points = np.column_stack([random.uniform((west, south), (east, north), (size, 2)), np.full(size, height_m)])
            found = np.concatenate([found, points[self.enclosures(points) == 0]])
            drawn += size
            if drawn >= 1_000_000 and not len(found):
                raise BadCallError("none of a million random points is outdoors: the area is inside buildings")
        return np.asarray(found[:count])

    @property
    def materials(self) -> list[str]:
        return list(_names(lib.rw_scene_material_name, self._handle))

    @property
    def slabs(self) -> list[str]:
        return list(_names(lib.rw_scene_slab_name, self._handle))

    def material(self, name: str) -> Material:
        """A material that the scene defines: a, b, c, d of ITU-R P.2040."""
        made = new(_abi.rw_material)
        self._context.check(lib.rw_scene_get_material(self._handle, self._number(name, self.materials), C.byref(made)))
        return Material.of(made)

    def slab(self, name: str) -> list[tuple[str, float]]:
        """Layers of a slab that the scene defines: (material, thickness in m)."""
        index, made, count = self._number(name, self.slabs), new(_abi.rw_layer), C.c_size_t(1)
        found: list[tuple[str, float]] = []
        while len(found) < count.value:
            call = lib.rw_scene_get_layer(self._handle, index, len(found), C.byref(made), C.byref(count))
            self._context.check(call)
            found.append((decode(made.material), float(made.thickness_m)))
        return found

    @staticmethod
    def _number(name: str, names: list[str]) -> int:
        if name not in names:
            raise BadCallError(f"the scene defines no {name!r}; it has {', '.join(names) or 'none'}")
        return names.index(name)

    def mesh(self, index: int) -> tuple[str, str, Any, Any]:
        """A mesh, from 0: name, surface, vertices (n, 3) in metres, triangles (m, 3)."""
        made = new(_abi.rw_mesh)
        self._context.check(lib.rw_scene_get_mesh(self._handle, index, C.byref(made)))
        xyz, numbers = np.empty((made.vertex_count, 3)), np.empty((made.triangle_count, 3), np.uint32)
        places = _pointer(xyz, C.c_double), _pointer(numbers, C.c_uint32)
        self._context.check(lib.rw_scene_copy_mesh(self._handle, index, *places))
        return decode(made.name), decode(made.surface), xyz, numbers

    @property
    def surfaces(self) -> list[str]:
        """Names of materials and slabs that walls and meshes are of."""
        return list(_names(lib.rw_scene_surface_name, self._handle))

    def __reduce__(self) -> Any:
        """A committed scene as arrays, from which another process makes it again without files and without GDAL."""
        return _of_arrays, (self._arrays(),)

    def _arrays(self) -> dict[str, Any]:
        geometry, foliage = self.geometry, new(_abi.rw_raster)
        self._context.check(lib.rw_scene_get_foliage(self._handle, C.byref(foliage)))
        buildings = [
            dict(
                rings=[geometry.rings[ring] for ring in range(part.first_ring, part.first_ring + part.ring_count)],
                roof_height_m=part.top_m - part.ground_m,
                base_height_m=part.bottom_m - part.ground_m,
                ground_m=part.ground_m,
                surface=part.surface,
                building_id=part.building,
            )
            for part in self.parts
        ]
        walls = [
            ((w.x0_m, w.y0_m), (w.x1_m, w.y1_m), w.bottom_m, w.top_m, w.surface) for w in self.panels
        ]
        return {
            "backend": self._context.backend,
            "crs": self.crs,
            "has_ground": bool(lib.rw_scene_has_ground(self._handle)),
            "materials": [(name, self.material(name)) for name in self.materials],
            "slabs": [(name, self.slab(name)) for name in self.slabs],
            "terrain": (geometry.terrain, geometry.terrain_origin_m, geometry.terrain_spacing_m),
            "foliage": _raster_arrays(foliage),
            "buildings": buildings,
            "panels": walls,
            "meshes": [self.mesh(index) for index in range(self.info.meshes)],
        }

    def __repr__(self) -> str:
        info = self.info
        return (
            f"<Scene {info.buildings} buildings, {info.panels} panels, {info.triangles} triangles, "
            f"{info.x_max_m - info.x_min_m:.0f} x {info.y_max_m - info.y_min_m:.0f} m>"
        )


def _copy(pointer: Any, shape: tuple[int, ...], kind: Any) -> Any:
    return np.ctypeslib.as_array(pointer, shape=shape).astype(kind) if all(shape) else np.empty(shape, kind)


class Geometry:
    """What a scene looks like. rings: a list of (n, 2) arrays, numbered as in Scene.parts; vertices (n, 3) and triangles
    (m, 3) of meshes; terrain: altitudes (rows, columns) from the south-west post at terrain_origin_m, or None."""

    def __init__(self, made: Any) -> None:
        origin = np.array([made.origin_x_m, made.origin_y_m])
        points = _copy(made.points_m, (made.point_count, 2), np.float64) + origin
        first = _copy(made.ring_first, (made.ring_count + 1 if made.ring_count else 0,), np.int64)
        self.rings = [points[a:b] for a, b in zip(first[:-1], first[1:])]
        self.part_count, self.panel_count = int(made.part_count), int(made.panel_count)
        self.vertices = _copy(made.vertices_m, (made.vertex_count, 3), np.float64) + np.append(origin, 0.0)
        self.triangles = _copy(made.triangles, (made.triangle_count, 3), np.uint32)
        self.terrain = _copy(made.terrain_m, (made.terrain_rows, made.terrain_columns), np.float32) if made.terrain_m else None
        self.terrain_origin_m = (made.terrain_x0_m + origin[0], made.terrain_y0_m + origin[1])
        self.terrain_spacing_m = (made.terrain_dx_m, made.terrain_dy_m)


def _raster_arrays(made: Any) -> tuple[Any, tuple[float, float], tuple[float, float]]:
    heights = _copy(made.values, (made.rows, made.columns), np.float32) if made.values else None
    return heights, (made.x0_m, made.y0_m), (made.dx_m, made.dy_m)


def _of_arrays(arrays: dict[str, Any]) -> Scene:
    """What Scene.__reduce__ has stored."""
    scene = Scene(Context(arrays["backend"]))
    if arrays["crs"]:
        scene.crs = arrays["crs"]
    if not arrays["has_ground"]:
        scene.set_no_ground()
    for name, material in arrays["materials"]:
        scene.add_material(
            name,
            material.a,
            material.c,
            permittivity_exponent=material.b,
            conductivity_exponent=material.d,
            freq_range_hz=(material.freq_min_hz, material.freq_max_hz),
            perfect_conductor=bool(material.perfect_conductor),
            scattering=material.scattering,
        )
    for name, layers in arrays["slabs"]:
        scene.add_slab(name, layers)
    for what, set_raster in (("terrain", scene.set_terrain), ("foliage", scene.set_foliage)):
        heights, origin_m, spacing_m = arrays[what]
        if heights is not None:
            set_raster(heights, origin_m=origin_m, spacing_m=spacing_m)
    for building in arrays["buildings"]:
        scene.add_building(**building)
    for start, end, bottom_m, top_m, surface in arrays["panels"]:
        scene.add_panel(start, end, bottom_m, top_m, surface=surface)
    for name, surface, vertices, triangles in arrays["meshes"]:
        scene.add_mesh(vertices, triangles, surface=surface or None, name=name or None)
    return scene.commit()


def _check_metres(crs: Any) -> None:
    """Rejects a CRS of pyproj in which a unit is not a metre on the ground."""
    advice = "project it to metres first, frame.to_crs(frame.estimate_utm_crs())"
    if crs.is_geographic:
        raise BadCallError(f"the frame is in degrees: {advice}")
    for axis in getattr(crs, "axis_info", ())[:2]:
        if abs(axis.unit_conversion_factor - 1.0) > 1e-9:
            raise BadCallError(f"the frame is in {axis.unit_name}, not in metres: {advice}")
    operation = getattr(crs, "coordinate_operation", None)
    if "Pseudo Mercator" in str(getattr(operation, "method_name", "")):
        raise BadCallError(f"the frame is in Web Mercator, whose metres grow with latitude: {advice}")


def _polygons(shape: Any, row: int) -> list[Any]:
    """Those of a shape of shapely that has area; none of an empty one."""
    if shape is None or shape.is_empty:
        return []
    if hasattr(shape, "geoms"):
        return [polygon for part in shape.geoms for polygon in _polygons(part, row)]
    if not hasattr(shape, "exterior"):
        raise BadCallError(f"row {row} is a {shape.geom_type}: buildings are polygons")
    return [shape]


def _height_m(value: Any, row: int) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not np.isfinite(number):
        raise BadCallError(f"row {row} has the height {value}: a number of metres is needed; fillna(10) gives the others 10 m")
    return number


def _names(call: Any, handle: Any) -> Iterable[str]:
    index = 0
    while (name := call(handle, index)) is not None:
        yield decode(name)
        index += 1


def _raster(heights: Any, origin_m: Sequence[float], spacing_m: float | Sequence[float]) -> Any:
    values = np.ascontiguousarray(heights, dtype=np.float32)
    if values.ndim != 2:
        raise BadCallError(f"heights: an array of rows and columns is needed, not of shape {values.shape}")
    made = new(_abi.rw_raster)
    made.rows, made.columns = values.shape
    made.x0_m, made.y0_m = origin_m
    made.dx_m, made.dy_m = np.broadcast_to(np.asarray(spacing_m, dtype=float), 2).tolist()
    made.values = _pointer(values, C.c_float)
    made._keep = values
    return made

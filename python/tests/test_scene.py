import math
import pickle
import types

import numpy as np
import pytest

import rasterwave as rw

BOX = np.array([[10.0, 10.0], [30.0, 10.0], [30.0, 30.0], [10.0, 30.0]])


def test_generated_cities_are_the_same(scene):
    again = rw.Scene.city(300, 300, seed=3).info
    assert again.walls == scene.info.walls and again.roof_mean_m == scene.info.roof_mean_m
    assert rw.Scene.city(300, 300, seed=4).info.roof_mean_m != scene.info.roof_mean_m


def test_scene_from_arrays():
    scene = rw.Scene()
    scene.add_material("mine", 4.0, 0.02)
    scene.add_slab("wall", [("mine", 0.1), ("itu_glass", 0.01)])
    hole = BOX[::-1] * 0.2 + 16
    scene.add_building([BOX, hole], 12.0, surface="wall")
    scene.add_building(BOX + [40, 0], 8.0)
    scene.add_building([(90.0, 0.0), (99.0, 0.0), (99.0, 9.0)], 5)
    scene.commit()
    info = scene.info
    assert (info.buildings, info.walls, info.roof_max_m) == (3, 4 + 4 + 4 + 3, 12.0)
    assert scene.materials == ["mine"] and scene.slabs == ["wall"] and "wall" in scene.surfaces


def test_free_space_of_an_empty_place():
    scene = rw.Scene()
    scene.add_building(BOX, 5.0)
    scene.add_building(BOX + [90, 90], 5.0)
    scene.commit()
    loss = rw.trace(scene, rw.Transmitter(60, 20, 50), [[60, 100, 50]], model="rt", freq=1e9, reflections=0).loss_db
    assert loss[0] == pytest.approx(20 * math.log10(4 * math.pi * 80 * 1e9 / 299792458), abs=1e-4)


def test_mesh_and_panels():
    scene = rw.Scene()
    scene.add_mesh([[0, 0, 0], [9, 0, 0], [9, 9, 0], [0, 9, 0]], [[0, 1, 2], [0, 2, 3]], surface="itu_wood", name="floor")
    scene.add_panel((0, 0), (9, 0), 0, 3, surface="itu_plasterboard")
    assert (scene.commit().info.triangles, scene.info.panels) == (2, 1)


def test_boxes_become_buildings():
    x, y, z = np.meshgrid([10.0, 30.0], [10.0, 20.0], [0.0, 8.0], indexing="ij")
    corners = np.stack([x.ravel(), y.ravel(), z.ravel()], axis=1)
    quads = [(0, 2, 6, 4), (1, 5, 7, 3), (0, 4, 5, 1), (2, 3, 7, 6), (0, 1, 3, 2), (4, 6, 7, 5)]
    scene = rw.Scene()
    scene.add_mesh(corners, [triangle for a, b, c, d in quads for triangle in ((a, b, c), (a, c, d))])
    scene.meshes_to_buildings()
    info = scene.commit().info
    assert (info.buildings, info.roof_max_m) == (1, 8.0)


def test_terrain_lifts_the_ground():
    scene = rw.Scene()
    scene.set_terrain(np.full((5, 5), 100.0), origin_m=(0, 0), spacing_m=50)
    scene.add_building(BOX + 50, 10.0)
    info = scene.commit().info
    assert info.has_terrain and info.terrain_max_m == 100.0


def test_saved_and_loaded(scene, tmp_path, needs_gdal):
    scene.save(tmp_path / "city.gpkg")
    assert rw.Scene.load(tmp_path / "city.gpkg").info.walls == scene.info.walls


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda s: s.add_building(np.zeros((3, 3)), 5), rw.BadCallError, r"\(n, 2\)"),
        (lambda s: s.add_building(BOX, math.inf), rw.Error, ""),
        (lambda s: s.add_mesh([[0, 0, 0]], [[0, 1, 2]]), rw.Error, ""),
        (lambda s: s.set_terrain(np.zeros(4)), rw.BadCallError, "rows and columns"),
        (lambda s: rw.Scene.load("/nowhere.gpkg"), rw.NotFoundError, "nowhere"),
        (lambda s: rw.Scene.city(1, 1), rw.BadCallError, ""),
        (lambda s: rw.Context(backend="tpu"), rw.BadCallError, "auto, cpu or cuda"),
    ],
)
def test_bad_calls_get_a_sentence(call, error, words):
    with pytest.raises(error, match=words):
        call(rw.Scene())


def test_committed_scenes_do_not_change(scene):
    with pytest.raises(rw.Error):
        scene.add_building(BOX, 5.0)


def test_frame_of_geopandas():
    geopandas = pytest.importorskip("geopandas")
    shapely = pytest.importorskip("shapely.geometry")
    frame = geopandas.GeoDataFrame({"height": [9.0]}, geometry=[shapely.Polygon(BOX)], crs="EPSG:32632")
    assert rw.Scene.from_geodataframe(frame).info.roof_max_m == 9.0


class Shape:
    """What is used of shapely's polygons, where that is not installed."""

    def __init__(self, ring, kind="Polygon"):
        self.is_empty, self.geom_type = ring is None, kind
        if kind == "Polygon" and ring is not None:
            self.exterior, self.interiors = types.SimpleNamespace(coords=[*ring, ring[0]]), []


def test_polygons_of_shapely():
    many = types.SimpleNamespace(is_empty=False, geoms=[Shape(BOX + 50), Shape(BOX + 90)])
    made = rw.Scene.from_geodataframe([Shape(BOX), None, Shape(None), many], [5.0, 1.0, 1.0, 8.0], surface="itu_glass")
    assert made.info.parts == 3 and made.info.roof_max_m == 8 and "itu_glass" in made.surfaces
    with pytest.raises(rw.BadCallError, match="row 0 is a Point"):
        rw.Scene.from_geodataframe([Shape(BOX, "Point")], 5.0)
    with pytest.raises(rw.BadCallError, match="row 1 has the height nan"):
        rw.Scene.from_geodataframe([Shape(BOX), Shape(BOX + 50)], [5.0, math.nan])
    with pytest.raises(rw.BadCallError, match="no column 'height'"):
        rw.Scene.from_geodataframe([Shape(BOX)])


def test_geometry_and_profile():
    scene = rw.Scene()
    scene.add_building([BOX + [5e5, 5e6], BOX[::-1] * 0.2 + 16 + [5e5, 5e6]], 12.0)
    scene.add_panel((500060, 5000010), (500060, 5000030), 0, 3, surface="itu_glass")
    scene.add_mesh([(500070, 5e6, 0), (500071, 5e6, 0), (500071, 5e6, 4.0)], [[0, 1, 2]])
    scene.commit()
    geometry, (part,) = scene.geometry, scene.parts
    assert (part.bottom_m, part.top_m, part.ring_count, len(geometry.rings)) == (0, 12, 2, 2)
    assert sorted(map(tuple, geometry.rings[part.first_ring])) == sorted(map(tuple, BOX + [5e5, 5e6]))
    assert [(wall.x0_m, wall.top_m, wall.surface) for wall in scene.panels] == [(500060, 3, "itu_glass")]
    assert geometry.vertices[2] == pytest.approx([500071, 5e6, 4]) and geometry.triangles.tolist() == [[0, 1, 2]]
    assert geometry.terrain is None
    ground, top = scene.profile((500001, 5000012), (500041, 5000012), 5)
    assert ground.tolist() == [0] * 5 and top.tolist() == [0, 12, 12, 0, 0]
    hills = rw.Scene.city(200, 200, hills=True)
    assert hills.geometry.terrain.max() == pytest.approx(hills.info.terrain_max_m)


def test_frames_in_other_units_are_rejected():
    """Axes and operations as pyproj has them."""

    def frame(unit, factor, method, geographic=False):
        axis = types.SimpleNamespace(unit_name=unit, unit_conversion_factor=factor)
        operation = types.SimpleNamespace(method_name=method)
        crs = types.SimpleNamespace(
            is_geographic=geographic, axis_info=[axis, axis], coordinate_operation=operation, to_wkt=lambda: ""
        )
        return types.SimpleNamespace(crs=crs, geometry=[Shape(BOX)], columns=["height"])

    with pytest.raises(rw.BadCallError, match="in US survey foot, not in metres"):
        rw.Scene.from_geodataframe(frame("US survey foot", 0.304800609601219, "Lambert Conic Conformal"), 5.0)
    with pytest.raises(rw.BadCallError, match="Web Mercator"):
        rw.Scene.from_geodataframe(frame("metre", 1.0, "Popular Visualisation Pseudo Mercator"), 5.0)
    with pytest.raises(rw.BadCallError, match="in degrees"):
        rw.Scene.from_geodataframe(frame("degree", 0.0174532925199433, None, True), 5.0)


def test_closed_objects_can_be_printed():
    scene = rw.Scene.city(200, 200)
    scene.close()
    assert repr(scene) == "<closed Scene>"


@pytest.mark.parametrize("kind", ["hills", "office", "everything"])
def test_pickled_scenes(kind):
    """The same geometry by its hash, and the same map."""
    if kind == "everything":
        scene = rw.Scene()
        scene.crs = "EPSG:32632"
        scene.add_material("plaster", 2.5, 0.01, conductivity_exponent=0.5)
        scene.add_slab("double", [("itu_glass", 0.004), ("plaster", 0.02)])
        scene.set_terrain(np.add.outer(np.arange(6.0), np.arange(6.0)), origin_m=(-20, -20), spacing_m=40)
        scene.set_foliage(np.where(np.eye(9) > 0, 8.0, 0.0), origin_m=(0, 0), spacing_m=10)
        scene.add_building([BOX * 3, BOX[::-1] * 0.5 + 20], 12.0, surface="double", building_id=7)
        scene.add_building(BOX * 0.5 + 120, 9.0, base_height_m=3.0, ground_m=2.0, building_id=7)
        scene.add_panel((100, 10), (100, 60), 2, 5, surface="plaster")
        scene.add_mesh([(80, 5, 1), (90, 5, 1), (85, 5, 9.0)], [[0, 1, 2]], surface="metal", name="sign")
        scene.commit()
    else:
        scene = rw.Scene.office() if kind == "office" else rw.Scene.city(300, 300, hills=True)
    again = pickle.loads(pickle.dumps(scene))
    assert again.hash == scene.hash and again.crs == scene.crs
    assert again.materials == scene.materials and again.slabs == scene.slabs and set(again.surfaces) == set(scene.surfaces)
    mast = rw.Transmitter(5, 5, 2) if kind == "office" else rw.Transmitter(70, 70, 40)
    given = {"res": 2 if kind == "office" else 10, "freq": 2e9}
    np.testing.assert_array_equal(
        rw.predict(again, mast, **given)["path_loss"], rw.predict(scene, mast, **given)["path_loss"]
    )

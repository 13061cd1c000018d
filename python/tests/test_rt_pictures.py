"""Pictures of rasterwave.rt, and what else code for Sionna RT expects of arrays, materials and scenes."""

import importlib.util
import math
import sys

import numpy as np
import pytest

import rasterwave as rw
from rasterwave import rt

WALL = [[10, -5, 0], [10, 5, 0], [10, 5, 10], [10, -5, 10]]
TWO = [[0, 1, 2], [0, 2, 3]]


@pytest.fixture
def room():
    """A wall 10 m to the east of a transmitter, a receiver beside that."""
    engine = rw.Scene()
    engine.add_slab("wall", [("itu_concrete", 0.3)])
    engine.add_mesh(WALL, TWO, surface="wall", name="facade")
    engine.set_no_ground()
    scene = rt.Scene(engine.commit())
    scene.tx_array = scene.rx_array = rt.PlanarArray(num_rows=1, num_cols=1)
    scene.add([rt.Transmitter("tx", [0, -2, 5], display_radius=0.5), rt.Receiver("rx", [0, 2, 5], display_radius=0.5)])
    return scene


def pixels(scene, **keywords):
    camera = rt.Camera(position=[-20, 0, 5], look_at=[10, 0, 5])
    return np.asarray(scene.render(camera=camera, resolution=(301, 201), return_bitmap=True, **keywords)).astype(int)


def test_shapes_are_where_a_pinhole_sees_them(room):
    """The wall is 10 m wide 30 m ahead, 301 pixels see 45 degrees: 121 pixels wide, around the middle."""
    picture = pixels(room, show_devices=False)
    drawn = np.abs(picture - 255).sum(axis=2) > 0
    columns, rows = np.nonzero(drawn.any(axis=0))[0], np.nonzero(drawn.any(axis=1))[0]
    wide = 301 / 2 / math.tan(math.radians(22.5)) * 10 / 30
    assert len(columns) == pytest.approx(wide, abs=2) and len(rows) == pytest.approx(wide, abs=2)
    assert columns.mean() == pytest.approx(150, abs=1) and rows.mean() == pytest.approx(100, abs=1)
    room.get("facade").radio_material.color = (1, 0, 0)
    red = pixels(room, show_devices=False)[100, 150]
    assert red[0] > 80 and red[1] == red[2] == 0
    assert (pixels(room, show_devices=False, clip_at=4)[:100] == 255).all()  # above 4 m nothing is left


def test_devices_paths_and_maps_are_drawn(room):
    plain = pixels(room, show_devices=False)
    devices = pixels(room)
    # y = 2 is to the left of a camera that looks east
    where = [round(150 - y * 301 / 2 / math.tan(math.radians(22.5)) / 20) for y in (-2, 2)]
    assert np.argmax(devices[100, where[0]]) == 2 and np.argmax(devices[100, where[1]]) == 1  # blue and green
    paths = rt.PathSolver()(room, max_depth=1)
    assert paths.tau.shape[-1] == 2
    changed = np.abs(pixels(room, paths=paths) - devices).sum(axis=2) > 0
    assert changed[100, where[0] + 1 : where[1] - 1].any() or changed[100, where[1] : where[0]].any()
    map = rt.RadioMapSolver()(room, center=[5, 0, 1], orientation=[0, 0, 0], size=[8, 8], cell_size=[1, 1], max_depth=1)
    shown = np.abs(pixels(room, radio_map=map, rm_vmin=-80, rm_vmax=-40, show_devices=False) - plain).sum(axis=2) > 0
    assert shown[110:180].sum() > 1000 and not shown[:60].any()
    assert (pixels(room, radio_map=map, rm_metric="rss", rm_cmap=lambda share: (1, 0, 0))[:, :, 0] == 255).sum() > 1000


def test_pictures_are_files_and_figures(room, tmp_path, monkeypatch):
    room.render_to_file(camera="preview", filename=tmp_path / "scene.png", resolution=[64, 48])
    assert (tmp_path / "scene.png").read_bytes()[1:4] == b"PNG"
    rt.load_scene().render(camera=rt.Camera([0, 0, 5], look_at=[0, 0, 0]))  # empty, and straight down
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name in ("matplotlib", "pythreejs") else find(name))
    assert room.preview(resolution=(64, 48)).shape == (48, 64, 3)
    monkeypatch.undo()
    pytest.importorskip("matplotlib").use("Agg")
    assert len(room.render(rm_show_color_bar=True, resolution=(64, 48)).axes) == 1


def test_preview_is_a_widget(room):
    pytest.importorskip("pythreejs")
    paths = rt.PathSolver()(room, max_depth=1)
    widget = room.preview(paths=paths)
    assert widget.scene is not None and len(widget.scene.children) >= 3
    assert np.asarray(room.render(camera="preview", return_bitmap=True, resolution=(64, 48))).shape == (48, 64, 3)


def test_buildings_are_drawn(mast):
    """Roofs are filled by triangles that cover their outline exactly."""
    from rasterwave.rt import _picture

    outline = np.array([[0, 0], [4, 0], [4, 1], [1, 1], [1, 3], [4, 3], [4, 4], [0, 4]], float)  # a C
    for ring in (outline, outline[::-1]):
        corners = ring[_picture._cut_ears(ring)]
        sides = corners[:, 1:] - corners[:, :1]
        areas = np.abs(sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0]) / 2
        assert areas.sum() == pytest.approx(10) and len(areas) == 6
    scene = rt.Scene(rw.Scene.city(200, 200, seed=2))
    assert (np.asarray(scene.render(return_bitmap=True, resolution=(100, 80))) < 250).any(axis=2).mean() > 0.1


def test_vectors_have_the_shapes_of_drjit(room):
    tx, wall = room.get("tx"), room.get("facade")
    assert tx.position.numpy().shape == (3, 1) and wall.velocity.numpy()[:, 0].tolist() == [0, 0, 0]
    tx.position = np.array([[1.0], [2.0], [3.0]])
    assert tx.position.tolist() == [1, 2, 3]
    tx.position.x = 7
    tx.position[1] = 8
    tx.position += [0, 0, 1]
    assert tx.position.tolist() == [7, 8, 4]
    wall.position.z = 20
    wall.orientation.x = math.pi / 2
    assert wall.position.tolist() == pytest.approx([10, 0, 20]) and wall.lcs_half_extents.tolist() == pytest.approx([0, 5, 5])
    assert np.ptp(wall.mi_mesh.vertices[:, 0]) == pytest.approx(10)
    around = rt.r_hat(np.full(4, math.pi / 2), np.arange(4) * math.pi / 2)
    assert around.numpy().shape == (3, 4) and (5 * around).x[0] == pytest.approx(5) and around.y[1] == pytest.approx(1)
    assert rt.r_hat(0, 0).z[0] == 1
    tau = rt.PathSolver()(room, max_depth=0).tau
    assert tau[0, 0, 0].numpy() * 299792458.0 == pytest.approx(float(tau[0, 0, 0]) * 299792458.0)
    assert f"{tau[0, 0, 0] * 1e9:.3f}" and tau[0].numpy().shape == (1, 1)


def test_helpers_are_a_module():
    from rasterwave.rt.utils import r_hat, subcarrier_frequencies

    assert r_hat is rt.r_hat and subcarrier_frequencies(4, 1.0).tolist() == [-2, -1, 0, 1]
    assert rt.utils.sinc(0.5) == pytest.approx(2 / math.pi) and rt.utils.sigmoid(0) == 0.5
    with pytest.raises(NotImplementedError, match="jones_matrix_rotator"):
        rt.utils.jones_matrix_rotator
    with pytest.raises(NotImplementedError, match="RIS"):
        rt.RIS
    with pytest.raises(NotImplementedError, match="RadioMapSolver"):
        rt.load_scene().coverage_map


def test_absorbers_end_paths(room):
    assert rt.PathSolver()(room, max_depth=1).tau.shape[-1] == 2
    room.get("facade").radio_material = rt.AbsorberRadioMaterial("black")
    assert rt.PathSolver()(room, max_depth=1).tau.shape[-1] == 1  # the direct path
    room.get("rx").position = [20, 0, 5]
    assert rt.PathSolver()(room, max_depth=1).tau.shape[-1] == 0


def test_a_receiver_in_a_wall_has_paths(room):
    """Walls are sheets for paths: a device nearer than half their thickness is before or behind them."""
    room.get("rx").position = [9.9, 2, 5]
    paths = rt.PathSolver()(room, max_depth=0)
    assert paths.tau[0, 0, 0] * 299792458.0 == pytest.approx(math.hypot(9.9, 4))
    map = rt.RadioMapSolver()(room, center=[9.9, 0, 5], orientation=[0, 0, 0], size=[0.05, 0.05], cell_size=[0.05, 0.05])
    assert map.path_gain[0, 0, 0] > 0


def test_scenes_from_text(tmp_path, monkeypatch):
    (tmp_path / "floor.ply").write_text(
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n9 0 0\n0 9 0\n3 0 1 2\n"
    )
    monkeypatch.chdir(tmp_path)
    scene = rt.load_scene_from_string(
        '<scene version="2.1.0"><bsdf type="itu-radio-material" id="floor"><string name="type" value="concrete"/>'
        '<float name="thickness" value="0.2"/></bsdf><shape type="ply" id="mesh-floor"><string name="filename" value="floor.ply"/>'
        '<ref id="floor" name="bsdf"/></shape></scene>'
    )
    assert list(scene.objects) == ["floor"] and scene.get("floor").mi_mesh.vertices.max() == 9


@pytest.mark.parametrize(
    "pattern",
    [rt.LambertianPattern(), rt.DirectivePattern(1), rt.DirectivePattern(10), rt.BackscatteringPattern(4, 7, 0.3)],
    ids=lambda each: type(each).__name__,
)
@pytest.mark.parametrize("tilt", [0.0, 0.6, 1.4])
def test_scattering_patterns_have_unit_power(pattern, tilt):
    theta, phi = np.meshgrid((np.arange(200) + 0.5) * math.pi / 400, (np.arange(400) + 0.5) * math.pi / 200, indexing="ij")
    values = pattern([math.sin(tilt), 0, -math.cos(tilt)], np.asarray(rt.r_hat(theta, phi)))
    total = np.sum(np.asarray(values) * np.sin(theta)) * (math.pi / 400) * (math.pi / 200)
    assert total == pytest.approx(1, rel=2e-3)


def test_samples_are_two_or_three(room):
    map = rt.RadioMapSolver()(room, center=[0, 0, 1], orientation=[0, 0, 0], size=[10, 10], cell_size=[1, 1], max_depth=0)
    places, cells, valid = map.sample_positions(5)
    two, same = map.sample_positions(5)
    assert valid[0] == 5 and (two == places).all() and (same == cells).all() and len(map.sample_positions(5)) == 3


def test_import_selects_a_variant_of_mitsuba():
    mitsuba = pytest.importorskip("mitsuba")
    assert mitsuba.variant() is not None and "mitsuba" in sys.modules

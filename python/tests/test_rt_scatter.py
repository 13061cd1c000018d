"""Diffuse reflection of rasterwave.rt against closed forms and integrals; test_rt_sionna.py compares it with Sionna RT."""

import math

import numpy as np
import pytest

import rasterwave as rw
from rasterwave import rt
from rasterwave.rt._scatter import reflection_coefficients

FLOOR = [[-40, -40, 0], [40, -40, 0], [40, 40, 0], [-40, 40, 0]]
FACADE = [[-20, 20, 0], [20, 20, 0], [20, 20, 15], [-20, 20, 15]]
SQUARE = [[0, 1, 2], [0, 2, 3]]
SENDER, TAKER = (-6.0, 0.0, 4.0), (5.0, 2.0, 3.0)


def scene_of(*objects, polarization="V", rough=0.6, **material):
    engine = rw.Scene()
    engine.add_slab("wall", [("itu_concrete", 0.3)])
    for number, corners in enumerate(objects):
        engine.add_mesh(corners, SQUARE, surface="wall", name=f"object_{number}")
    scene = rt.Scene(engine.commit())
    scene.tx_array = rt.PlanarArray(num_rows=1, num_cols=1, pattern="iso", polarization="V")
    scene.rx_array = rt.PlanarArray(num_rows=1, num_cols=1, pattern="iso", polarization=polarization)
    scene.add(rt.Transmitter("tx", SENDER))
    scene.add(rt.Receiver("rx", TAKER))
    only = next(iter(scene.radio_materials.values()))
    only.scattering_coefficient = rough
    for name, value in material.items():
        setattr(only, name, value)
    return scene


def powers(paths):
    """Of all paths to both polarisations, and which of them scatter."""
    total = np.sum(np.abs(np.asarray(paths.a[0]) + 1j * np.asarray(paths.a[1]))[0, :, 0, 0] ** 2, axis=0)
    return total, (np.asarray(paths.interactions)[:, 0, 0] == rt.InteractionType.DIFFUSE).any(axis=0)


def floor_integral(scene, pattern):
    """What the floor scatters of a vertical isotropic transmitter, over squares of 0.1 m, with slabs of rasterwave.calc."""
    at = np.arange(-40, 40, 0.1) + 0.05
    x, y = np.meshgrid(at, at)
    cells = np.stack([x, y, np.zeros_like(x)], axis=-1)
    inward, outward = cells - SENDER, np.asarray(TAKER) - cells
    r1, r2 = np.linalg.norm(inward, axis=-1), np.linalg.norm(outward, axis=-1)
    inward, outward = inward / r1[..., None], outward / r2[..., None]
    cosine = -inward[..., 2]
    angles = np.linspace(0, 89.9, 200)
    tm = [abs(rw.calc.slab([("itu_concrete", 0.3)], 3.5e9, angle).reflection_tm) ** 2 for angle in angles]
    gamma2 = np.interp(np.degrees(np.arccos(cosine)), angles, tm)
    shape = np.asarray(pattern(inward.reshape(-1, 3), outward.reshape(-1, 3))).reshape(x.shape)
    rough = next(iter(scene.radio_materials.values())).scattering_coefficient
    flow = rough**2 * gamma2 * shape * cosine / (r1 * r2) ** 2
    return (scene.wavelength / (4 * math.pi)) ** 2 * flow.sum() * 0.01


@pytest.mark.parametrize(
    "pattern", [rt.LambertianPattern(), rt.DirectivePattern(4), rt.BackscatteringPattern(4, 3, 0.5)], ids=lambda each: type(each).__name__
)
@pytest.mark.parametrize("leak", [0.0, 0.3])
def test_a_floor_scatters_its_integral(pattern, leak):
    scene = scene_of(FLOOR, polarization="VH", scattering_pattern=pattern, xpd_coefficient=leak)
    paths = rt.PathSolver()(scene, max_depth=1, diffuse_reflection=True)
    power, scatters = powers(paths)
    assert 10 * np.log10(power[scatters].sum() / floor_integral(scene, pattern)) == pytest.approx(0, abs=0.05)
    a = np.abs(np.asarray(paths.a[0]) + 1j * np.asarray(paths.a[1]))[0, :, 0, 0][:, scatters] ** 2
    # The field stays in the directions of theta but for what leaks.
    assert a[1].sum() / a.sum() == pytest.approx(leak, abs=1e-9)


def test_specular_paths_keep_the_rest():
    smooth, rough = (rt.PathSolver()(scene_of(FLOOR, rough=each), max_depth=1) for each in (0.0, 0.6))
    np.testing.assert_allclose(np.sort(powers(rough)[0])[0] / np.sort(powers(smooth)[0])[0], 1 - 0.36, rtol=1e-6)
    assert not powers(rough)[1].any()


def test_smooth_materials_scatter_nothing():
    calm = rt.PathSolver()(scene_of(FLOOR, rough=0.0), max_depth=1, diffuse_reflection=True)
    assert calm.tau.shape[-1] == 2


def test_coefficients_are_those_of_the_slab():
    material = rt.ITURadioMaterial("other", "concrete", thickness=0.3)
    scene = scene_of(FLOOR)
    scene.add(material)
    for angle in (0.0, 35.0, 80.0):
        te, tm = reflection_coefficients(material, np.array([math.cos(math.radians(angle))]), 3.5e9)
        exact = rw.calc.slab([("itu_concrete", 0.3)], 3.5e9, angle)
        np.testing.assert_allclose(np.abs([te[0], tm[0]]), np.abs([exact.reflection_te, exact.reflection_tm]), rtol=1e-6)


def test_paths_scatter_once_and_reflect_before_or_behind():
    """A floor and a facade: delays are those of the vertices, and paths end on the rough surfaces' patches."""
    scene = scene_of(FLOOR, FACADE)
    paths = rt.PathSolver()(scene, max_depth=2, diffuse_reflection=True, refraction=False, samples_per_src=100000)
    kinds, vertices = np.asarray(paths.interactions)[:, 0, 0], np.asarray(paths.vertices)[:, 0, 0]
    diffuse = kinds == rt.InteractionType.DIFFUSE
    assert (diffuse.sum(axis=0) <= 1).all()
    for order in ((rt.InteractionType.SPECULAR, rt.InteractionType.DIFFUSE), (rt.InteractionType.DIFFUSE, rt.InteractionType.SPECULAR)):
        assert (kinds.T == order).all(axis=1).sum() > 20
    for path in np.nonzero(diffuse.any(axis=0))[0]:
        inner = vertices[: np.count_nonzero(kinds[:, path]), path]
        points = np.concatenate([[SENDER], inner, [TAKER]])
        length = np.linalg.norm(np.diff(points, axis=0), axis=1).sum()
        assert paths.tau[0, 0, path] * 299792458 == pytest.approx(length, abs=5e-3)
        for point in inner:
            assert min(abs(point[2]), abs(point[1] - 20)) < 1e-6


def test_paths_are_at_most_as_many():
    few = rt.PathSolver()(scene_of(FLOOR), max_depth=1, diffuse_reflection=True, max_num_paths_per_src=10)
    assert few.tau.shape[-1] == 10 and (~powers(few)[1]).sum() == 2


@pytest.mark.parametrize("pattern", ["lambertian", "directive"])
def test_maps_have_the_power_of_paths(pattern):
    scene = scene_of(FLOOR, FACADE, polarization="VH", scattering_pattern=rt.LambertianPattern() if pattern == "lambertian" else rt.DirectivePattern(3))
    chosen = dict(max_depth=1, diffuse_reflection=True, los=False, specular_reflection=False, refraction=False)
    plane = dict(center=[*TAKER[:2], TAKER[2]], orientation=[0, 0, 0], size=[3, 3], cell_size=[1, 1])
    map = np.asarray(rt.RadioMapSolver()(scene, **chosen, **plane).path_gain)[0]
    total = powers(rt.PathSolver()(scene, **chosen))[0].sum()
    assert 10 * np.log10(map[1, 1] / total) == pytest.approx(0, abs=0.15)
    calm = np.asarray(rt.RadioMapSolver()(scene, **{**chosen, "diffuse_reflection": False}, **plane).path_gain)
    assert not calm.any()


def test_a_cell_near_a_rough_floor():
    """Patches near the cell are integrated in pieces, as PathSolver's, which are finer near its receivers."""
    scene = scene_of(FLOOR, polarization="VH")
    scene.get("rx").position = [5, 2, 0.5]
    chosen = dict(max_depth=1, diffuse_reflection=True, los=False, specular_reflection=False, refraction=False)
    plane = dict(center=[5, 2, 0.5], orientation=[0, 0, 0], size=[1, 1], cell_size=[1, 1])
    map = np.asarray(rt.RadioMapSolver()(scene, **chosen, **plane).path_gain)[0, 0, 0]
    assert 10 * np.log10(map / powers(rt.PathSolver()(scene, **chosen))[0].sum()) == pytest.approx(0, abs=0.5)

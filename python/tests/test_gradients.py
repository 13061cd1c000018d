"""Derivatives of kept gains against finite differences, and inside PyTorch and JAX where they are installed."""

import pathlib
import re

import numpy as np
import pytest

import rasterwave as rw


@pytest.fixture(scope="module")
def kept():
    office = rw.Scene.office(14, 10)
    senders = [rw.Transmitter(3, 3, 2, name="a", antenna="3gpp", azimuth_deg=20), rw.Transmitter(9.13, 6.71, 2.1, name="b")]
    points = [[4.5, 5.2, 1.2], [11.3, 4.9, 1.2], [7.1, 1.3, 1.0]]
    return rw.gradients.keep(office, senders, points, freq=2.4e9, depth=2, pixels=128, sum="power")


def loss(kept, values):
    return float((kept.levels(values) ** 2).sum())


def test_levels_and_gradient(kept):
    levels = kept.levels()
    assert levels.shape == (2, 3) and np.isfinite(levels).all()
    gradient = kept.named(kept.vjp(2 * levels))
    values = kept.values.copy()
    for quantity, name, index in [("permittivity", "itu_plasterboard", 0), ("azimuth", "a", 0), ("power", "b", 1)]:
        number = kept.select(quantity, name, index)[0]
        step = 1e-4 * max(1, abs(values[number]))
        up, down = values.copy(), values.copy()
        up[number] += step
        down[number] -= step
        slope = (loss(kept, up) - loss(kept, down)) / (2 * step)
        assert gradient[quantity, name, index] == pytest.approx(slope, rel=1e-5, abs=1e-6)


def test_forward_and_backward_agree(kept):
    random = np.random.default_rng(1)
    tangent = random.normal(size=len(kept.parameters)) * 1e-3
    for output, cotangent in [("levels", random.normal(size=(2, 3))), ("paths", random.normal(size=kept.info.paths))]:
        if output == "paths":
            cotangent = cotangent + 1j * random.normal(size=kept.info.paths)
        _, change = kept.jvp(tangent, output=output)
        forward = np.vdot(cotangent, change).real
        assert forward == pytest.approx(tangent @ kept.vjp(cotangent, output=output), rel=1e-9)


def test_paths_and_levels(kept):
    transmitter, point = kept.path_ends()
    gains, levels = kept.paths(), kept.levels()
    powers = [kept.values[kept.select("power", index=i)[0]] for i in range(2)]
    for t in range(2):
        for p in range(3):
            chosen = (transmitter == t) & (point == p)
            assert powers[t] + 10 * np.log10((np.abs(gains[chosen]) ** 2).sum()) == pytest.approx(levels[t, p], abs=1e-9)


def test_moved(kept):
    assert kept.at(kept.values) is kept
    values = kept.values.copy()
    values[kept.select("x", "b")] += 0.05
    with pytest.raises(rw.BadCallError, match="keep them anew"):
        kept.levels(values)
    assert not np.array_equal(kept.at(values).levels(values), kept.levels())


def test_refusals(kept):
    with pytest.raises(rw.BadCallError, match="shape"):
        kept.levels([1, 2])
    with pytest.raises(rw.BadCallError, match="shape"):
        kept.vjp([1.0])
    with pytest.raises(rw.BadCallError, match="there is no"):
        kept.select("permittivity", "cheese")
    values = kept.values.copy()
    values[0] = 0.2
    with pytest.raises(rw.BadCallError, match="at least 1"):
        kept.levels(values)
    with pytest.raises(rw.BadCallError, match="no gradients"):
        rw.gradients.keep(rw.Scene.city(200, 200), rw.Transmitter(100, 100, 60), [[10, 10, 1]], model="cubes", freq=2e9)


@pytest.fixture
def away(kept):
    """Values off their bounds, at which only one side is allowed, and those that move nothing."""
    values = kept.values.copy()
    for quantity, least in [("conductivity", 0.01), ("roughness", 0.05)]:
        chosen = kept.select(quantity)
        values[chosen] = np.maximum(values[chosen], least + 1e-3 * np.arange(len(chosen)))
    still = [number for number, parameter in enumerate(kept.parameters) if parameter.word not in ("x", "y", "height")]
    return values, still


@pytest.mark.parametrize("output", ["levels", "paths"])
def test_torch(kept, away, output):
    """Gradients of a scalar, and every derivative against differences, backward and forward."""
    torch = pytest.importorskip("torch")
    evaluate = getattr(rw.gradients, f"torch_{output}")
    values = torch.tensor(kept.values, requires_grad=True)
    (evaluate(kept, values).abs() ** 2).sum().backward()
    np.testing.assert_allclose(values.grad.numpy(), kept.vjp(2 * getattr(kept, output)(), output=output), rtol=1e-12)

    start, still = away
    fixed, chosen = torch.tensor(start), torch.tensor(still)

    def of_chosen(numbers):
        return evaluate(kept, fixed.index_put((chosen,), numbers))

    numbers = fixed[chosen].clone().requires_grad_()
    scale = 1.0 if output == "levels" else 1e5  # path gains are small
    assert torch.autograd.gradcheck(
        lambda numbers: scale * of_chosen(numbers), numbers, eps=1e-6, atol=1e-5, rtol=1e-5, check_forward_ad=True
    )


def test_torch_moved(kept):
    """Where a transmitter moves the gradient is that of the new place."""
    torch = pytest.importorskip("torch")
    values = torch.tensor(kept.values)
    values[kept.select("x", "b")] += 0.05
    values.requires_grad_()
    rw.gradients.torch_levels(kept, values).sum().backward()
    there = kept.at(values.detach().numpy())
    np.testing.assert_allclose(values.grad.numpy(), there.vjp(np.ones((2, 3))), rtol=1e-12)


@pytest.mark.parametrize("output", ["levels", "paths"])
def test_jax(kept, away, output):
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    evaluate = getattr(rw.gradients, f"jax_{output}")(kept)

    def scalar(values):
        return (abs(evaluate(values)) ** 2).sum()

    gradient = jax.jit(jax.grad(scalar))(kept.values)
    np.testing.assert_allclose(gradient, kept.vjp(2 * getattr(kept, output)(), output=output), rtol=1e-12)
    start, still = away
    gradient, size = np.asarray(jax.grad(scalar)(start)), abs(float(scalar(start)))
    for number in still[::7]:
        step = np.zeros(len(start))
        step[number] = 1e-5 * max(abs(start[number]), 0.01)
        slope = (scalar(start + step) - scalar(start - step)) / (2 * step[number])
        assert gradient[number] == pytest.approx(float(slope), rel=1e-4, abs=1e-9 * size / step[number] ** 0.5)


@pytest.mark.parametrize("output", ["levels", "paths"])
def test_transforms_of_jax(kept, away, output):
    """Forward, both Jacobians and batches are those of jvp; a second derivative is an error."""
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    evaluate, (start, _) = getattr(rw.gradients, f"jax_{output}")(kept), away
    columns = [kept.jvp(step, start, output)[1] for step in np.eye(len(start))]
    expected = np.stack(columns, axis=-1)
    tangent = np.random.default_rng(5).normal(size=len(start))
    np.testing.assert_allclose(jax.jvp(evaluate, (start,), (tangent,))[1], expected @ tangent, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(jax.jacfwd(evaluate)(start), expected, rtol=1e-12)
    if output == "levels":
        np.testing.assert_allclose(jax.jit(jax.jacrev(evaluate))(start), expected, rtol=1e-9, atol=1e-9)
    both = np.stack([start, kept.values])
    np.testing.assert_array_equal(jax.vmap(evaluate)(both), np.stack([evaluate(start), evaluate(kept.values)]))
    with pytest.raises(NotImplementedError, match="first derivatives only"):
        jax.hessian(lambda values: (abs(evaluate(values)) ** 2).sum())(start)


@pytest.mark.parametrize("output", ["levels", "paths"])
def test_transforms_of_torch(kept, away, output):
    torch = pytest.importorskip("torch")
    start = torch.tensor(away[0])
    expected = np.stack([kept.jvp(step, away[0], output)[1] for step in np.eye(len(start))], axis=-1)

    def evaluate(values):
        return getattr(rw.gradients, f"torch_{output}")(kept, values)

    tangent = torch.tensor(np.random.default_rng(5).normal(size=len(start)))
    along = torch.func.jvp(evaluate, (start,), (tangent,))[1].numpy()
    np.testing.assert_allclose(along, expected @ tangent.numpy(), rtol=1e-9, atol=1e-12)
    if output == "levels":  # torch.func has Jacobians of real functions only
        np.testing.assert_allclose(torch.func.jacfwd(evaluate)(start).numpy(), expected, rtol=1e-12)
        np.testing.assert_allclose(torch.func.jacrev(evaluate)(start).numpy(), expected, rtol=1e-9, atol=1e-9)
    both = torch.stack([start, torch.tensor(kept.values)])
    np.testing.assert_array_equal(torch.vmap(evaluate)(both)[1].numpy(), getattr(kept, output)())

    def scalar(values):
        return (evaluate(values).abs() ** 2).sum()

    for hessian in (torch.autograd.functional.hessian, lambda function, values: torch.func.hessian(function)(values)):
        with pytest.raises((NotImplementedError, RuntimeError), match="first derivatives only"):
            hessian(scalar, start)


@pytest.mark.parametrize("model", ["beams", "shadow"])
def test_maps(scene, model):
    """Without points the receivers are those of the map: levels are its values, a cotangent of it goes back."""
    mast = rw.Transmitter(150, 150, 60, name="mast", antenna="3gpp", downtilt_deg=20)
    given = {"freq": 2.1e9, "res": 50, **({"roofs": "none"} if model == "beams" else {})}
    kept = rw.gradients.keep(scene, mast, model=model, positions=False, **given)
    levels, expected = kept.on_map(kept.levels()), rw.predict(scene, mast, model, layers=["power"], **given)["power"]
    assert levels.shape == expected.shape and np.array_equal(np.isnan(levels), np.isnan(expected))
    np.testing.assert_allclose(levels, expected, atol=0.05)
    weights = np.random.default_rng(2).normal(size=levels.shape)
    np.testing.assert_array_equal(kept.on_map(kept.from_map(weights))[~np.isnan(levels)], weights[~np.isnan(levels)])
    assert kept.named(kept.vjp(kept.from_map(weights)))["power", "mast", 0] == pytest.approx(
        weights[np.isfinite(levels)].sum(), rel=1e-12
    )
    with pytest.raises(rw.BadCallError, match="needed"):
        kept.from_map(weights[:, 1:])
    with pytest.raises(rw.BadCallError, match="leave points out"):
        rw.gradients.keep(scene, mast, [[10, 10]], model=model, **given).on_map([[0]])


def test_page(tmp_path, monkeypatch):
    """The page's examples run as they stand: materials are found, within the errors told, and tilts raise the SINR."""
    page = (pathlib.Path(__file__).parents[2] / "docs/how-to/gradients.md").read_text()
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    for block in re.findall(r"^```python\n(.*?)^```", page, re.S | re.M):
        exec(compile(block, "gradients.md", "exec"), names)
    assert names["error_db"] < 0.6
    apart = np.log(names["values"] / names["real"])[names["chosen"]] / names["spread"]
    assert (np.abs(apart) < 3.5).all() and (names["spread"][::2] < 0.15).all()
    found = [names["values"][names["streets"].select("permittivity", name)][0] for name in names["names"]]
    np.testing.assert_allclose(found, [names["truth"][name][0] for name in names["names"]], rtol=0.1)
    assert names["after"] > names["before"] + 5
    network, settings, tilts = names["network"], names["settings"], names["tilts"]
    for chosen, by in [([tilt], by) for tilt in tilts for by in (-3, 3)] + [(tilts, -2), (tilts, 1)]:
        other = settings.copy()  # at the top no other tilt is better, of one sector or of all
        other[chosen] = np.clip(other[chosen] + by, 0, 15)
        assert names["sinr_db"](network.levels(other))[0].mean() < names["after"] + 1e-3


@pytest.mark.parametrize("model", ["beams", "shadow", "tiles"])
def test_outdoors(scene, model):
    """Levels equal those of the map, and gradients are numbers."""
    mast = rw.Transmitter(150, 150, 60, name="mast", antenna="3gpp", downtilt_deg=20)
    given = {"freq": 2.1e9, **({} if model == "shadow" else {"roofs": "none"}), **({"scatterings": 0} if model == "tiles" else {})}
    given["effects"] = "streets,walls" if model == "shadow" else None
    given = {name: value for name, value in given.items() if value is not None}
    map = rw.predict(scene, mast, model, res=50, layers=["power"], **given)
    rows, columns = np.nonzero(np.isfinite(map["power"][0]))
    points = np.stack([map.x_m[columns], map.y_m[rows]], axis=1)
    kept = rw.gradients.keep(scene, mast, points, model, res=50, **given)  # of which local means are the square
    levels = kept.levels()[0]
    np.testing.assert_allclose(levels, map["power"][0, rows, columns], atol=0.05 if model == "beams" else 1e-3)
    assert np.isfinite(kept.vjp(np.ones((1, len(points))))).all()

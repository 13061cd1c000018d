import numpy as np
import pytest

import rasterwave as rw

USERS = [[60.0, 0, 20], [10, 30, 5], [0, 0, 45]]


@pytest.fixture
def floor():
    """A large conducting floor."""
    scene = rw.Scene()
    scene.add_material("metal", 1.0, perfect_conductor=True)
    corners = np.array([[-200, -200, 0], [200, -200, 0], [200, 200, 0], [-200, 200, 0]])
    scene.add_mesh(corners, [[0, 1, 2], [0, 2, 3]], surface="metal", name="floor")
    return scene.commit()


def test_two_rays(floor):
    mast = rw.Transmitter(-40, 0, 10)
    data = rw.deepmimo.dataset(floor, mast, USERS, freq="3.5GHz", depth=1, num_paths=4)
    assert data["power"].shape == data["inter"].shape == (3, 4) and data["inter_pos"].shape == (3, 4, 1, 3)
    assert data["num_paths"].tolist() == [2, 2, 2] and data["los"].tolist() == [1, 1, 1]
    lengths = np.array([np.hypot(100, 10), np.hypot(100, 30)])
    wavelength = 299792458.0 / 3.5e9
    np.testing.assert_allclose(data["delay"][0, :2], lengths / 299792458.0, rtol=1e-9)
    np.testing.assert_allclose(data["power"][0, :2], 20 * np.log10(wavelength / (4 * np.pi * lengths)), atol=1e-3)
    turns = np.exp(1j * np.radians(data["phase"][0, 0]) + 2j * np.pi * lengths[0] / wavelength)
    assert turns == pytest.approx(1, abs=1e-4)
    assert data["inter"][0, :2].tolist() == [0, 1] and np.isnan(data["inter"][0, 2:]).all()
    np.testing.assert_allclose(data["inter_pos"][0, 1, 0], [-40 + 100 / 3, 0, 0], atol=1e-6)
    assert np.isnan(data["inter_pos"][0, 0]).all()
    assert data["aod_az"][0, 0] == pytest.approx(0) and abs(data["aoa_az"][0, 0]) == pytest.approx(180)
    assert data["aod_el"][0, 1] == pytest.approx(90 + np.degrees(np.arctan2(30, 100)))
    assert data["distance"][0] == pytest.approx(lengths[0]) and data["tx_pos"].tolist() == [[-40, 0, 10]]
    field = np.nansum(10 ** (data["power"] / 20) * np.exp(1j * np.radians(data["phase"])), axis=1)
    np.testing.assert_allclose(data["pathloss"], -20 * np.log10(np.abs(field)))


def test_version_3(floor):
    data = rw.deepmimo.dataset(floor, rw.Transmitter(-40, 0, 10), USERS, freq="3.5GHz", depth=1, num_paths=1)
    old = rw.deepmimo.as_v3(data)
    paths = old["user"]["paths"][1]
    assert paths["num_paths"] == 1 and paths["LoS"].tolist() == [1]
    assert 10 * np.log10(paths["power"][0]) == pytest.approx(data["power"][1, 0])
    assert paths["DoD_phi"][0] == data["aod_az"][1, 0] and paths["ToA"][0] == data["delay"][1, 0]
    assert old["user"]["location"].shape == (3, 3) and old["location"].tolist() == [-40, 0, 10]


def test_walls_and_users_without_paths():
    scene = rw.Scene.office(20, 10, seed=2)
    data = rw.deepmimo.dataset(scene, rw.Transmitter(3, 3, 2), [[15.0, 7, 1.5]], freq="5GHz", depth=2, transmissions=2)
    digits = set("".join(str(int(code)) for code in data["inter"][0, : data["num_paths"][0]]))
    assert "4" in digits and digits <= set("014")
    plate = rw.Scene()
    plate.add_material("metal", 1.0, perfect_conductor=True)
    plate.add_mesh([[-9, 0, -9], [9, 0, -9], [9, 0, 9], [-9, 0, 9]], [[0, 1, 2], [0, 2, 3]], surface="metal")
    plate.set_no_ground()
    data = rw.deepmimo.dataset(plate.commit(), rw.Transmitter(0, -1, 2), [[0, 1.0, 2]], freq="5GHz", depth=1)
    assert data["num_paths"].tolist() == [0] and data["los"].tolist() == [-1] and np.isnan(data["pathloss"]).all()
    assert rw.deepmimo.as_v3(data)["user"]["paths"][0]["num_paths"] == 0


def test_refusals(floor):
    mast = rw.Transmitter(-40, 0, 10)
    with pytest.raises(rw.BadCallError, match="shape"):
        rw.deepmimo.dataset(floor, mast, [[1.0, 2.0]], freq="3.5GHz")
    with pytest.raises(rw.BadCallError, match="num_paths"):
        rw.deepmimo.dataset(floor, mast, USERS, freq="3.5GHz", num_paths=0)
    city = rw.Scene.city(200, 200)
    with pytest.raises(rw.BadCallError, match="phases"):
        rw.deepmimo.dataset(city, rw.Transmitter(100, 100, 30), [[90.0, 90, 1.5], [110, 100, 1.5]], model="shadow", freq="3.5GHz")

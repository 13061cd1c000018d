import json
import pickle

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


def test_doppler_is_the_change_of_length(floor):
    """The shift of each path against the difference of its lengths at two positions of both ends."""
    velocity, sender = np.array([30.0, -12, 0]), np.array([-5.0, 8, 0])
    mast, given = rw.Transmitter(-40, 3, 10), dict(freq="3.5GHz", depth=1, num_paths=2)
    data = rw.deepmimo.dataset(floor, mast, USERS, tx_velocity=sender, rx_velocity=velocity, **given)
    seconds = 1e-3
    moved = rw.Transmitter(*(np.array([-40, 3, 10]) + sender * seconds))
    after = rw.deepmimo.dataset(floor, moved, np.array(USERS) + velocity * seconds, **given)
    shift = -(after["delay"] - data["delay"]) / seconds * 3.5e9
    assert np.isfinite(shift).sum() == 6
    np.testing.assert_allclose(data["doppler"], shift, atol=0.3)
    each = rw.deepmimo.dataset(floor, mast, USERS, tx_velocity=sender, rx_velocity=np.tile(velocity, (3, 1)), **given)
    np.testing.assert_array_equal(each["doppler"], data["doppler"])
    with pytest.raises(rw.BadCallError, match="rx_velocity"):
        rw.deepmimo.dataset(floor, mast, USERS, rx_velocity=[1.0, 2.0], **given)


def test_objects_of_a_scene():
    scene = rw.Scene.city(200, 200, seed=4)
    objects = rw.deepmimo.dataset(scene, rw.Transmitter(100, 100, 40), [[60.0, 60, 30]], freq="2GHz", depth=1)["scene"]["objects"]
    assert [each.object_id for each in objects] == list(range(len(objects))) and objects[0].label == "terrain"
    assert len(objects) == 1 + len(scene.parts)
    for made, part in zip(objects[1:], scene.parts):
        box = made.bounding_box
        assert (box.z_min, box.z_max) == (part.bottom_m, part.top_m) and made.vel.tolist() == [0, 0, 0]
        assert box.center[2] == pytest.approx((part.bottom_m + part.top_m) / 2)
        assert max(max(face) for face in made.faces) == len(made.vertices) - 1
    assert len(pickle.loads(pickle.dumps(objects))) == len(objects)


def test_scenario_folder(tmp_path):
    """What the folder holds, by its files alone."""
    scene = rw.Scene.city(200, 200, seed=4, hills=True)
    masts = [rw.Transmitter(100, 100, 60), rw.Transmitter(150, 60, 65)]
    users = scene.sample_outdoor(5, seed=3)
    given = dict(freq="3.5GHz", depth=1, num_paths=6, model="rt", sum="coherent")
    folder = rw.deepmimo.save_scenario(tmp_path / "deepmimo_scenarios/ours", scene, masts, users, **given)
    parameters = json.loads((folder / "params.json").read_text())
    assert parameters["rt_params"]["frequency"] == 3.5e9 and parameters["scene"]["num_scenes"] == 1
    assert parameters["txrx_sets"]["txrx_set_0"]["num_points"] == 2 and parameters["txrx_sets"]["txrx_set_1"]["num_points"] == 5
    data = rw.deepmimo.dataset(scene, masts[1], users, **given)
    stored = {name: np.load(folder / f"{name}_t000_tx001_r001.npz")[name] for name in ("power", "delay", "inter", "rx_pos", "inter_pos")}
    np.testing.assert_allclose(stored["power"], data["power"], rtol=1e-6)
    np.testing.assert_allclose(stored["delay"], data["delay"], rtol=1e-6)
    # Altitudes: a direct path is as long as the distance of its ends.
    sender = np.load(folder / "tx_pos_t000_tx001_r001.npz")["tx_pos"]
    direct = stored["inter"] == 0
    assert direct.any()
    lengths = np.linalg.norm(stored["rx_pos"] - sender, axis=1)[direct.any(axis=1)]
    np.testing.assert_allclose(stored["delay"][direct] * 299792458.0, lengths, rtol=1e-5)
    vertices, objects = np.load(folder / "vertices.npz")["vertices"], json.loads((folder / "objects.json").read_text())
    assert len(objects) == parameters["scene"]["n_objects"] and len(vertices) == parameters["scene"]["n_vertices"]
    assert max(max(face) for each in objects for face in each["face_vertex_idxs"]) == len(vertices) - 1
    assert {each["label"] for each in objects} == {"terrain", "buildings"}
    with pytest.raises(rw.BadCallError, match="exists"):
        rw.deepmimo.save_scenario(folder, scene, masts, users, **given)
    rw.deepmimo.save_scenario(folder, scene, masts[:1], users, overwrite=True, **given)
    assert not (folder / "power_t000_tx001_r001.npz").exists() and list(folder.parent.iterdir()) == [folder]
    two = [rw.Transmitter(100, 100, 60, freq_hz=1e9), rw.Transmitter(150, 60, 65, freq_hz=2e9)]
    with pytest.raises(rw.BadCallError, match="2 frequencies"):
        rw.deepmimo.save_scenario(tmp_path / "other", scene, two, users, depth=1)


def test_deepmimo_itself(tmp_path, monkeypatch):
    """Where the package is installed: channels of a data set, and of a scenario that it loads, are the sums of our paths."""
    dm = pytest.importorskip("deepmimo")
    monkeypatch.chdir(tmp_path)
    scene, mast = rw.Scene.city(200, 200, seed=4), rw.Transmitter(100, 100, 30)
    users = scene.sample_outdoor(4, seed=1)
    data = rw.deepmimo.dataset(scene, mast, users, freq="3.5GHz", depth=1, rx_velocity=[10.0, 0, 0])
    sets = dm.ChannelParameters(freq_domain=False, doppler=True)
    sets.bs_antenna.shape = sets.ue_antenna.shape = [1, 1]
    rw.deepmimo.save_scenario("deepmimo_scenarios/ours", scene, mast, users, freq="3.5GHz", depth=1)
    for made in (dm.Dataset(dict(data)), dm.load("ours")):
        channel = made.compute_channels(sets)
        ours = 10 ** (data["power"] / 20) * np.exp(1j * np.radians(data["phase"]))
        count = min(channel.shape[-1], ours.shape[1])
        np.testing.assert_allclose(np.nan_to_num(channel[:, 0, 0, :count]), np.nan_to_num(ours[:, :count]), atol=1e-9)
    later = dm.Dataset(dict(data)).compute_channels(sets, times=np.array([0.0, 1e-4]))
    with np.errstate(invalid="ignore", divide="ignore"):
        turned = np.angle(later[:, 0, 0, :, 1] / later[:, 0, 0, :, 0]) / (2 * np.pi * 1e-4)
    there = np.isfinite(data["doppler"])[:, : turned.shape[1]]
    np.testing.assert_allclose(turned[there], data["doppler"][:, : turned.shape[1]][there], atol=0.5)

"""Networks and training sets on Dask: the bytes of one process, also when a worker is killed."""

import os
import signal
import time

import numpy as np
import pytest

import rasterwave as rw

pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
pytest.importorskip("xarray")
import rasterwave.dask as rwdask  # noqa: E402

OPTIONS = {"res": 10, "radius": 350}


def two_workers():
    return distributed.LocalCluster(n_workers=2, threads_per_worker=1, memory_limit="1GB", dashboard_address=None)


@pytest.fixture(scope="module")
def client():
    with two_workers() as cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture
def client_to_hurt():
    """A cluster of its own: older releases of distributed may lose a later task of a cluster whose worker was killed."""
    with two_workers() as cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture(scope="module")
def city():
    return rw.Scene.city(500, 500, seed=3)


@pytest.fixture(scope="module")
def sites():
    return [
        rw.Transmitter(90 + 110 * i, 110 + 80 * i, 45, name=f"s{i}", antenna="3gpp", azimuth_deg=70 * i, power_dbm=43, freq_hz=1.8e9)
        for i in range(4)
    ]


@pytest.fixture(scope="module")
def expected(city, sites, tmp_path_factory):
    """Layers from the chunks of two shards."""
    folder = tmp_path_factory.mktemp("net")
    for shard in (1, 2):
        rw.network(city, sites, folder, shard=shard, shards=2, group=1, **OPTIONS)
    rw.merge_network(folder)
    raster = next(folder.glob("sinr.*[fn]")).suffix
    return {name: rw.Map.read(folder / f"{name}{raster}")[name][0].copy() for name in ("best", "strongest", "sinr")}


def assert_same(dataset, expected):
    for name, values in expected.items():
        found = np.asarray(dataset[name].values)
        assert found.shape == values.shape
        assert found.tobytes() == values.tobytes(), name


def test_blocks_are_lazy_and_equal_to_one_process(client, city, sites, expected):
    dataset = rwdask.network(city, sites, client, block=16, **OPTIONS)
    assert dataset["sinr"].chunks == ((16, 16, 16, 2), (16, 16, 16, 2))
    assert dataset["x"].values[0] == 5 and dataset["y"].values[-1] == 495
    assert_same(dataset.compute(), expected)


def test_a_worker_that_is_killed_changes_nothing(client_to_hurt, city, sites, expected):
    client, started = client_to_hurt, time.time()
    dataset = rwdask.network(city, sites, client, block=16, **OPTIONS)
    before = client.run(os.getpid)
    future = client.compute(dataset)
    while time.time() - started < 30 and not any(client.processing().values()):
        time.sleep(0.005)
    os.kill(next(iter(before.values())), signal.SIGKILL)
    assert_same(future.result(timeout=120), expected)
    client.wait_for_workers(2, timeout=60)
    assert set(client.run(os.getpid).values()) != set(before.values())


def test_blocks_are_sized_from_the_memory_of_workers(client, city, sites):
    report = rw.network_estimate(city, sites, "", **OPTIONS)
    assert rwdask._choose_block(report, None) == 2048
    small, large = (rwdask._choose_block(report, memory) for memory in (4e6, 400e6))
    per_cell = report.bytes / (report.columns * report.rows) + 64
    assert 64 <= small < large <= 2048 and large**2 * per_cell <= 0.25 * 400e6
    assert rwdask._worker_bytes(client) == 1e9


def test_files_are_opened_once_for_each_worker(city, sites, expected, tmp_path, needs_gdal):
    dask = pytest.importorskip("dask")
    path = tmp_path / "city.gpkg"
    city.save(path)
    opened = rw.Scene.load(path)
    rw.network(opened, sites, tmp_path / "net", **OPTIONS)
    rw.merge_network(tmp_path / "net", layers=["sinr"])
    values = rw.Map.read(tmp_path / "net" / "sinr.tif")["sinr"][0]
    rwdask._scenes.clear()
    dataset = rwdask.network(path, sites, layers="sinr", block=16, **OPTIONS)
    with dask.config.set(scheduler="threads", num_workers=2):
        assert_same(dataset.compute(), {"sinr": values})
    assert len(rwdask._scenes) == 1
    area = (0.0, 0.0, 500.0, 500.0)
    part = rwdask.network(path, sites, layers="strongest", block=32, by_blocks=True, area=area, **OPTIONS)
    with dask.config.set(scheduler="synchronous"):
        strongest = part.compute()["strongest"].values
    rw.network(str(path), sites, tmp_path / "parts", block=32, area=area, **OPTIONS)
    rw.merge_network(tmp_path / "parts", layers=["strongest"])
    south_west = rw.Map.read(tmp_path / "parts" / "blocks" / "strongest-1.tif")["strongest"][0]
    assert strongest[:32, :32].tobytes() == south_west.tobytes()
    path.write_bytes(path.read_bytes())
    rwdask._scenes.clear()
    rw.Scene.city(500, 500, seed=4).save(path)
    with dask.config.set(scheduler="synchronous"), pytest.raises(rw.BadInputError, match="another content"):
        dataset.compute()


def test_maps_are_those_of_predict(client, city, sites, tmp_path):
    dataset = rwdask.maps(city, sites, client, batch=3, layers=["path_loss", "power"], res=10)
    assert dataset["power"].chunks[0] == (3, 1)
    whole = rw.predict(city, sites, layers=["path_loss", "power"], res=10)
    found = dataset.compute()
    for name in ("path_loss", "power"):
        assert found[name].values.tobytes() == whole[name].tobytes()
    assert list(found["tx_x"].values) == [each.x_m for each in sites]
    zarr = pytest.importorskip("zarr")
    dataset.to_zarr(tmp_path / "maps.zarr")
    stored = zarr.open(str(tmp_path / "maps.zarr"), mode="r")
    assert stored["power"].chunks[0] == 3
    assert stored["power"][:].tobytes() == whole["power"].tobytes()


def test_rasters_have_coordinates(city, sites, expected, tmp_path):
    dask = pytest.importorskip("dask")
    pytest.importorskip("rioxarray")
    rasterio = pytest.importorskip("rasterio")
    city_utm = rw.Scene.city(300, 300, seed=1)
    dataset = rwdask.network(city_utm, sites[:1], layers="strongest", block=16, res=10)
    with dask.config.set(scheduler="synchronous"):
        dataset["strongest"].rio.write_crs("EPSG:25832").rio.to_raster(tmp_path / "strongest.tif")
    with rasterio.open(tmp_path / "strongest.tif") as raster:
        assert raster.shape == (30, 30) and raster.res == (10, 10)

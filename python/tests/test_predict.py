import dataclasses
import gc
import pathlib
import pickle
import subprocess
import sys
import threading
import types
import warnings
import weakref

import numpy as np
import pytest

import rasterwave as rw
from rasterwave import _abi


@pytest.fixture(scope="module")
def map(scene, mast):
    return rw.predict(scene, mast, res=10, layers=["path_loss", "power", "los"])


def test_layers_are_views(map):
    loss = map["path_loss"]
    assert loss.dtype == np.float32 and loss.shape == (1, map.info.rows, map.info.columns)
    assert loss.ctypes.data == map["path_loss"].ctypes.data
    assert not loss.flags.writeable and not loss.flags.owndata
    assert list(map) == ["path_loss", "los", "power"] and len(map) == 3 and map.unit("power") == "dBm"
    with pytest.raises(KeyError, match="path_loss"):
        map["nothing"]


def test_power_is_what_loss_leaves(map):
    loss, power = map["path_loss"], map["power"]
    finite = np.isfinite(loss)
    np.testing.assert_allclose(power[finite], 43 - loss[finite], atol=1e-4)


def test_views_keep_their_owner(scene, mast):
    made = rw.predict(scene, mast, res=20)
    seen, array = weakref.ref(made), made["path_loss"]
    before = array.copy()
    del made
    gc.collect()
    assert seen() is not None
    np.testing.assert_array_equal(array, before)
    del array
    gc.collect()
    assert seen() is None


def test_closed_objects_are_refused(scene, mast):
    """After close nothing can be asked; arrays that still show the memory keep it."""
    made = rw.predict(scene, mast, res=20)
    array = made["path_loss"]
    before = array.copy()
    made.close()
    np.testing.assert_array_equal(array, before)
    with pytest.raises(rw.BadCallError, match="this Map is closed"):
        made["path_loss"]
    with rw.trace(scene, mast, [[20, 20, 1.5]], effects="none") as paths:
        assert len(paths.to_frame() if "pandas" in sys.modules else paths) == len(paths)
    with pytest.raises(rw.BadCallError, match="this Paths is closed"):
        paths.vertices(0)
    own = rw.Scene.city(100, 100)
    kept = rw.predict(own, rw.Transmitter(50, 50, 40), res=20)
    own.close()
    assert np.isfinite(kept["path_loss"]).any()
    with pytest.raises(rw.BadCallError, match="this Scene is closed"):
        rw.predict(own, mast)
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(kept)


def test_transmitters_as_places(scene, mast):
    """A place is a transmitter with all else as it is by default."""
    right = rw.predict(scene, rw.Transmitter(150, 150, 30), res=20)["path_loss"]
    for given in ((150, 150, 30), [(150, 150, 30)], np.array([[150, 150, 30.0]]), (t for t in [[150, 150, 30]])):
        np.testing.assert_array_equal(rw.predict(scene, given, res=20)["path_loss"], right)
    np.testing.assert_array_equal(rw.predict_many(scene, [[150, 150, 30]], res=20), right)
    with pytest.raises(rw.BadCallError, match="a transmitter is"):
        rw.predict(scene, ["mast"], res=20)
    with pytest.raises(rw.BadCallError, match="power_dbm of a transmitter is a number, not '43dBm'"):
        rw.predict(scene, mast.moved(power_dbm="43dBm"), res=20)
    sites = rw.load_sites({"name": ["a", "b"], "x": [1.5, 2.0], "y": [3.0, 4.0], "height": ["30m", "20m"], "power": [43, 40]})
    assert [(site.name, site.x_m, site.height_m, site.power_dbm) for site in sites] == [("a", 1.5, 30, 43), ("b", 2, 20, 40)]


def test_everything_is_freed(mast):
    own = rw.Scene.city(200, 200)
    ends = [weakref.ref(x) for x in (own, own.context)]
    paths = rw.trace(own, mast.moved(x_m=100, y_m=100), [[50, 50]])
    del own, paths
    gc.collect()
    assert [end() for end in ends] == [None, None]


def test_equals_the_command_line(scene, mast, program, tmp_path, needs_gdal):
    options = ["--res", "10", "--layers", "path_loss", "--freq", "2.1GHz", "--tx", "150,150,30"]
    subprocess.run([program, "generate", "city", "--size", "300,300", "--seed", "3", "--out", tmp_path / "city.gpkg"], check=True)
    subprocess.run(
        [program, "predict", "--scene", tmp_path / "city.gpkg", *options, "--out", tmp_path / "maps", "--quiet"], check=True
    )
    ours = rw.predict(rw.Scene.load(tmp_path / "city.gpkg"), mast, res=10)["path_loss"]
    theirs = rw.Map.read(tmp_path / "maps" / "path_loss.tif")["path_loss"]
    assert ours.shape == theirs.shape
    np.testing.assert_array_equal(np.where(np.isfinite(ours), ours, 0), np.where(np.isfinite(theirs), theirs, 0))


def test_more_layers_equal_the_command_line(program, tmp_path, needs_gdal):
    subprocess.run([program, "generate", "city", "--size", "200,200", "--out", tmp_path / "city.gpkg"], check=True)
    city, sites = rw.Scene.load(tmp_path / "city.gpkg"), [rw.Transmitter(100, 100, 40, name="a"), rw.Transmitter(60, 150, 40, name="b")]
    places = ["--tx", "100,100,40,a", "--tx", "60,150,40,b", "--freq", "2.1GHz", "--res", "10", "--quiet"]
    for model, names in (("shadow", ["los", "walls", "power", "best"]), ("beams", ["path_loss", "delay_spread"])):
        command = [program, "predict", "--scene", tmp_path / "city.gpkg", "--model", model, "--layers", ",".join(names)]
        subprocess.run([*command, *places, "--out", tmp_path / model], check=True)
        ours = rw.predict(city, sites, model, freq="2.1GHz", res=10, layers=names)
        for name in names:
            theirs = rw.Map.read(tmp_path / model / f"{name}.tif")[name]
            finite = np.isfinite(ours[name])
            np.testing.assert_array_equal(finite, np.isfinite(theirs), name)
            np.testing.assert_array_equal(ours[name][finite], theirs[finite], name)
            if name not in ("best",):
                many = rw.predict_many(city, sites, model, name, dtype=np.float32, freq="2.1GHz", res=10)
                np.testing.assert_array_equal(many, ours[name], name)


def test_calls_leave_no_memory_behind(scene, mast):
    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096

    def work(times):
        for _ in range(times):
            rw.predict(scene, mast, res=3, layers=["los"])["los"].sum()
            with pytest.raises(rw.Error):
                rw.predict(scene, mast.moved(antenna="/nowhere.msi"), res=5)
            len(rw.trace(scene, mast, [[20, 20]], effects="none"))

    work(10)
    before = resident()
    work(40)
    gc.collect()
    assert resident() - before < 1 << 20  # a map has 40 kB, and each call makes objects


def test_progress_bars(monkeypatch):
    """tqdm where it is installed; a stand-in shows what it is given."""
    shown = []

    class Bar:
        def __init__(self, total, desc, **_):
            self.desc, self.n = desc, 0

        def refresh(self):
            shown.append((self.desc, self.n))

        def close(self):
            shown.append((self.desc, "closed"))

    stand_in = types.ModuleType("tqdm.auto")
    stand_in.tqdm = Bar
    monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm"))
    monkeypatch.setitem(sys.modules, "tqdm.auto", stand_in)
    own = rw.Scene.city(200, 200, context=rw.Context(progress=True))
    rw.predict(own, rw.Transmitter(100, 100, 40), res=10)
    assert ("predicting", 100) in shown and shown[-1] == ("predicting", "closed")


def test_geotiff_is_read_back(map, scene, tmp_path, needs_gdal):
    path = tmp_path / "loss.tif"
    map.to_geotiff(path, "path_loss")
    again = rw.Map.read(path)
    ours, theirs = map["path_loss"], next(iter(again.values()))
    assert (again.info.x0_m, again.info.y0_m, again.info.res_m) == (map.info.x0_m, map.info.y0_m, 10)
    finite = np.isfinite(ours)
    np.testing.assert_array_equal(theirs[finite], ours[finite])
    assert not np.isfinite(theirs[~finite]).any()


def test_xarray(map):
    pytest.importorskip("xarray")
    data = map.to_xarray()
    assert data.path_loss.attrs["units"] == "dB" and data.x.attrs["units"] == "m"
    assert data.path_loss.dims == ("band", "y", "x") and float(data.x[1] - data.x[0]) == 10
    assert np.shares_memory(data.path_loss.values, map["path_loss"])
    own = rw.Scene.city(100, 100, commit=False)
    own.crs = 'LOCAL_CS["here"]'
    placed = rw.predict(own.commit(), rw.Transmitter(50, 50, 40), res=20).to_xarray()
    assert placed.path_loss.attrs["grid_mapping"] == "spatial_ref" and "here" in placed.spatial_ref.attrs["crs_wkt"]


def test_picture(map, scene, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    assert map.plot("path_loss").get_extent()[1] == map.info.x0_m + map.info.columns * 10
    map.draw(tmp_path / "map.png", "path_loss", scene=scene)
    assert (tmp_path / "map.png").read_bytes()[:4] == b"\x89PNG"


def test_polygons_and_placed_pictures(map, tmp_path, needs_gdal):
    map.write_polygons(tmp_path / "loss.geojson", "path_loss", levels=[60, 90, 120])
    assert (tmp_path / "loss.geojson").read_text().count('"Polygon"') + (tmp_path / "loss.geojson").read_text().count('"MultiPolygon"')
    map.draw_georeferenced(tmp_path / "loss.png", "path_loss")
    assert float((tmp_path / "loss.pgw").read_text().split()[0]) > 0
    with pytest.raises(rw.Error):
        map.write_polygons(tmp_path / "loss.txt", "path_loss", levels=[60])


def test_provenance(mast, tmp_path, needs_gdal):
    context = rw.Context()
    context.provenance = "project: test"
    own = rw.Scene.city(200, 200, context=context)
    assert own.hash == rw.Scene.city(200, 200).hash != rw.Scene.city(200, 200, seed=2).hash
    rw.predict(own, mast.moved(x_m=100, y_m=100), res=20).write_layer(tmp_path / "loss.tif")
    assert "project: test" in context.file_provenance(tmp_path / "loss.tif")


def test_zones_and_scene_pictures(map, scene, tmp_path):
    rows = map.zone_statistics(layer="power", level=-60.0)
    assert rows[-1].name == "all" and rows[-1].covered_cells == map.coverage(-60.0).covered_cells
    scene.draw(tmp_path / "scene.png")
    assert (tmp_path / "scene.png").read_bytes()[:4] == b"\x89PNG" and "loss" in rw.layer_title("path_loss").lower()


def test_transmitters_have_all_fields():
    fields = {field.name for field in dataclasses.fields(rw.Transmitter)}
    assert fields == {name for name, _ in _abi.rw_transmitter._fields_} - {"size"}


def test_coverage_counts_cells(map):
    power = map["power"][0]
    coverage = map.coverage(-60.0)
    assert coverage.covered_cells == int((power >= -60).sum())
    assert coverage.outdoor_cells == int((~np.isnan(map["path_loss"][0])).sum())


def test_confidence_counts_weights(map):
    power = map["power"][0]
    level = float(np.nanmedian(power[np.isfinite(power)]))
    plain, weights = map.confidence(level, layer="power"), np.where(np.nan_to_num(power, nan=-999) >= level, 3.0, 1.0)
    weighed = map.confidence(level, layer="power", weights=weights)
    share = plain.predicted
    assert weighed.predicted == pytest.approx(3 * share / (3 * share + 1 - share), abs=1e-6)
    with pytest.raises(rw.BadCallError, match="cells"):
        map.confidence(level, layer="power", weights=[1.0, 2.0])


def test_maps_compare(scene, mast, map):
    other = rw.predict(scene, mast.moved(power_dbm=40), res=10, layers=["power"])
    assert map.difference(other, layer="power")["difference"][np.isfinite(map["power"])] == pytest.approx(-3, abs=1e-4)
    difference = map.compare(other, layer="power")
    assert difference.mean == pytest.approx(-3, abs=1e-4) and difference.rms == pytest.approx(3, abs=1e-4)


@pytest.mark.parametrize("model", rw.models())
def test_every_model_and_its_options(model, mast):
    scene = rw.Scene.city(150, 150)
    options = rw.model_options(model)
    assert "freq" in options and options["res"].unit == "m" and model in rw.help(model)
    small = {"res": 15, "freq": 2.1e9}
    small.update({name: value for name, value in {"pixels": 64, "rays": 20, "reflections": 1}.items() if name in options})
    made = rw.predict(scene, mast.moved(x_m=75, y_m=75, height_m=40), model, **small)
    assert made.info.model == model and list(made) == rw.default_layers(model)
    with pytest.raises(rw.BadCallError, match="no option 'nothing'"):
        rw.predict(scene, mast, model, nothing=1)


def test_options_are_completed():
    options = rw.complete_options("shadow", freq="900MHz")
    assert options["freq_hz"] == 9e8 and options["res_m"] > 0 and options["delay_bins"] is None


def test_warnings_and_errors(scene, mast):
    with pytest.raises(rw.BadCallError, match="res"):
        rw.predict(scene, mast, res=-1)
    with pytest.raises(rw.Error):
        rw.predict(scene, mast.moved(x_m=1e9))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(rw.RasterwaveWarning):
            rw.calc.free_space(100, 1e6)


def test_progress_cancels():
    shares = []

    def stop(share, stage):
        shares.append((share, stage))
        return True

    with pytest.raises(rw.CancelledError):
        rw.Scene.city(300, 300, context=rw.Context(progress=stop))
    assert shares and 0 <= shares[0][0] <= 1


def test_interrupts_are_raised():
    def interrupt(share, stage):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rw.Scene.city(300, 300, context=rw.Context(progress=interrupt))


CTRL_C = """
import os, signal, threading
import rasterwave as rw

sent = threading.Event()

def press(share, stage):
    if stage == "predicting" and not sent.is_set():
        os.kill(os.getpid(), signal.SIGINT)  # its handler runs as the next callback begins
        sent.set()

scene = rw.Scene.city(300, 300, context=rw.Context({progress}))
if not {progress_is_given}:
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    for _ in range(100):
        rw.predict(scene, [rw.Transmitter(150, 150, 30 + i) for i in range(100)], res=2)
    print("no interrupt")
except KeyboardInterrupt:
    print("interrupt")
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
rw.predict(scene, rw.Transmitter(150, 150, 30), res=10)
"""


@pytest.mark.parametrize("progress", ["", "progress=press"])
def test_ctrl_c_ends_a_call(progress):
    """The signal itself, in a process of its own: it is raised, nothing else is said, and later calls work."""
    program = CTRL_C.format(progress=progress, progress_is_given=bool(progress))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert done.stdout.split() == ["interrupt", "True"] and done.stderr == ""


def test_warnings_name_the_line_of_the_caller(scene, mast):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        rw.calc.free_space(100, 1e6)
        rw.predict_many(scene, [mast.moved(freq_hz=0)], "beams", res=20, freq="500MHz")
    assert len(told) >= 2 and {warning.filename for warning in told} == {__file__}


def test_callbacks_run_in_the_thread_of_the_call():
    found = []
    context = rw.Context(progress=lambda share, stage: found.append(threading.get_ident()))
    work = threading.Thread(target=rw.Scene.city, args=(300, 300), kwargs={"context": context})
    work.start()
    ident = work.ident
    work.join()
    assert found and set(found) == {ident}


def test_threads_share_a_scene(scene, mast):
    right = rw.predict(scene, mast, res=10)["path_loss"].copy()
    wrong = []

    def work():
        for _ in range(3):
            if not np.array_equal(rw.predict(scene, mast, res=10)["path_loss"], right, equal_nan=True):
                wrong.append(1)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


def test_records_are_pickled(map, scene, mast):
    for record in (map.info, scene.info, mast, rw.estimate(scene, mast, res=10)):
        assert pickle.loads(pickle.dumps(record)) == record


def test_databases(scene, mast, tmp_path):
    database = rw.preprocess(scene, tmp_path / "corners.db", res=10)
    plain = rw.predict(scene, mast, res=10)["path_loss"]
    faster = rw.predict(scene, mast, res=10, database=database)["path_loss"]
    np.testing.assert_allclose(np.nan_to_num(faster, posinf=0), np.nan_to_num(plain, posinf=0), atol=1e-3)
    assert database.info.corners > 0


def test_tiles(scene, mast, tmp_path):
    tiles = rw.predict_tiles(scene, mast, reflections=0, tile_area=400)
    values = tiles.values["path_loss"]
    assert values.shape == (1, 1, len(tiles)) and tiles.tile(0).kind in ("wall", "roof", "ground")
    assert tiles.corners_m.shape == (len(tiles), 4, 3)
    tiles.write(tmp_path / "tiles.ply")
    again = rw.TileMap.read(tmp_path / "tiles.ply")
    np.testing.assert_allclose(np.nan_to_num(again.values["path_loss"], posinf=0), np.nan_to_num(values, posinf=0), atol=1e-3)


def test_visibility_of_tiles(scene, tmp_path):
    database = rw.preprocess(scene, tmp_path / "tiles.db", "tiles", tile_area=400)
    seen = database.tiles_seen(0)
    assert (np.diff(seen.astype(int)) > 0).all()
    assert all(database.tile_sees(0, int(other)) and database.tile_sees(int(other), 0) for other in seen[:20])
    kept, sections = rw.kept_file(tmp_path / "tiles.db")
    assert kept.model == "tiles" and sections and rw.is_kept_file(tmp_path / "tiles.db")
    assert rw.database_info(tmp_path / "tiles.db").tiles == database.info.tiles


def test_visible_cubes():
    filled = np.zeros((3, 5, 9), bool)
    filled[:, :, 4] = True
    seen = rw.visible_cubes(filled, (0, 2, 1), method="cubes")
    assert seen[1, 2, 3] and not seen[1, 2, 5] and seen.shape == filled.shape


def test_plan_chooses_what_covers_most(scene, tmp_path):
    x = [100.0, 200.0, 300.0]
    masts = [rw.Transmitter(x_m=at, y_m=at, height_m=120, name=f"mast {at:g}", power_dbm=20, antenna="3gpp") for at in x]
    candidates = [rw.Candidate(masts[0], keep="fixed"), masts[1], rw.Candidate(masts[2], cost=2)]
    asked = {"level_dbm": -75, "azimuths_deg": [0, 180], "sites_max": 2, "res": 20, "effects": "roofs"}
    made = rw.plan(scene, candidates, **asked)
    info = made.info
    assert info.before < info.value <= info.bound * (1 + 1e-9) and info.chosen_sites == 2 and info.optimal
    assert made.chosen[0].name == "mast 100" and made.chosen_candidates[0] == 0
    assert [step.phase for step in made.steps][:2] == ["keep", "greedy"]
    covered = np.nansum((made.after["strongest"][0] >= -75) * made.weights["weight"][0])
    assert covered == pytest.approx(info.predicted) and made.before is not None
    made.write_sites(tmp_path / "sites.csv")
    assert [site.name for site in rw.load_sites(tmp_path / "sites.csv")] == [site.name for site in made.chosen]
    assert [each.keep for each in rw.load_candidates(tmp_path / "sites.csv")] == ["fixed", "no"]
    assert rw.plan_estimate(scene, candidates, **asked).transmitters == 3
    with pytest.raises(rw.BadCallError, match="buys none"):
        rw.plan(scene, candidates, budget=0.5, **asked)
    assert len(made.levels) == 1
    both = rw.plan(scene, candidates, rx_heights_m=[1.5, 10], **asked)
    low, high = both.levels
    assert len(both.levels) == 2 and not np.array_equal(high[1]["strongest"], low[1]["strongest"], equal_nan=True)
    np.testing.assert_array_equal(both.after["strongest"], low[1]["strongest"])
    weight = sum(np.nansum((after["strongest"][0] >= -75) * weights["weight"][0]) for _, after, weights in both.levels)
    assert weight == pytest.approx(both.info.predicted)


def test_a_network_of_shares_is_the_prediction(scene, tmp_path):
    masts = [rw.Transmitter(x_m=at, y_m=at, height_m=40, name=f"mast {at}", power_dbm=30) for at in (100, 200, 300)]
    asked = {"res": 10, "effects": "roofs", "group": 1, "shards": 2}
    assert rw.network_estimate(scene, masts, tmp_path, **asked).chunks >= 3
    done = [rw.network(scene, masts, tmp_path, layers=["strongest"], shard=shard, **asked).computed for shard in (1, 2)]
    assert all(done)
    assert rw.merge_network(tmp_path, layers="strongest").chunks == sum(done)
    merged = rw.Map.read(tmp_path / "strongest.tif")["strongest"][0]
    whole = rw.predict(scene, masts, res=10, effects="roofs", layers=["strongest"])["strongest"][0]
    received = np.isfinite(whole)
    np.testing.assert_array_equal(np.isfinite(merged), received)
    np.testing.assert_allclose(merged[received], whole[received], atol=1e-3)
    with pytest.raises(rw.BadCallError, match="no option"):
        rw.merge_network(tmp_path, nonsense=1)


def test_a_network_is_read_by_blocks(scene, tmp_path, needs_gdal):
    masts = [rw.Transmitter(x_m=at, y_m=at, height_m=40, name=f"mast {at}", power_dbm=30) for at in (100, 200)]
    asked = {"area": (0, 0, 320, 320), "res": 10, "effects": "roofs", "radius": 150, "block": 16, "layers": "strongest"}
    scene.save(tmp_path / "city.gpkg")
    rw.network(scene, masts, tmp_path / "whole", **asked)
    assert rw.network(tmp_path / "city.gpkg", masts, tmp_path / "blocks", **asked).blocks == 4
    for folder in ("whole", "blocks"):
        rw.merge_network(tmp_path / folder, layers="strongest")
    for number in (1, 2, 3, 4):
        one, two = (rw.Map.read(tmp_path / folder / "blocks" / f"strongest-{number}.tif") for folder in ("whole", "blocks"))
        assert np.isfinite(one["strongest"]).any()
        np.testing.assert_array_equal(one["strongest"], two["strongest"])
    with pytest.raises(rw.BadCallError, match="area"):
        rw.network(tmp_path / "city.gpkg", masts, tmp_path / "none", res=10)
    (tmp_path / "bad.gpkg").write_text("no scene")
    with pytest.raises(rw.Error, match="bad.gpkg"):
        rw.network(tmp_path / "bad.gpkg", masts, tmp_path / "none", **asked)


def test_units_orders_and_classes(scene, mast):
    """Facts about layers come from the library; two transmitters become the stronger one, whose cells are counted."""
    assert [rw.layer_unit(name) for name in ("path_loss", "power", "mechanism")] == ["dB", "dBm", ""]
    assert rw.layer_classes("reception") == ["no path", "path"] and rw.layer_classes("path_loss") == []
    orders = [rw.layer_order(name) for name in ("path_loss", "power", "mechanism")]
    assert orders == ["lower", "higher", "none"]
    with pytest.raises(rw.BadCallError, match="no layer"):
        rw.layer_unit("nothing")
    masts = [mast, mast.moved(x_m=40, y_m=250)]
    made = rw.predict(scene, masts, res=10, layers=["power", "best"])
    best = made["power"].max(axis=0)
    share = made.layer_coverage("power", -80)
    assert share.covered_cells == (best >= -80).sum()
    (classes,) = made.zone_classes(layer="best")
    assert sum(one.cells for one in classes) == np.isfinite(made["best"]).sum() and 0 < classes[0].fraction < 1
    only = rw.predict(scene, masts, res=10, layers=["power"])
    only.select_strongest()
    np.testing.assert_array_equal(only["power"][0], best)


def test_files_that_are_read(scene, tmp_path):
    """With their content's hash, as hashlib has it."""
    import hashlib

    path = tmp_path / "materials.csv"
    path.write_text("material,relative_permittivity,conductivity_s_per_m\nplaster,2.5,0.01\n")
    other = rw.Scene(scene.context)
    with scene.context.record_inputs() as files:
        other.read_materials(path)
    assert files.hashes == {str(path): hashlib.sha256(path.read_bytes()).hexdigest()}
    assert scene.context.instruction_set in ("avx512", "avx2", "baseline")


def test_points_are_cells(scene, mast):
    """At the centres of cells, points have the values of the map; a point in a building has none."""
    made = rw.predict(scene, mast, res=10, layers=["path_loss", "los"])
    x, y = (axis.ravel() for axis in np.meshgrid(made.x_m, made.y_m))
    found = rw.predict_points(scene, mast, np.column_stack([x, y]), res=10, layers=["path_loss", "los"])
    assert set(found) == {"path_loss", "los"} and found["los"].shape == (1, len(x))
    np.testing.assert_allclose(found["path_loss"][0], made["path_loss"][0].ravel(), atol=1e-3)
    assert rw.layer_is_combined("best") and not rw.layer_is_combined("power")


def test_presets():
    found = rw.presets()
    assert found["lora-868"].freq_hz == 868.1e6 and found["wifi-5"].throughput == "802.11ax"
    assert found["lora-868"].sensitivity_dbm == pytest.approx(-137, abs=0.1)
    assert rw.preset("lte-1800") == found["lte-1800"]
    assert rw.sensitivity_dbm(preset="lora-868") == pytest.approx(found["lora-868"].sensitivity_dbm)
    assert rw.sensitivity_dbm(preset="lora-868", noise_figure="10dB") == pytest.approx(found["lora-868"].sensitivity_dbm + 4)
    with pytest.raises(rw.NotFoundError, match="lora-868"):
        rw.preset("lora-900")
    scene = rw.Scene.city(200, 200)
    mast = rw.Transmitter(x_m=100, y_m=100, height_m=40)
    named = rw.predict(scene, mast, preset="lora-868", res=20, layers=["path_loss"])
    given = rw.predict(scene, mast, freq="868.1MHz", res=20, layers=["path_loss"])
    assert np.array_equal(named["path_loss"], given["path_loss"], equal_nan=True)


def test_link_profile(tmp_path):
    scene = rw.Scene.city(600, 600)
    found, samples = scene.link_profile((300, 300, 30), (520, 410, 1.5), 1.8e9, csv=tmp_path / "link.csv")
    ground, top = scene.profile((300, 300), (520, 410), found.count)
    assert np.array_equal(samples["top_m"], top) and np.array_equal(samples["ground_m"], ground)
    assert samples["distance_m"][-1] == pytest.approx(found.length_m) == np.hypot(220, 110)
    assert len((tmp_path / "link.csv").read_text().splitlines()) == found.count + 1
    clearance = (samples["line_m"] - top - samples["bulge_m"])[1:-1]
    assert found.clearance_m == pytest.approx(clearance.min())


def test_link_budgets(scene, mast):
    """Arrivals, loss and power add up to the values of predict_points, in models of mechanisms and of paths."""
    points = [[60.0, 80.0], [130.0, 40.0], [40.0, 150.0]]
    for model in ("shadow", "tiles"):
        values = rw.predict_points(scene, mast, points, model=model, layers=["path_loss", "power"])
        budgets = rw.link_budgets(scene, mast, points, model=model)
        assert [one.point for one in budgets] == [0, 1, 2] and {one.transmitter for one in budgets} == {0}
        for one in budgets:
            loss = values["path_loss"][0, one.point]
            if one.indoor or not np.isfinite(loss):
                assert not one.loss and one.dominant is None
                continue
            assert one.path_loss_db == pytest.approx(loss, abs=1e-3)
            assert sum(row.db for row in one.loss) == pytest.approx(loss, abs=0.01)
            assert sum(row.db for row in one.power) == pytest.approx(values["power"][0, one.point], abs=0.01)
            assert sum(row.fraction for row in one.arrivals) == pytest.approx(1, abs=2e-3)
            assert one.dominant in {row.name for row in one.arrivals}


def test_option_types_are_those_of_the_tables():
    """python/rasterwave/option_types.py is as tools/make_option_types.py writes it."""
    tool = pathlib.Path(__file__).parents[1] / "tools/make_option_types.py"
    made = subprocess.run([sys.executable, str(tool), "--check"], check=False).returncode
    assert made == 0, "run python/tools/make_option_types.py with the built package in PYTHONPATH"

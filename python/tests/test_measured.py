import numpy as np
import pytest

import rasterwave as rw


@pytest.fixture(scope="module")
def measured(scene, mast):
    """What the model says at some cells, and 7 dB more."""
    map = rw.predict(scene, mast, res=10)
    rows, columns = np.nonzero(np.isfinite(map["path_loss"][0]))
    chosen = np.random.default_rng(1).choice(len(rows), 120, replace=False)
    rows, columns = rows[chosen], columns[chosen]
    return {"x": map.x_m[columns], "y": map.y_m[rows], "value": map["path_loss"][0, rows, columns].astype(float) + 7}


def test_offset_is_found(scene, mast, measured):
    data = rw.Measurements.from_frame(measured)
    assert len(data) == 120 and data[0].path_loss_db == pytest.approx(measured["value"][0])
    evaluation = rw.evaluate(scene, mast, data, res=10)
    assert evaluation.info.points == 120
    assert evaluation.info.prediction.mean_db == pytest.approx(7, abs=0.05)
    assert len(evaluation.points) == 120 and evaluation.baselines


def test_what_is_wrong_with_a_frame_is_said_of_the_frame():
    with pytest.raises(rw.BadInputError, match="^the frame of measurements: no column for value"):
        rw.Measurements.from_frame({"x": [1.0], "y": [2.0], "level": [80.0]})


def test_map_and_model_agree(scene, mast, measured, tmp_path):
    data = rw.Measurements.from_frame(measured)
    map = rw.predict(scene, mast, res=10)
    evaluation = rw.evaluate_map(map, data)
    assert evaluation.info.prediction.mean_db == pytest.approx(7, abs=1e-3)
    assert evaluation.info.prediction.std_dev_db == pytest.approx(0, abs=1e-3)
    evaluation.draw(tmp_path / "scatter.png", "scatter")
    with pytest.raises(rw.BadCallError, match="scatter"):
        evaluation.draw(tmp_path / "x.png", "pie")


def test_calibration(scene, mast, measured, tmp_path):
    data = rw.Measurements.from_frame(measured)
    calibration = rw.calibrate(scene, mast, data, res=10, fit="offset", folds=0, prior="none")
    assert calibration.info.after.rmse_db < calibration.info.before.rmse_db
    params = calibration.params
    params.save(tmp_path / "params.json")
    again = rw.Params.load(tmp_path / "params.json")
    assert {p.name: p.value for p in again.parameters} == pytest.approx({p.name: p.value for p in params.parameters})
    better = rw.evaluate(scene, mast, data, res=10, params=tmp_path / "params.json", prior="none")
    assert abs(better.info.prediction.mean_db) < 0.1


def test_sites(tmp_path):
    (tmp_path / "sites.csv").write_text("name,x,y,height,power,channel\na,1,2,30,43,7\nb,3,4,20,40,8\n")
    sites = rw.load_sites(tmp_path / "sites.csv")
    assert [site.name for site in sites] == ["a", "b"] and sites[1].power_dbm == 40 and sites[0].channel == "7"
    (tmp_path / "bad.csv").write_text("name,x,y,height\na,1,2,30\nb,oops,4,20\n")
    with pytest.raises(rw.BadInputError, match="oops"):
        rw.load_sites(tmp_path / "bad.csv")
    with pytest.warns(rw.RasterwaveWarning):
        assert len(rw.load_sites(tmp_path / "bad.csv", skip_bad=True)) == 1


def test_antennas_and_params():
    dipole = rw.Antenna("dipole")
    assert dipole.gain_dbi(90, 0) == pytest.approx(2.15, abs=0.01) and dipole.name
    params = rw.Params("beams", 1e9)
    name = params.parameters[0].name
    params[name] = params.parameters[0].high
    assert params[name] == params.parameters[0].high and params.deviation_db(rw.Params("beams", 1e9)) >= 0
    with pytest.raises(rw.Error):
        params["nothing"] = 1

"""The same level through the program, the server and the package: what tests/interfaces/test_interfaces.c is for calls of C."""

import csv
import http.client
import json
import struct
import subprocess
import urllib.parse

import numpy as np
import pytest

import rasterwave as rw

CITY = "city:european:size=120m,120m:seed=7"
SITE = (62, 58, 45)
MODELS = {
    "shadow": {},
    "cubes": {},
    "beams": {},
    "tiles": {},
    "rt": {"depth": 1},
    "images": {"depth": 1},
    "sbr": {"depth": 1, "rays": 32},
}
TOLERANCE_DB = 1e-3

# Commands of the program that answer a level at a point, and the others with a reason.
COMMANDS = {"predict", "info", "evaluate", "paths", "serve"}
OTHER_COMMANDS = {
    "network": "rw_network_block of test_interfaces.c",
    "calibrate": "rw_calibrate of test_interfaces.c",
    "plan": "levels of rw_predict_points, in test_plan",
    "link": "a link of two antennas, in cli_link",
    "statistics": "sums over a map that exists",
    "render": "pictures of a map that exists",
    "polygons": "areas of a map that exists",
    "compare": "maps that exist",
    "preprocess": "visibility",
    "generate": "scenes",
    "import": "scenes",
    "bench": "times",
    "calc": "single formulas",
}
ROUTES = {"/v1/predict", "/v1/budget", "/v1/evaluate"}
OTHER_ROUTES = {
    "/v1/paths": "single paths",
    "/v1/calibrate": "a job of the program",
    "/v1/command": "a command line",
    "/v1/jobs": "commands of the program",
}
CALLS = {"predict", "predict_points", "predict_many", "link_budgets", "evaluate", "evaluate_map", "network_block"}
OTHER_CALLS = {
    "predict_storeys": "facades",
    "predict_tiles": "means over tiles",
    "predict_with_tiles": "predict and predict_tiles by one run",
}


class Inside(str):
    """The name of a model whose cells inside buildings are asked for too."""


CASES = [*MODELS, *(Inside(model) for model in ("shadow", "beams", "cubes", "tiles", "rt"))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("interfaces")


@pytest.fixture(scope="module")
def city():
    return rw.Scene.city(120, 120, seed=7)


def options_of(model):
    indoor = {"indoor": "slab"} if isinstance(model, Inside) else {}
    return {"freq": 2e9, "res": 4, "rx_height": 1.5, **MODELS[model], **indoor}


@pytest.fixture(scope="module", params=CASES, ids=lambda model: f"{model}{' inside' if isinstance(model, Inside) else ''}")
def asked(request, city):
    """Model, points at centres of cells, and what the map has there."""
    mast = rw.Transmitter(*SITE, name="mast")
    with rw.predict(city, mast, request.param, layers="path_loss", **options_of(request.param)) as map:
        rows, columns = np.nonzero(~np.isnan(map["path_loss"][0]))
        chosen = np.arange(0, len(rows), max(1, len(rows) // 40))
        rows, columns = rows[chosen], columns[chosen]
        points = np.stack([map.x_m[columns], map.y_m[rows]], axis=1)
        return request.param, mast, points, map["path_loss"][0, rows, columns].astype(float)


def check(values, expected, what, tolerance_db=TOLERANCE_DB):
    values = np.asarray(values, dtype=float)
    both = np.isfinite(expected)
    assert (np.isfinite(values) == both).all(), what
    assert both.any() and np.abs(values[both] - expected[both]).max() <= tolerance_db, what


def arguments_of(model):
    words = ["--scene", CITY, "--tx", ",".join(map(str, SITE)), "--model", model]
    for name, value in options_of(model).items():
        words += ["--" + name.replace("_", "-"), f"{value:.0f}Hz" if name == "freq" else str(value)]
    return words


def run(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def write_points(path, points, values=None):
    with open(path, "w") as file:
        file.write("x,y\n" if values is None else "x,y,path_loss\n")
        for i, (x, y) in enumerate(points):
            if values is None:
                file.write(f"{x},{y}\n")
            elif np.isfinite(values[i]):
                file.write(f"{x},{y},{values[i] + 3:.9f}\n")
    return str(path)


def number(text):
    return float(text) if text not in ("", None) else np.nan


def test_package(city, asked):
    model, mast, points, expected = asked
    options = options_of(model)
    at_points = rw.predict_points(city, mast, points, model, layers="path_loss", **options)
    check(at_points["path_loss"][0], expected, "predict_points")
    budgets = rw.link_budgets(city, mast, points, model, **options)
    check([np.inf if budget.path_loss_db is None else budget.path_loss_db for budget in budgets], expected, "link_budgets")
    finite = np.isfinite(expected)
    data = rw.Measurements.from_frame({"x": points[finite, 0], "y": points[finite, 1], "value": expected[finite] + 3})
    evaluation = rw.evaluate(city, mast, data, model, average="none", **options)
    check([point.predicted_db for point in evaluation.points], expected[finite], "evaluate")


def test_program(program, folder, asked):
    model, _, points, expected = asked
    words = arguments_of(model)
    table = write_points(folder / "points.csv", points)
    rows = list(csv.DictReader(run(program, "predict", *words, "--layers", "path_loss", "--points", table).splitlines()))
    check([number(row["path_loss"]) for row in rows], expected, "predict --points")
    out = str(folder / f"{model}.bin")
    run(program, "predict", *words, "--layers", "path_loss", "--out", out, "--quiet")
    at = [word for x, y in points for word in ("--at", f"{x},{y}")]
    cells = json.loads(run(program, "info", out, *at, "--json"))["points"]
    values = [cell["values"][0]["value"] for cell in cells]
    check([np.inf if value is None else value for value in values], expected, "info MAP --at")
    measured = write_points(folder / "measured.csv", points, expected)
    run(program, "evaluate", *words, "--measurements", measured, "--average", "none", "--out", str(folder / "evaluated"), "--quiet")
    with open(folder / "evaluated" / "points.csv") as file:
        predicted = [number(row["predicted_db"]) for row in csv.DictReader(line for line in file if line[0] != "#")]
    check(predicted, expected[np.isfinite(expected)], "evaluate")


@pytest.fixture(scope="module")
def server(program, folder):
    if "microhttpd" not in rw.build_features():
        pytest.skip("the build has no server")
    root = folder / "root"
    root.mkdir()
    process = subprocess.Popen([program, "serve", "--port", "0", "--json", "--root", str(root), "--scene", CITY], stdout=subprocess.PIPE, text=True)
    text = ""
    for line in process.stdout:
        text += line
        if line.startswith("}"):
            break
    yield urllib.parse.urlsplit(json.loads(text)["url"]).netloc, root
    process.terminate()
    process.wait(30)


def post(host, path, body):
    connection = http.client.HTTPConnection(host, timeout=120)
    connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    data = answer.read()
    assert answer.status == 200, (path, body, data[:300])
    return data


def test_server(server, asked):
    host, root = server
    model, _, points, expected = asked
    options = {name.replace("_", "-"): f"{value:.0f}Hz" if name == "freq" else value for name, value in options_of(model).items() if name != "res"}
    project = {"tx": [",".join(map(str, SITE))], "model": model, "res": 4, **options}
    data = post(host, "/v1/predict", {"project": project, "layer": "path_loss", "resolution": 4})
    (length,) = struct.unpack_from("<I", data, 4)
    header = json.loads(data[8 : 8 + length])
    codes = np.frombuffer(data[8 + length :], "<u2").reshape(header["ny"], header["nx"])
    columns = ((points[:, 0] - header["x0"]) / header["step"]).astype(int)
    rows = ((points[:, 1] - header["y0"]) / header["step"]).astype(int)
    found = codes[rows, columns].astype(float)
    values = np.where(found >= 2, header["offset"] + header["scale"] * (found - 2), np.inf)
    check(values, expected, "/v1/predict", 0.5001 * header["scale"] + 1e-4)
    some = np.nonzero(np.isfinite(expected))[0][:5]
    for i in some:
        answer = json.loads(post(host, "/v1/budget", {"project": project, "receiver": [points[i, 0], points[i, 1], 1.5]}))
        check([answer["budgets"][0]["path_loss_db"]], expected[[i]], "/v1/budget")
    write_points(root / "measured.csv", points, expected)
    answer = json.loads(post(host, "/v1/evaluate", {"project": project, "file": "measured.csv", "arguments": {"average": "none"}}))
    predicted = [point["predicted"] for point in answer["points"]]
    check(predicted, expected[np.isfinite(expected)], "/v1/evaluate")


def test_new_interfaces_have_a_row(program):
    """What is new is either compared above or named with a reason why it answers no level of a point."""
    lines = run(program, "--help").splitlines()
    commands = {line.split()[0] for line in lines if line.startswith("  ") and line[2] != " " and not line.startswith("  rasterwave")}
    assert commands - COMMANDS - set(OTHER_COMMANDS) == set()
    calls = {name for name in rw.__all__ if name.startswith(("predict", "evaluate", "link_budget", "network_block"))}
    assert calls - CALLS - set(OTHER_CALLS) == {"predict_tiles", "predict_with_tiles", "prediction_identity"} & calls - set(OTHER_CALLS)
    assert set(MODELS) == set(rw.models())


def test_new_routes_have_a_row(server):
    connection = http.client.HTTPConnection(server[0], timeout=30)
    connection.request("GET", "/v1/openapi.json")
    routes = json.loads(connection.getresponse().read())["paths"]
    predicting = {path for path, methods in routes.items() if "post" in methods and "project" in json.dumps(methods["post"])}
    assert predicting - ROUTES - set(OTHER_ROUTES) <= {"/v1/project/read", "/v1/scenes", "/v1/transform", "/v1/sites", "/v1/sites/export", "/v1/files"}
    assert ROUTES <= set(routes)

"""Every input of every command, written again with the same size and time of modification before the same command runs once more into
the same outputs: what comes is what a first run on the new content makes in an empty folder, or the run is rejected. For shards the
edit comes before the second one, which is rejected.

Usage: changed_inputs.py PROGRAM FOLDER. The table of options (`rasterwave help options --json`) is walked: a path to read that has no
file here is a failure.
"""

import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys

PROGRAM, FOLDER = sys.argv[1], sys.argv[2]
START = os.path.join(FOLDER, "start")
EAST, NORTH = 500000, 5400000


def polygons(rings, **properties):
    crs = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::25832"}}
    return json.dumps({"type": "FeatureCollection", "crs": crs, "features": [
        {"type": "Feature", "properties": {"name": f"p{i}", **properties}, "geometry": {
            "type": "Polygon", "coordinates": [[[EAST + x, NORTH + y] for x, y in ring]]}} for i, ring in enumerate(rings)]})


def raster(values, cell_m=75):
    return (f"ncols {len(values)}\nnrows {len(values)}\nxllcorner {EAST - 50}\nyllcorner {NORTH - 50}\ncellsize {cell_m}\n" +
            "".join(" ".join(str(value) for value in row) + "\n" for row in values))


def antenna(gain):
    return f"NAME panel\nFREQUENCY 2000\nGAIN {gain} dBi\nHORIZONTAL 360\n" + "".join(
        f"{i} {min(i, 360 - i) / 9:.1f}\n" for i in range(360)) + "VERTICAL 360\n" + "".join(
        f"{i} {min(i, 360 - i) / 6:.1f}\n" for i in range(360))


SQUARES = [[(x, y), (x + 30, y), (x + 30, y + 30), (x, y + 30), (x, y)] for x in (20, 90, 160) for y in (20, 90, 160)]
HILLS = [[10 + i + j for i in range(4)] for j in range(4)]
MEASURED = [f"{EAST + 60 + 7 * i},{NORTH + 75},1.5,{95 + 3 * i}" for i in range(16)]

# Text of each file, and what is written in place of what.
FILES = {
    "town.geojson": (polygons(SQUARES, height=20), '"height": 20', '"height": 35'),
    "terrain.asc": (raster(HILLS), " 12 ", " 42 "),
    "surface.asc": (raster([[40 + (i + j) % 2 for i in range(60)] for j in range(60)], 5), "40 ", "45 "),
    "foliage.geojson": (polygons([[(121, 90), (145, 90), (145, 129), (121, 129), (121, 90)]], height=12), '"height": 12', '"height": 29'),
    "materials.csv": ("name,thickness,permittivity,conductivity\nitu_concrete,0.2,3.91,0.02\n", "3.91", "6.91"),
    "area.geojson": (polygons([[(0, 0), (200, 0), (200, 160), (0, 160), (0, 0)]]), str(NORTH + 160), str(NORTH + 120)),
    "zones.geojson": (polygons([[(0, 0), (200, 0), (200, 160), (0, 160), (0, 0)]]), str(NORTH + 160), str(NORTH + 120)),
    "weights.asc": (raster([[1 + i * j for i in range(4)] for j in range(4)]), " 4", " 9"),
    "panel.msi": (antenna(15), "GAIN 15", "GAIN 11"),
    "sites.csv": (f"name,x,y,height,power,antenna,azimuth\na,{EAST + 70},{NORTH + 70},40,40,panel.msi,30\nb,{EAST + 140},{NORTH + 70},40,41,,0\n",
                  f"{EAST + 70},{NORTH + 70},40,40", f"{EAST + 73},{NORTH + 76},40,44"),
    "points.csv": (f"x,y\n{EAST + 130},{NORTH + 75}\n{EAST + 60},{NORTH + 140}\n", str(EAST + 130), str(EAST + 137)),
    "array.csv": ("x,y,z\n0,0,0\n0,0.05,0\n", "0.05", "0.09"),
    "measurements.csv": ("x,y,z,loss\n" + "\n".join(MEASURED) + "\n", f"{EAST + 74},{NORTH + 75},1.5,101", f"{EAST + 77},{NORTH + 79},1.5,131"),
    "all.csv": ("x,y,z,loss,site\n" + "".join(f"{line},{'ab'[i % 2]}\n" for i, line in enumerate(MEASURED)), ",98,", ",77,"),
    "candidates.csv": (f"name,x,y,height\na,{EAST + 70},{NORTH + 70},40\nb,{EAST + 140},{NORTH + 140},40\n", f"{EAST + 140}", f"{EAST + 145}"),
}

# The file that an option reads; the same for every command that has it.
OPTION_FILES = {
    "scene": "town.geojson", "terrain": "terrain.asc", "surface": "surface.asc", "foliage": "foliage.geojson", "materials": "materials.csv",
    "area": "area.geojson", "zone": "area.geojson", "zones": "zones.geojson", "rooms": "zones.geojson", "weights": "weights.asc",
    "tx-antenna": "panel.msi", "rx-antenna": "panel.msi", "antenna": "panel.msi", "antennas": "panel.msi", "sites": "sites.csv",
    "points": "points.csv", "rx-array": "array.csv", "tx-array": "array.csv", "measurements": "measurements.csv", "beside": "params.json",
    "candidates": "candidates.csv", "params": "params.json", "database": ".rwdb", "update": ".rwdb", "map": "map/path_loss.tif",
}

AT = f"{EAST + 70},{NORTH + 70},40"
MODEL = ["--scene", "town.geojson", "--freq", "2GHz", "--threads", "1"]
MAP = [*MODEL, "--res", "20", "--quiet", "--out", "out"]

# Arguments of each command without the options to read, which are added one at a time; "input": what it reads by position.
COMMANDS = {
    "predict": ["predict", *MAP, "--tx", AT, "--layers", "path_loss,power"],
    "network": ["network", *MAP, "--sites", "sites.csv", "--radius", "250", "--group-sites", "1", "--layers", "strongest"],
    "plan": ["plan", *MAP, "--candidates", "candidates.csv", "--level", "-60", "--max-sites", "1"],
    "paths": ["paths", *MODEL, "--tx", AT, "--at", f"{EAST + 130},{NORTH + 130}", "--json"],
    "link": ["link", AT, f"{EAST + 130},{NORTH + 130},2", *MODEL, "--json"],
    "preprocess": ["preprocess", "--scene", "town.geojson", "--threads", "1", "--out", "out.rwdb", "--quiet"],
    "import": ["import", "town.geojson", "--out", "out.gpkg", "--quiet"],
    "render": ["render", "map", "--layer", "path_loss", "--out", "out.png", "--quiet"],
    "polygons": ["polygons", "map", "--layer", "path_loss", "--levels", "100", "--out", "out.geojson", "--quiet"],
    "statistics": ["statistics", "map", "--layer", "path_loss", "--level", "100", "--json"],
    "compare": ["compare", "map", "other", "--layer", "path_loss", "--json"],
    "evaluate": ["evaluate", *MODEL, "--tx", AT, "--measurements", "measurements.csv", "--json", "--out", "out"],
    "calibrate": ["calibrate", *MODEL, "--tx", AT, "--measurements", "measurements.csv", "--json", "--out", "out.json"],
    "info": ["info", "town.geojson", "--json"],
    "share": ["share", *MODEL, "--res", "20", "--tx", AT, "--quiet", "--out", "out.html"],
}

BEAMS = ["--model", "beams"]  # which has an antenna of the receivers
RT = ["--model", "rt", "--depth", "1", "--out", "out.h5", "--bandwidth", "100MHz"]

# What an option needs in addition, or in place of options of the command: {(command or None, option): (drop, add)}. Options that are
# dropped have a value.
FITTING = {
    ("predict", "sites"): (["--tx"], []), ("paths", "sites"): (["--tx"], []), ("share", "sites"): (["--tx"], []),
    ("evaluate", "sites"): (["--tx", "--measurements"], ["--measurements", "all.csv"]),
    ("calibrate", "sites"): (["--tx", "--measurements"], ["--measurements", "all.csv"]),
    ("predict", "points"): (["--out"], ["--out", "out.csv"]), ("paths", "points"): (["--at"], []),
    ("predict", "zones"): ([], ["--report", "out.html"]), ("predict", "weights"): ([], ["--report", "out.html", "--zones", "zones.geojson"]),
    (None, "rx-antenna"): ([], BEAMS), (None, "database"): (["--res"], []), ("evaluate", "database"): ([], ["--model", "tiles"]),
    ("calibrate", "database"): ([], ["--model", "tiles"]), ("paths", "database"): ([], ["--model", "tiles"]),
    ("evaluate", "map"): (["--scene", "--freq", "--tx"], []), ("plan", "params"): (["--level"], ["--level", "-120"]),
    ("render", "antenna"): (["map", "--layer"], []), ("render", "scene"): (["map", "--layer"], []),
    ("paths", "rx-array"): ([], RT), ("paths", "tx-array"): ([], RT),
    ("paths", "materials"): ([], ["--effects", "walls"]), ("link", "materials"): ([], ["--effects", "walls"]),
    ("paths", "params"): ([], ["--effects", "roofs_polynomial"]), ("link", "params"): ([], ["--effects", "roofs_polynomial"]),
    ("preprocess", "update"): ([], ["--model", "tiles"]), ("import", "surface"): ([], ["--terrain", "terrain.asc"]),
    ("compare", "terrain"): ([], ["--scene", "town.geojson", "--out", "out.png"]), ("compare", "scene"): ([], ["--out", "out.png"]),
}
# Options that a command has for other models or inputs than there are here, each with the reason that the command gives.
REJECTED = {("network", "database"), ("link", "area"), ("link", "zone"), ("link", "database"), ("statistics", "rooms"),
            ("preprocess", "area"), ("paths", "rx-antenna"), ("evaluate", "rx-antenna"), ("calibrate", "rx-antenna"), ("calibrate", "database"),
            ("render", "terrain")}
# Commands that have no outputs of their own (serve: fresh.py), and options by which others are read.
SKIPPED = {"serve", "bench", "reproduce", "repeat", "merge"}
# Outlines of a picture do not show heights.
WITHOUT_EFFECT = {("compare", "scene"), ("compare", "terrain")}


def arguments(command, option):
    words = list(COMMANDS[command])
    drop, add = FITTING.get((command, option), FITTING.get((None, option), ([], [])))
    for name in [*drop, f"--{option}"]:
        while name in words:
            at = words.index(name)
            del words[at:at + (2 if name.startswith("--") else 1)]
    path = OPTION_FILES[option]
    if path.endswith(".rwdb"):
        path = "tiles.rwdb" if "tiles" in words + add else "shadow.rwdb"
    return [*words, *add, f"--{option}", path], path


def inputs_of(command):
    words = COMMANDS[command]
    return words, words[1]


def write(folder, name, edited):
    text, old, new = FILES[name]
    with open(os.path.join(folder, name), "w") as file:
        file.write(text.replace(old, new) if edited else text)


def run(folder, words):
    done = subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def outputs(folder, stdout):
    found = {"(standard output)": stdout}
    for path, _, names in os.walk(folder):
        for name in names:
            full = os.path.join(path, name)
            relative = os.path.relpath(full, folder)
            if relative.startswith("out"):
                with open(full, "rb") as file:
                    found[relative] = file.read()
    return found


def prepare(folder):
    """The files of the first run; those that rasterwave makes itself too."""
    os.makedirs(folder)
    for name, (text, _, _) in FILES.items():
        if text is not None:
            write(folder, name, False)
    for words in (["predict", *MODEL, "--res", "20", "--quiet", "--out", "map", "--tx", AT, "--layers", "path_loss,power"],
                  ["predict", *MODEL, "--res", "20", "--quiet", "--out", "other", "--tx", f"{EAST + 140},{NORTH + 140},40"],
                  ["calibrate", *MODEL, "--tx", AT, "--measurements", "measurements.csv", "--quiet", "--out", "params.json"],
                  ["preprocess", "--scene", "town.geojson", "--quiet", "--out", "shadow.rwdb"],
                  ["preprocess", "--scene", "town.geojson", "--model", "tiles", "--quiet", "--out", "tiles.rwdb"]):
        status, _, error = run(folder, words)
        assert status == 0, (words, error)


def edit(folder, name):
    """Writes a file again with other content, of the same size and with the same times."""
    path = os.path.join(folder, name)
    before = os.stat(path)
    text = open(path, "rb").read()
    if name in FILES and FILES[name][0] is not None:
        _, old, new = FILES[name]
        changed = text.replace(old.encode(), new.encode())
    elif name.endswith(".json"):  # a digit of a value of the parameters
        at = text.index(b".", text.index(b"roof_a0_db")) - 1
        changed = text[:at] + (b"3" if text[at:at + 1] != b"3" else b"4") + text[at + 1:]
    else:
        at = len(text) // 3
        changed = text[:at] + bytes(byte ^ 0x10 for byte in text[at:at + 64]) + text[at + 64:]
    assert changed != text and len(changed) == len(text), name
    with open(path, "r+b") as file:
        file.write(changed)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def edited_file(folder, path):
    """A folder of a map is edited in its first raster."""
    full = os.path.join(folder, path)
    return os.path.join(path, "path_loss.tif") if os.path.isdir(full) else path


def check_rerun(start, words, path, label):
    """Returns what is wrong, or nothing."""
    again, fresh = (os.path.join(FOLDER, f"{'-'.join(label)}-{name}") for name in ("again", "fresh"))
    shutil.copytree(start, again)
    status, stdout, error = run(again, words)
    if label in REJECTED:
        return None if status == 2 and error.strip() else f"status {status}, and a rejection was expected"
    if status != 0:
        return f"the first run ends with {status}: {error.strip()}"
    before = outputs(again, stdout)
    edit(again, edited_file(again, path))
    shutil.copytree(again, fresh, ignore=lambda folder, names: [name for name in names if folder == again and name.startswith("out")])
    status, stdout, error = run(again, words)
    fresh_status, fresh_stdout, fresh_error = run(fresh, words)
    if status == 2 and error.strip():
        return None
    if status != fresh_status:
        return f"status {status} ({error.strip()}), and {fresh_status} without the outputs of the run before ({fresh_error.strip()})"
    after, expected = outputs(again, stdout), outputs(fresh, fresh_stdout)
    others = sorted(name for name in set(after) | set(expected) if strip(after.get(name)) != strip(expected.get(name)))
    if others:
        return f"other outputs than those of a first run: {', '.join(others)}"
    if after == before and label not in WITHOUT_EFFECT:
        return "the outputs are the same: the input has no effect here"
    return None


TIMES = re.compile(rb'"(?:[a-z_]*seconds|[a-z_]*_s|date)": *(?:"[^"]*"|[-0-9.e+]+|{[^}]*})')


def strip(value):
    """Without the times that a run took."""
    return TIMES.sub(b"", value.encode() if isinstance(value, str) else value or b"")


def check_shards(start, words, path, label):
    folder = os.path.join(FOLDER, f"{'-'.join(label)}-shards")
    shutil.copytree(start, folder)
    status, _, error = run(folder, [*words, "--shard", "1/2"])
    if status != 0:
        return f"the first shard ends with {status}: {error.strip()}"
    edit(folder, edited_file(folder, path))
    status, _, error = run(folder, [*words, "--shard", "2/2"])
    return None if status == 2 and error.strip() else f"the second shard ends with {status}: {error.strip()}"


def check_case(case):
    name, option, words, path, has_shards = case
    label = (name, option)
    wrong = [check_rerun(START, words, path, label)]
    if has_shards and label not in REJECTED:
        wrong.append(check_shards(START, words, path, label))
    for end in ("again", "fresh", "shards"):
        shutil.rmtree(os.path.join(FOLDER, f"{name}-{option}-{end}"), ignore_errors=True)
    return [f"{name} --{option}: {what}\n    rasterwave {' '.join(words)}" for what in filter(None, wrong)]


def has_page():
    return "without its page" not in run(START, [*COMMANDS["share"], "--out", "page.html"])[2]


def list_cases(table):
    for command in table:
        name = command["name"]
        if name in SKIPPED or name == "share" and not has_page():
            continue
        has_shards = any(option["name"] == "shard" for option in command["options"])
        for option in command["options"]:
            if option["type"].endswith("to read"):
                yield name, option["name"], *arguments(name, option["name"]), has_shards
        if command["input_is_path"]:
            yield name, "input", *inputs_of(name), has_shards


def main():
    table = json.loads(subprocess.run([PROGRAM, "help", "options", "--json"], capture_output=True, text=True, check=True).stdout)["commands"]
    only = sys.argv[3:]
    prepare(START)
    cases = [case for case in list_cases(table) if not only or case[0] in only or f"{case[0]}:{case[1]}" in only]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        wrong = [line for lines in pool.map(check_case, cases) for line in lines]
    print("\n".join([*wrong, f"{len(cases)} inputs of commands"]))
    sys.exit(bool(wrong) or (not only and len(cases) < 100))


if __name__ == "__main__":
    main()

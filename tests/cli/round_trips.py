"""Every file that a command writes, with names in many alphabets, is read by strict readers that share no code with the program, and by
the program itself.

Usage: round_trips.py PROGRAM FOLDER
"""

import csv
import html
import html.parser
import json
import os
import re
import sqlite3
import struct
import subprocess
import sys
import unicodedata
import xml.etree.ElementTree
import zipfile
import zlib

PROGRAM, FOLDER = sys.argv[1], sys.argv[2]
EAST, NORTH = 500000, 5400000

# What a table holds, and what every file has in its place: text without control characters, composed (NFC).
NAMES = [
    ("München".encode("latin-1"), "München"), ("Mu\u0308nchen 2".encode(), "München 2"), ("Київ-Центр".encode(), "Київ-Центр"),
    ("東京タワー".encode(), "東京タワー"), ("القاهرة".encode(), "القاهرة"), ("हिन्दी".encode(), "हिन्दी"), ("עברית".encode(), "עברית"),
    ("Ελλάδα".encode(), "Ελλάδα"), ("ไทย".encode(), "ไทย"), ("한국어".encode(), "한국어"), ("Tiếng Việt".encode(), "Tiếng Việt"),
    ("🗼 mast".encode(), "🗼 mast"), (b"a\x01b", "a b"), (b"a\x7fc", "a c"), ("n\u0085l".encode(), "n l"), (b'say ""x""', 'say "x"'),
    (b"<b>&amp;</b>", "<b>&amp;</b>"), (b"]]>--!>", "]]>--!>"), (b"</script>", "</script>"), (b"%s%n{}$(x)`y`", "%s%n{}$(x)`y`"),
    (b"back\\slash", "back\\slash"), (b"it's", "it's"), (b"../../up", "../../up"), (b"x" * 120, "x" * 120),
]
failures = []


def fail(what):
    failures.append(what)
    print(what[:600])


def run(*words, status=0):
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=300, cwd=FOLDER, errors="strict")
    if done.returncode != status:
        fail(f"{' '.join(words)}: status {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def path(name):
    return os.path.join(FOLDER, name)


# --- strict readers ---

def no_constant(word):
    raise ValueError(f"{word} is not JSON")


def no_duplicates(pairs):
    made = dict(pairs)
    assert len(made) == len(pairs), "a key twice"
    return made


def load_json(text):
    return json.loads(text, parse_constant=no_constant, object_pairs_hook=no_duplicates)


def check_text(text):
    bad = [c for c in text if unicodedata.category(c) == "Cc" and c not in "\n\t\r"]
    assert not bad, f"control characters {bad}"
    assert text == unicodedata.normalize("NFC", text), "not composed"


def read_text(name):
    with open(path(name), "rb") as file:
        text = file.read().decode("utf-8", "strict")
    check_text(text)
    return text


def strings_of(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from strings_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings_of(inner)


def read_json(name):
    return load_json(read_text(name))


def check_ring(ring):
    assert len(ring) >= 4 and ring[0] == ring[-1], "an open ring"
    assert all(len(point) >= 2 and all(isinstance(x, (int, float)) for x in point) for point in ring)


def read_geojson(name):
    made = read_json(name)
    assert made["type"] == "FeatureCollection"
    for feature in made["features"]:
        assert feature["type"] == "Feature" and isinstance(feature["properties"], dict)
        shape = feature["geometry"]
        kind = shape["type"]
        assert kind in ("Point", "LineString", "MultiLineString", "Polygon", "MultiPolygon"), kind
        for polygon in {"Polygon": [shape["coordinates"]], "MultiPolygon": shape["coordinates"]}.get(kind, []):
            for ring in polygon:
                check_ring(ring)
    return made


def read_csv(name):
    rows = list(csv.reader(read_text(name).splitlines(keepends=True), strict=True))
    rows = [row for row in rows if not row or not row[0].startswith("#")]
    assert rows and all(len(row) == len(rows[0]) for row in rows), f"rows of {sorted({len(row) for row in rows})} columns"
    return rows


def read_gpkg(name):
    base = sqlite3.connect(path(name))
    assert base.execute("pragma integrity_check").fetchone() == ("ok",)
    assert base.execute("pragma application_id").fetchone()[0] == 0x47504B47
    assert not base.execute("pragma foreign_key_check").fetchall()
    texts = []
    for (table,) in base.execute("select name from sqlite_master where type = 'table'").fetchall():
        texts += [row[1] for row in base.execute(f'pragma table_info("{table}")')]
        for row in base.execute(f'select * from "{table}"'):
            texts += [value for value in row if isinstance(value, str)]
    for text in texts:
        check_text(text)
    base.close()
    return texts


def read_xml(text):
    root = xml.etree.ElementTree.fromstring(text)
    return [element.text or "" for element in root.iter()] + [value for element in root.iter() for value in element.attrib.values()]


def read_kmz(name):
    with zipfile.ZipFile(path(name)) as archive:
        assert archive.testzip() is None
        texts = []
        for entry in archive.namelist():
            data = archive.read(entry)
            if entry.endswith(".kml"):
                check_text(data.decode("utf-8", "strict"))
                texts += read_xml(data)
            else:
                check_png(data)
        return texts


class Page(html.parser.HTMLParser):
    VOID = {"meta", "br", "img", "hr", "input", "link", "col", "path", "line", "rect", "circle", "polyline"}

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.texts, self.tags = [], [], set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.texts += [value for _, value in attrs if value]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.texts += [value for _, value in attrs if value]

    def handle_endtag(self, tag):
        if tag in self.VOID:
            return
        if self.open and self.open[-1] != tag and self.open[-1] in ("p", "li", "td", "th", "tr", "tbody", "option"):
            self.open.pop()
        assert self.open and self.open[-1] == tag, f"</{tag}> after {self.open[-3:]}"
        self.open.pop()

    def handle_data(self, data):
        self.texts.append(data)


def read_html(name):
    page = Page()
    page.feed(read_text(name))
    page.close()
    assert page.open == [], f"not closed: {page.open}"
    return page.texts


def check_png(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, pixels, last = 8, b"", None
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + body), "checksum"
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
        if kind == b"IDAT":
            pixels += body
        if kind in (b"tEXt", b"iTXt"):
            check_text(body.split(b"\0")[-1].decode("utf-8", "strict"))
        at, last = at + 12 + size, kind
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    assert last == b"IEND" and len(zlib.decompress(pixels)) == height * (1 + (width * channels * depth + 7) // 8)


def read_png(name):
    with open(path(name), "rb") as file:
        check_png(file.read())


def read_tif(name):
    """Tags, strips or tiles within the file; texts of the metadata."""
    with open(path(name), "rb") as file:
        data = file.read()
    order = {b"II": "<", b"MM": ">"}[data[:2]]
    big = struct.unpack(order + "H", data[2:4])[0] == 43
    at = struct.unpack(order + ("Q" if big else "I"), data[8:16] if big else data[4:8])[0]
    sizes, kinds = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 11: 4, 12: 8, 16: 8}, {1: "B", 3: "H", 4: "I", 11: "f", 12: "d", 16: "Q"}
    texts = []
    while at:
        count = struct.unpack(order + ("Q" if big else "H"), data[at:at + (8 if big else 2)])[0]
        at += 8 if big else 2
        tags = {}
        for _ in range(count):
            tag, kind = struct.unpack(order + "HH", data[at:at + 4])
            number = struct.unpack(order + ("Q" if big else "I"), data[at + 4:at + (12 if big else 8)])[0]
            room = data[at + (12 if big else 8):at + (20 if big else 12)]
            size = number * sizes[kind]
            body = room[:size] if size <= len(room) else None
            if body is None:
                start = struct.unpack(order + ("Q" if big else "I"), room)[0]
                body = data[start:start + size]
            assert len(body) == size, f"tag {tag} is outside of the file"
            if kind in kinds:
                tags[tag] = struct.unpack(order + kinds[kind] * number, body)
            elif kind == 2:
                texts.append(body.rstrip(b"\0").decode("utf-8", "strict"))
            at += 20 if big else 12
        for starts, lengths in ((273, 279), (324, 325)):
            for start, length in zip(tags.get(starts, ()), tags.get(lengths, ())):
                assert start + length <= len(data), "pixels outside of the file"
        at = struct.unpack(order + ("Q" if big else "I"), data[at:at + (8 if big else 4)])[0]
    for text in texts:
        check_text(text)
        if text.startswith("<GDALMetadata"):
            texts = texts + [html.unescape(inner) for inner in read_xml(text)]  # GDAL escapes twice
    return texts


READERS = {".json": read_json, ".geojson": read_geojson, ".csv": read_csv, ".gpkg": read_gpkg, ".kmz": read_kmz, ".html": read_html,
           ".png": read_png, ".tif": read_tif, ".kml": lambda name: read_xml(read_text(name)), ".vrt": lambda name: read_xml(read_text(name)),
           ".txt": read_text, ".pgw": read_text, ".prj": read_text, ".cpg": read_text}


def read(name):
    """The texts of a file, or None if it has another form; a failure if its reader rejects it."""
    reader = READERS.get(os.path.splitext(name)[1])
    if not reader:
        return None
    try:
        made = reader(name)
    except Exception as error:
        fail(f"{name}: {type(error).__name__}: {error}")
        return None
    if isinstance(made, str):
        return [made]
    return [text for text in strings_of(made)] if made is not None else None


def expect_names(name, wanted=None):
    texts = read(name)
    if texts is None:
        return
    for _, shown in wanted or NAMES:
        if not any(shown in text for text in texts):
            fail(f"{name}: no {shown!r}")


# --- inputs ---

def place(i):
    return EAST + 20 + 50 * (i % 6) + 25, NORTH + 20 + 50 * (i // 6) + 25


def write_inputs():
    squares = [(20 + 50 * i, 20 + 50 * j) for i in range(6) for j in range(5)]
    crs = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::25832"}}

    def shape(x, y, side):
        return {"type": "Polygon", "coordinates": [[[EAST + x, NORTH + y], [EAST + x + side, NORTH + y], [EAST + x + side, NORTH + y + side],
                                                    [EAST + x, NORTH + y + side], [EAST + x, NORTH + y]]]}

    def collection(features):
        return json.dumps({"type": "FeatureCollection", "crs": crs, "features": features}, ensure_ascii=False)

    files = {
        "town.geojson": collection([{"type": "Feature", "properties": {"height": 12}, "geometry": shape(x, y, 12)} for x, y in squares]),
        "zones.geojson": collection([{"type": "Feature", "properties": {"label": shown}, "geometry": shape(50 * (i % 6), 50 * (i // 6), 49)}
                                     for i, (_, shown) in enumerate(NAMES)]),
        "points.csv": "x,y\n" + "".join(f"{EAST + 42 + 7 * i},{NORTH + 40}\n" for i in range(8)),
        "route.csv": "x,y,path_loss,route\n" + "".join(f"{EAST + 42 + 7 * i},{NORTH + 40 + 50 * (i % 3)},{80 + i},{'Київ' if i % 2 else '東京'}\n" for i in range(24)),
    }
    for name, text in files.items():
        with open(path(name), "w", encoding="utf-8") as file:
            file.write(text)
    with open(path("sites.csv"), "wb") as file:
        file.write(b"name,x,y,height,power,antenna\n")
        for i, (raw, _) in enumerate(NAMES):
            x, y = place(i)
            file.write(b'"' + raw + b'",%d,%d,30,40,\n' % (x, y))


def main():
    write_inputs()
    model = ["--scene", "town.geojson", "--freq", "2GHz", "--threads", "1", "--quiet"]
    sites = ["--sites", "sites.csv"]
    before = set()

    def step(*words):
        """Runs a call and reads what is new below the folder."""
        run(*words)
        found = {os.path.relpath(os.path.join(base, name), FOLDER) for base, _, names in os.walk(FOLDER) for name in names}
        new = sorted(found - before)
        before.update(found)
        if not new:
            fail(f"{' '.join(words)}: no new file")
        for name in new:
            read(name)
        return new

    before.update({os.path.relpath(os.path.join(base, name), FOLDER) for base, _, names in os.walk(FOLDER) for name in names})

    # Scenes.
    for kind in ("gpkg", "geojson"):
        step("import", "town.geojson", "--out", f"scene.{kind}", "--quiet")
        step("generate", "city", "--size", "200m,200m", "--out", f"made.{kind}", "--quiet")
    counts = [load_json(run("info", name, "--json"))["buildings"] for name in ("town.geojson", "scene.gpkg", "scene.geojson")]
    assert counts[0] > 0 and len(set(counts)) == 1, counts
    for kind in ("city", "office", "terrain"):
        step("generate", kind, "--out", f"{kind}.gpkg", "--quiet", *(["--size", "200m,200m"]))
        load_json(run("info", f"{kind}.gpkg", "--json"))

    # A map with everything next to it.
    new = step("predict", *model, *sites, "--res", "10", "--layers", "path_loss,power,best,los,mechanism", "--level", "-70dBm", "--out", "map",
               "--report", "report.html", "--zones", "zones.geojson", "--name-field", "label", "--diffraction-sources", "edges.geojson")
    assert "map/path_loss.tif" in new
    for name in ("map/path_loss.tif", "map/best.tif", "report.html"):
        expect_names(name)
    for name in new:
        if name.endswith((".tif", ".png", ".geojson")):
            load_json(run("info", name, "--json"))
    said = load_json(run("predict", *model, *sites, "--res", "20", "--layers", "path_loss", "--level", "-70dBm", "--out", "other", "--json"))
    shown = [text for text in strings_of(said)]
    for _, name in NAMES:
        if name not in shown:
            fail(f"predict --json: no {name!r}")
    for kind in ("csv", "gpkg", "geojson"):
        step("predict", *model, *sites, "--res", "20", "--layers", "power", "--out", f"floors_{kind}", "--storey-table", f"storeys.{kind}")
    for kind in ("kmz", "tif"):
        step("predict", *model, *sites, "--res", "20", "--layers", "path_loss", "--out", f"one.{kind}")

    # Points, which other calls read again.
    for kind in ("csv", "json", "gpkg", "geojson"):
        step("predict", *model, *sites, "--points", "points.csv", "--out", f"points_out.{kind}")
        if kind != "json":  # which has lists of values
            # In names of columns, of which a long one is cut.
            expect_names(f"points_out.{kind}", [(raw, re.sub('[",;]', "_", shown)[:40] if kind == "csv" else shown[:40]) for raw, shown in NAMES])
        if kind in ("csv", "geojson"):
            again = load_json(run("predict", *model, "--tx", f"{EAST + 45},{NORTH + 45},30", "--points", f"points_out.{kind}", "--out", f"again_{kind}.csv", "--json"))
            assert len(read_csv(f"again_{kind}.csv")) == 9, f"points_out.{kind}: {len(read_csv(f'again_{kind}.csv'))}"
    step("predict", *model, "--tx", f"{EAST + 45},{NORTH + 45},30", "--points", "points.csv", "--out", "plotted.csv", "--plot", "route.png")

    # Paths.
    for kind in ("json", "geojson", "csv"):
        step("paths", *model, *sites, "--points", "points.csv", "--out", f"paths.{kind}")
        expect_names(f"paths.{kind}")
    step("paths", *model, "--tx", f"{EAST + 45},{NORTH + 45},30", "--at", f"{EAST + 60},{NORTH + 45}", "--plot", "delays.png", "--profile", "profile.png")

    # Polygons, which are zones of statistics again.
    for kind in ("geojson", "gpkg", "kml", "kmz", "shp"):
        step("polygons", "map", "--layer", "best", "--out", f"servers.{kind}", "--quiet")
        if kind != "shp":
            expect_names(f"servers.{kind}", [NAMES[i] for i in (0, 2, 3)])
        if kind != "kmz":
            step("statistics", "map", "--layer", "power", "--zones", f"servers.{kind}", "--level", "-70", "--out", f"of_{kind}.csv", "--quiet", *(["--name-field", "name"]))
    step("polygons", "map", "--layer", "power", "--levels", "-80,-70", "--contours", "--out", "lines.geojson", "--quiet")

    # Statistics, which are zones again.
    for kind in ("csv", "geojson", "gpkg"):
        step("statistics", "map", "--layer", "power", "--zones", "zones.geojson", "--name-field", "label", "--level", "-70", "--out", f"zones_out.{kind}", "--quiet")
        expect_names(f"zones_out.{kind}")
        if kind != "csv":
            again = load_json(run("statistics", "map", "--layer", "power", "--zones", f"zones_out.{kind}", "--name-field", "zone", "--json"))
            got = [zone["name"] if "name" in zone else zone["zone"] for zone in again["zones"]]
            for _, name in NAMES:
                if name not in got:
                    fail(f"zones_out.{kind} read again: no {name!r} in {got[:3]}")
    run("predict", *model, *sites, "--res", "10", "--layers", "path_loss", "--sum", "power", "--out", "second")
    for kind in ("png", "tif"):
        step("compare", "map", "second", "--layer", "path_loss", "--out", f"difference.{kind}", "--quiet", "--zones", "zones.geojson", "--name-field", "label")

    # A network, its mosaic and the choice of sites.
    new = step("network", *model, *sites, "--res", "10", "--radius", "300", "--block-cells", "16", "--layers", "strongest,best", "--out", "net")
    for name in new:
        if name.endswith((".vrt", ".tif")):
            load_json(run("info", name, "--json"))
    step("plan", *model, "--candidates", "sites.csv", "--level", "-60", "--max-sites", "2", "--res", "20", "--out", "plan", "--report", "plan.html")
    for base, _, names in os.walk(path("plan")):
        for name in names:
            if name.startswith("sites") and name.endswith(".csv"):
                run("predict", *model, "--sites", os.path.relpath(os.path.join(base, name), FOLDER), "--res", "20", "--out", "planned")

    # A plan as one file: its page needs the script that npm builds.
    done = subprocess.run([PROGRAM, "share", *model, *sites, "--res", "20", "--layers", "path_loss", "--out", "shared.html"],
                          capture_output=True, text=True, timeout=300, cwd=FOLDER)
    if done.returncode == 0:
        texts = read_html("shared.html")
        for _, shown in NAMES:
            if not any(shown in text or json.dumps(shown, ensure_ascii=False)[1:-1].replace("</", "<\\/") in text or
                       shown.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e").replace('"', '\\"') in text for text in texts):
                fail(f"shared.html: no {shown!r}")
    elif "npm" not in done.stderr:
        fail(f"share: {done.stderr}")

    # An archive that expands to more than readers hold is rejected before anything is expanded.
    with zipfile.ZipFile(path("bomb.kmz"), "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("doc.kml", "w", force_zip64=False) as entry:
            entry.write(b'<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>')
            for _ in range(300):
                entry.write(b" " * 1000000)
            entry.write(b"</Document></kml>")
    for words in (["statistics", "map", "--layer", "power", "--zones", "bomb.kmz"], ["info", "bomb.kmz"]):
        done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=60, cwd=FOLDER)
        if done.returncode != 2 or "bomb.kmz expands to 3e+08 bytes" not in done.stderr:
            fail(f"{' '.join(words)}: {done.returncode}: {done.stderr}")

    # Errors and parameters.
    tx = ["--tx", f"{EAST + 45},{NORTH + 45},30"]
    new = step("evaluate", *model, *tx, "--measurements", "route.csv", "--out", "errors")
    step("calibrate", *model, *tx, "--measurements", "route.csv", "--out", "params.json", "--plot", "fit.png")
    run("predict", *model, *tx, "--res", "20", "--params", "params.json", "--out", "calibrated")
    step("preprocess", "--scene", "town.geojson", "--threads", "1", "--quiet", "--res", "20", "--out", "town.rwdb")
    load_json(run("info", "town.rwdb", "--json"))
    step("render", "map", "--layer", "power", "--out", "power.png", "--georeferenced", "--quiet")
    step("link", f"{EAST + 45},{NORTH + 45},30", f"{EAST + 145},{NORTH + 45},3", *model, "--out", "link.csv")
    print(f"{len(before)} files, {len(failures)} failures")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()

"""Every input of a served prediction, written again under its name with the same size and time of modification: the next answer is that
of the new content, as of a server that never read the old one.

Usage: fresh.py URL ROOT: ROOT is the folder of the server.
"""

import http.client
import json
import os
import struct
import sys
import urllib.parse

EAST, NORTH = 500000, 5400000


def polygons(rings, **properties):
    crs = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::25832"}}
    return json.dumps({"type": "FeatureCollection", "crs": crs, "features": [
        {"type": "Feature", "properties": properties, "geometry": {
            "type": "Polygon", "coordinates": [[[EAST + x, NORTH + y] for x, y in ring]]}} for ring in rings]})


TOWN = polygons([[(x, y), (x + 30, y), (x + 30, y + 30), (x, y + 30), (x, y)] for x in (20, 90, 160) for y in (20, 90, 160)], height=20)
ZONE = polygons([[(0, 0), (200, 0), (200, 100), (0, 100), (0, 0)]])
ANTENNA = "NAME panel\nFREQUENCY 2000\nGAIN 15 dBi\nHORIZONTAL 360\n" + "".join(
    f"{i} {min(i, 360 - i) / 9:.1f}\n" for i in range(360)) + "VERTICAL 360\n" + "".join(
    f"{i} {min(i, 360 - i) / 6:.1f}\n" for i in range(360))
FILES = {
    "town.geojson": (TOWN, '"height": 20', '"height": 35'),
    "terrain.asc": (f"ncols 3\nnrows 3\nxllcorner {EAST - 50}\nyllcorner {NORTH - 50}\ncellsize 150\n10 10 10\n10 11 10\n10 10 10\n",
                    " 11 ", " 50 "),
    "foliage.geojson": (polygons([[(60, 60), (85, 60), (85, 140), (60, 60)]], height=12), '"height": 12', '"height": 25'),
    "zone.geojson": (ZONE, str(NORTH + 100), str(NORTH + 150)),
    "sites.csv": (f"name,x,y,height,power,antenna,azimuth\na,{EAST + 70},{NORTH + 70},40,40,panel.msi,30\n", ",40,panel", ",44,panel"),
    "panel.msi": (ANTENNA, "15 dBi", "11 dBi"),
}
PROJECT = {"scene": "town.geojson", "terrain": "terrain.asc", "foliage": "foliage.geojson", "area": "zone.geojson", "sites": "sites.csv",
           "freq": "2GHz", "res": 10}


def main():
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(sys.argv[1]).netloc, timeout=60)
    root = sys.argv[2]

    def write(name, text):
        path = os.path.join(root, name)
        before = os.stat(path) if os.path.exists(path) else None
        assert before is None or before.st_size == len(text)
        with open(path, "w") as file:
            file.write(text)
        if before:
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def predict():
        connection.request("POST", "/v1/predict", json.dumps({"project": PROJECT, "layer": "power"}), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        body = answer.read()
        assert answer.status == 200, body[:300]
        length = struct.unpack("<I", body[4:8])[0]
        header = json.loads(body[8:8 + length])
        return header["offset"], header["scale"], body[8 + length:]

    for name, (text, _, _) in FILES.items():
        write(name, text)
    first = predict()
    for name, (text, old, new) in FILES.items():
        changed = text.replace(old, new)
        assert changed != text and len(changed) == len(text), name
        write(name, changed)
        assert predict() != first, f"{name} was written again, and the old map came"
        write(name, text)
        assert predict() == first, f"{name} is what it was, and another map came"
    print(f"{len(FILES)} inputs")


if __name__ == "__main__":
    main()

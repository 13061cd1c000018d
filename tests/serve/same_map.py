"""The map of a request and the map of the command line that the server gives for it are the same, cell by cell.

Usage: same_map.py URL PROGRAM. The command is run by a shell and writes ENVI: 32-bit floats, the northernmost row first.
"""

import array
import http.client
import json
import math
import struct
import subprocess
import sys
import urllib.parse

SITES = "name,x,y,height,azimuth,tilt,power,antenna\nnorth mast,300,300,30,0,5,43,3gpp\nit's,120.5,410,35,120,0,40,isotropic\n"
REQUESTS = [
    {"project": {"tx": ["300,300,30"], "freq": "2GHz"}, "layer": "path_loss", "resolution": 10},
    {"project": {"sites": SITES, "freq": 1.8e9, "rx-height": 2}, "layer": "power", "resolution": 20, "transmitter": 1},
    {"project": {"sites": SITES, "freq": 1.8e9}, "layer": "best", "resolution": 20},
    {"project": {"tx": ["300,300,30"], "freq": "2GHz", "area": [100, 100, 500, 500], "effects": ["roofs", "walls"]},
     "layer": "mechanism", "resolution": 20},
    {"project": {"sites": SITES, "freq": 1.8e9}, "layer": "sigma", "resolution": 40, "transmitter": 1},
    {"project": {"sites": SITES, "freq": 1.8e9}, "layer": "walls", "resolution": 40, "transmitter": 1},
    {"project": {"tx": ["300,300,30"], "freq": "2GHz", "model": "beams", "reflections": 1}, "layer": "delay_spread", "resolution": 20},
]


def post(host, path, body):
    connection = http.client.HTTPConnection(host, timeout=60)
    connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    data = answer.read()
    assert answer.status == 200, (path, body, data[:300])
    return data


def raster(data):
    """Values of RWM1, NaN where there is no receiver or no path."""
    length, = struct.unpack_from("<I", data, 4)
    assert data[:4] == b"RWM1" and length % 4 == 0
    header = json.loads(data[8 : 8 + length])
    codes = array.array("H", data[8 + length :])
    assert len(codes) == header["nx"] * header["ny"]
    return header, [header["offset"] + header["scale"] * (q - 2) if q >= 2 else math.nan for q in codes]


def command_map(program, line, layer):
    subprocess.run(["sh", "-c", f'PATH="$(dirname "{program}"):$PATH"; {line} --out "$0.bin" --quiet', layer], check=True)
    values = array.array("f", open(f"{layer}.bin", "rb").read())
    header = dict(part.split(" = ", 1) for part in open(f"{layer}.hdr").read().splitlines() if " = " in part)
    return int(header["samples"]), int(header["lines"]), values


def main():
    host = urllib.parse.urlsplit(sys.argv[1]).netloc
    for request in REQUESTS:
        layer = request["layer"]
        header, ours = raster(post(host, "/v1/predict", request))
        line = json.loads(post(host, "/v1/command", request))["command_line"]
        columns, rows, theirs = command_map(sys.argv[2], line, layer)
        cells = columns * rows
        assert (columns, rows) == (header["nx"], header["ny"]), line
        band = request.get("transmitter", 0) if len(theirs) > cells else 0
        finite = 0
        for row in range(rows):
            for column in range(columns):
                own = ours[row * columns + column]
                other = theirs[band * cells + (rows - 1 - row) * columns + column]
                if math.isfinite(own) != (math.isfinite(other) and abs(other) < 1e30):
                    raise AssertionError(f"{line}: cell {column}, {row}: {own} and {other}")
                if math.isfinite(own):
                    finite += 1
                    assert abs(own - other) <= 0.5001 * header["scale"] + 1e-6 * abs(other), f"{line}: cell {column}, {row}: {own} and {other}"
        assert finite > 0.2 * cells, (line, finite, cells)
    print(f"{len(REQUESTS)} maps are the same")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Corpora of the fuzz targets, one file each: tests/fuzz/corpus/NAME.pack.

Usage: corpus.py unpack FILE.pack FOLDER     writes each input as a file
       corpus.py pack FOLDER FILE.pack       the inputs of a folder, sorted by name

A pack is its inputs, one after the other: a line "NAME SIZE", SIZE bytes, and a line end.
"""

import os
import sys


def read_pack(path):
    with open(path, "rb") as file:
        while line := file.readline():
            name, size = line.decode().split()
            content = file.read(int(size))
            if len(content) != int(size) or file.read(1) != b"\n" or os.path.basename(name) != name:
                sys.exit(f"{path}: {name} is damaged")
            yield name, content


def unpack(path, folder):
    os.makedirs(folder, exist_ok=True)
    for name, content in read_pack(path):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)


def pack(folder, path):
    with open(path + ".new", "wb") as file:
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), "rb") as entry:
                content = entry.read()
            file.write(f"{name.replace(' ', '_')} {len(content)}\n".encode() + content + b"\n")
    os.replace(path + ".new", path)


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("pack", "unpack"):
        sys.exit(__doc__)
    (pack if sys.argv[1] == "pack" else unpack)(sys.argv[2], sys.argv[3])

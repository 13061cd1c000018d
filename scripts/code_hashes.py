#!/usr/bin/env python3
"""Compares the machine code of two builds: the .text sections of every object file, whatever its name or folder.

Usage: scripts/code_hashes.py OLD_BUILD NEW_BUILD

Renaming an identifier or moving a file must leave the code as it is. Prints the object files whose code the other build does not have and
exits with 1 if there are any. Both builds need the same compiler and options.
"""
import collections
import hashlib
import pathlib
import struct
import sys


def text_hash(path):
    """SHA-256 of the contents of all sections of a 64-bit ELF file whose name starts with .text"""
    data = path.read_bytes()
    if data[:5] != b"\x7fELF\x02":
        raise SystemExit(f"{path} is not a 64-bit ELF object file")
    offset, = struct.unpack_from("<Q", data, 0x28)
    size, count, names_index = struct.unpack_from("<HHH", data, 0x3A)
    sections = [struct.unpack_from("<IIQQQQ", data, offset + i * size) for i in range(count)]
    names = sections[names_index][4]
    result = hashlib.sha256()
    for name, _, _, _, start, length in sections:
        label = data[names + name:data.index(b"\0", names + name)].decode()
        if label.startswith(".text"):
            result.update(label.split(".")[1].encode() + data[start:start + length])
    return result.hexdigest()


def objects_of(folder):
    """hash -> object files of library, program and benchmark; tests move and change freely, build.c holds the commit"""
    found = collections.defaultdict(list)
    for path in sorted(pathlib.Path(folder).rglob("*.o")):
        name = str(path.relative_to(folder))
        if not name.startswith("tests/") and not name.endswith("build.c.o"):
            found[text_hash(path)].append(name)
    return found


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    old, new = objects_of(sys.argv[1]), objects_of(sys.argv[2])
    different = 0
    for mark, mine, other in (("-", old, new), ("+", new, old)):
        for key, names in mine.items():
            for name in names[len(other.get(key, [])):]:
                print(mark, name)
                different += 1
    print(f"{sum(map(len, old.values()))} object files before, {sum(map(len, new.values()))} after, {different} with other code")
    return different != 0


sys.exit(main())

#!/usr/bin/env python3
"""Makes two modules of the package from the public headers.

_abi.py has every constant, struct and function for ctypes; _records.py has what calls fill as typed dataclasses.

Usage: make_abi.py INCLUDE_FOLDER PACKAGE_FOLDER

The headers keep to a plain subset of C (typedefs of enums and structs, one declaration for each call), so that
expressions suffice to read them once the preprocessor has expanded their lists.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

CONSTANTS = {"RW_UNSET": "-2147483647 - 1", "RW_ALL_BANDS": "2 * sys.maxsize + 1"}

SIMPLE = {
    "char": "C.c_char",
    "unsigned char": "C.c_ubyte",
    "int": "C.c_int",
    "float": "C.c_float",
    "double": "C.c_double",
    "size_t": "C.c_size_t",
    "uint32_t": "C.c_uint32",
    "uint64_t": "C.c_uint64",
}

HEAD = '''"""The public C interface for ctypes. Made by tools/make_abi.py from the headers: do not edit."""
# ruff: noqa
# mypy: ignore-errors

import ctypes as C
import sys

'''


RECORDS_HEAD = '''"""What calls fill, as plain values. Made by tools/make_abi.py from the headers: do not edit."""

from __future__ import annotations

import ctypes as C
from dataclasses import dataclass
from typing import Any, ClassVar, Type, TypeVar

from . import _abi

T = TypeVar("T", bound="Record")


@dataclass(frozen=True)
class Record:
    """Values of a struct of the library; lengths, angles and levels are in the unit that ends their name."""

    _struct: ClassVar[Any] = None

    @classmethod
    def of(cls: Type[T], struct: Any) -> T:
        return cls(*[plain(getattr(struct, name)) for name in cls.__dataclass_fields__ if not name.startswith("_")])


def plain(value: Any) -> Any:
    """A value of a struct as Python has it."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if value is None:
        return ""
    if isinstance(value, _abi.rw_field_value):
        return complex(value.re, value.im)
    if isinstance(value, C.Array):
        return tuple(plain(item) for item in value)
    if isinstance(value, C.Structure):
        return RECORDS[type(value)].of(value)
    return value

'''


def headers(include):
    """Names of all public headers, the core first; version.h has numbers alone."""
    names = sorted(path.name for path in (include / "rasterwave").glob("*.h") if path.name != "version.h")
    return sorted(names, key=lambda name: name != "rasterwave.h")


def preprocess(include):
    """The headers as one text without comments, their lists expanded and nothing of the system in it."""
    with tempfile.TemporaryDirectory() as empty:
        for name in ("stddef.h", "stdint.h"):
            (pathlib.Path(empty) / name).touch()
        source = "".join(f"#include <rasterwave/{name}>\n" for name in headers(include))
        command = [os.environ.get("CC", "cc"), "-E", "-P", "-nostdinc", "-U__GNUC__", "-I", empty, "-I", str(include), "-"]
        return subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout


def raw_text(include):
    return "\n".join((include / "rasterwave" / name).read_text() for name in headers(include))


def version_text(include):
    return (include / "rasterwave" / "version.h").read_text()


class Types:
    """What a C type is for ctypes."""

    def __init__(self):
        self.enums, self.structs, self.opaque, self.callbacks = set(), set(), set(), set()

    def of(self, text):
        text = re.sub(r"\bconst\b", " ", text)
        stars = text.count("*")
        name = " ".join(text.replace("*", " ").split())
        if name == "void":
            return self.pointers("C.c_void_p", stars - 1) if stars else "None"
        if name == "char" and stars:
            return self.pointers("C.c_char_p", stars - 1)
        if name in self.enums:
            return self.pointers("C.c_int", stars)
        if name in self.opaque:
            return self.pointers("C.c_void_p", stars - 1)
        if name in self.structs or name in self.callbacks:
            return self.pointers(name, stars)
        return self.pointers(SIMPLE[name], stars)

    @staticmethod
    def pointers(base, count):
        return "C.POINTER(" * count + base + ")" * count


def declare(text):
    """(type, [(name, array sizes)]) of a declaration without its semicolon: `double a, b[4]`, `const char *name`."""
    first, *others = text.split(",")
    match = re.fullmatch(r"\s*(.*?)(\**)\s*(\w+)\s*((?:\[\w+\])*)\s*", first, re.S)
    base, stars, name, sizes = match.groups()
    result = [(base + stars, name, re.findall(r"\[(\w+)\]", sizes))]
    for other in others:
        match = re.fullmatch(r"\s*(\**)\s*(\w+)\s*((?:\[\w+\])*)\s*", other)
        result.append((base + match[1], match[2], re.findall(r"\[(\w+)\]", match[3])))
    return result


def python_type(types, kind, sizes):
    """The type of a field of a record; None where it is a pointer that a caller has to look behind."""
    name = " ".join(re.sub(r"\bconst\b|\*", " ", kind).split())
    stars = kind.count("*")
    if name == "char" and stars == 1:
        text = "str"
    elif stars or name in types.opaque or name in types.callbacks:
        return None
    elif name == "rw_field_value":
        text = "complex"
    elif name in types.structs:
        text = record_name(name)
    else:
        text = "float" if name in ("float", "double") else "int"
    for _ in sizes:
        text = f"tuple[{text}, ...]"
    return text


def record_name(struct):
    return "".join(word.capitalize() for word in struct.removeprefix("rw_").split("_"))


def write_record(types, name, body, comments, out):
    """A dataclass of a struct's values."""
    lines = []
    for line in filter(str.strip, body.split(";")):
        for kind, field, sizes in declare(line):
            text = python_type(types, kind, sizes)
            if text and field != "size":
                lines.append(f"    {field}: {text}")
    if not lines or name == "rw_field_value":
        return
    about = comments.get(name, record_name(name) + ".").replace("\\", "\\\\")
    out.append(f'\n@dataclass(frozen=True)\nclass {record_name(name)}(Record):\n    """{about}"""\n')
    out.extend(lines)
    out.append(f"    _struct: ClassVar[Any] = _abi.{name}\n")


def write_enum(types, name, body, out):
    value = 0
    if name:
        types.enums.add(name)
    for item in filter(None, (part.strip() for part in body.split(","))):
        key, _, given = (part.strip() for part in item.partition("="))
        value = int(given) if given else value
        out.append(f"{key} = {value}")
        value += 1
    out.append("")


def write_struct(types, name, body, out):
    types.structs.add(name)
    out.append(f"\nclass {name}(C.Structure):")
    out.append("    _fields_ = [")
    for line in filter(str.strip, body.split(";")):
        for kind, field, sizes in declare(line):
            text = types.of(kind)
            for size in reversed(sizes):
                text = f"{text} * {size}" if "*" not in text else f"({text}) * {size}"
            out.append(f'        ("{field}", {text}),')
    out.append("    ]\n")


def argument_types(types, arguments):
    """Of each argument; an array is a pointer to its first value."""
    declared = [declare(part)[0] for part in arguments.split(",")]
    return [types.of(kind + "*" * len(sizes)) for kind, _, sizes in declared]


def write_callback(types, result, name, arguments, out):
    types.callbacks.add(name)
    kinds = argument_types(types, arguments)
    out.append(f"{name} = C.CFUNCTYPE({types.of(result)}, {', '.join(kinds)})\n")


def function_types(types, result, arguments):
    if arguments.strip() == "void":
        return types.of(result), []
    return types.of(result), argument_types(types, arguments)


def document(raw):
    """The comment before each call and struct of the headers."""
    found = {}
    for match in re.finditer(r"/\*((?:(?!\*/).)*)\*/\s*typedef struct (\w+)", raw, re.S):
        found[match[2]] = " ".join(line.strip(" *") for line in match[1].splitlines()).strip()
    for match in re.finditer(r"/\*((?:(?!\*/).)*)\*/\s*RW_API\s[^;(]*?(\w+)\(", raw, re.S):
        found[match[2]] = " ".join(line.strip(" *") for line in match[1].splitlines()).strip()
    return found


def make(include):
    text, raw = preprocess(include), raw_text(include)
    types, out, records, functions = Types(), [], [], []
    texts = document(raw)
    for name, value in CONSTANTS.items():
        out.append(f"{name} = {value}")
    version = {name: int(value) for name, value in re.findall(r"#define RW_VERSION_(\w+) (\d+)\n", version_text(include))}
    # As cmake/version.cmake names it: before 1.0 the minor version is part of the name.
    major, minor = version["MAJOR"], version["MINOR"]
    out.append(f'FILE_NAME = "librasterwave.so.{major}"' if major else f'FILE_NAME = "librasterwave.so.0.{minor}"')
    for match in re.finditer(r"^#define (RW_\w+_MAX) (\d+)$", raw, re.M):
        out.append(f"{match[1]} = {match[2]}")
    out.append("")
    pattern = re.compile(
        r"typedef enum \w+ \{(?P<enum>[^}]*)\} (?P<enum_name>\w+);"
        r"|enum \{(?P<plain>[^}]*)\};"
        r"|typedef struct \w+ \{(?P<struct>[^}]*)\} (?P<struct_name>\w+);"
        r"|typedef struct (?P<opaque>\w+) \w+;"
        r"|typedef (?P<result>\w+) \(\*(?P<callback>\w+)\)\((?P<callback_arguments>[^)]*)\);"
        r"|(?P<kind>[\w ]+?[ *]+)(?P<function>rw_\w+)\((?P<arguments>[^)]*)\);"
    )
    for match in pattern.finditer(text):
        if match["enum_name"] or match["plain"]:
            write_enum(types, match["enum_name"], match["enum"] or match["plain"], out)
        elif match["struct_name"]:
            write_struct(types, match["struct_name"], match["struct"], out)
            write_record(types, match["struct_name"], match["struct"], texts, records)
        elif match["opaque"]:
            types.opaque.add(match["opaque"])
        elif match["callback"]:
            write_callback(types, match["result"], match["callback"], match["callback_arguments"], out)
        else:
            functions.append((match["function"], *function_types(types, match["kind"], match["arguments"])))
    declared = set(re.findall(r"^RW_API[^;(#]*?(rw_\w+)\(", raw, re.M))
    missing = declared - {name for name, _, _ in functions}
    if missing:
        sys.exit(f"make_abi: not understood: {', '.join(sorted(missing))}")
    out.append("\n# name: (result, arguments, what it does)\nFUNCTIONS = {")
    for name, result, arguments in functions:
        out.append(f'    "{name}": ({result}, [{", ".join(arguments)}], {texts.get(name, "")!r}),')
    out.append("}")
    records.append("\nRECORDS: dict[Any, Type[Record]] = {record._struct: record for record in Record.__subclasses__()}")
    return HEAD + "\n".join(out) + "\n", RECORDS_HEAD + "\n".join(records) + "\n"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[2])
    for name, text in zip(("_abi.py", "_records.py"), make(pathlib.Path(sys.argv[1]))):
        (folder / name).write_text(text)


if __name__ == "__main__":
    main()

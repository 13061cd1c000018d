#!/usr/bin/env python3
"""Writes python/rasterwave/option_types.py from the option tables of the library: one TypedDict for each model, and one for all.

The file is in the tree, since a build for another machine cannot run its library; a test compares it with the tables.
Usage: make_option_types.py [--check], with rasterwave importable; exit status 1 where the file differs
"""

from __future__ import annotations

import pathlib
import sys
from typing import Any

import rasterwave as rw
from rasterwave import _abi

TARGET = pathlib.Path(__file__).parents[1] / "rasterwave/option_types.py"

HEAD = '''"""Options of predictions as types, for editors and type checkers: one TypedDict for each model. Made by
tools/make_option_types.py from the option tables of the library: do not edit."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal, Sequence, TypedDict, Union

if TYPE_CHECKING:
    from ._predict import Database
    from ._sites import Params

Number = Union[float, str]  # in SI units, or with a unit: "2.4GHz"
Path = Union[str, "os.PathLike[str]"]
'''

TYPES = {
    _abi.RW_OPTION_INTEGER: "Union[int, str]",
    _abi.RW_OPTION_QUANTITY: "Number",
    _abi.RW_OPTION_STRING: "str",
    _abi.RW_OPTION_LIST: "Union[str, Sequence[str]]",
    _abi.RW_OPTION_FILE: "Path",
    _abi.RW_OPTION_AREA: "Union[str, Sequence[float]]",
    _abi.RW_OPTION_PLANE: "Any",
    _abi.RW_OPTION_BINS: "Union[str, Sequence[float]]",
    _abi.RW_OPTION_DATABASE: "Database",
    _abi.RW_OPTION_PARAMS: "Union[Params, Path]",
    _abi.RW_OPTION_STORED_FILE: "Path",
}
SPECIAL = {"freq": "Union[Number, Sequence[Number]]"}  # a list: one band for each


def type_of(info: Any) -> str:
    """The type of an option's value; None leaves it unset."""
    if info.type == _abi.RW_OPTION_CHOICE:
        kind = f"Literal[{', '.join(repr(word).replace(chr(39), chr(34)) for word in info.choices.split(','))}]"
    else:
        kind = TYPES[info.type]
    return SPECIAL.get(info.name, kind)


def class_of(title: str, summary: str, fields: dict[str, str]) -> str:
    lines = [f"class {title}(TypedDict, total=False):", f'    """{summary}"""', ""]
    return "\n".join(lines + [f"    {name}: {kind}" for name, kind in sorted(fields.items())])


def merge(kinds: set[str]) -> str:
    """One type for an option that models declare with different choices."""
    if len(kinds) == 1:
        return next(iter(kinds))
    if all(kind.startswith("Literal[") for kind in kinds):
        words = sorted({word for kind in kinds for word in kind[len("Literal[") : -1].split(", ")})
        return f"Literal[{', '.join(words)}]"
    return f"Union[{', '.join(sorted(kinds))}]"


def make() -> str:
    models = {model: {name: type_of(info) for name, info in rw.model_options(model).items()} for model in rw.models()}
    shared: dict[str, set[str]] = {}
    for fields in models.values():
        for name, kind in fields.items():
            shared.setdefault(name, set()).add(kind)
    parts = [class_of(f"{model.capitalize()}Options", f"Options of the model {model}.", fields) for model, fields in models.items()]
    parts.append(class_of("AnyOptions", "Options of all models.", {name: merge(kinds) for name, kinds in shared.items()}))
    return HEAD + "\n\n" + "\n\n\n".join(parts) + "\n"


def main() -> int:
    text = make()
    if sys.argv[1:] == ["--check"]:
        return 0 if TARGET.read_text() == text else 1
    TARGET.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())

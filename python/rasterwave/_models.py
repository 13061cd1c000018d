"""Models, their layers and options, as the library lists them; options of a prediction from keyword arguments."""

from __future__ import annotations

import ctypes as C
import os
from functools import lru_cache
from typing import Any, Iterable, Mapping

import numpy as np

from . import _abi
from ._context import Context, Owned
from ._library import BadCallError, decode, encode, lib, new, options
from ._records import ModelOptionInfo, PredictOptions, Preset
from ._sites import Params, Transmitter, as_array, as_list


def models() -> list[str]:
    """Names of all models."""
    return [decode(lib.rw_model_name(index)) for index in range(lib.rw_model_count())]


def model_title(model: str) -> str:
    """What a model is for, in a few words."""
    return decode(lib.rw_model_title(_index(model)))


@lru_cache(maxsize=None)
def presets() -> dict[str, Preset]:
    """Radio systems by the names that the option preset takes, each with frequency, powers, noise and sensitivity."""
    found = {}
    for index in range(lib.rw_preset_count()):
        made = new(_abi.rw_preset)
        lib.rw_preset_get(index, C.byref(made))
        found[decode(made.name)] = Preset.of(made)
    return found


def preset(name: str, context: Context | None = None) -> Preset:
    """One of them."""
    made = new(_abi.rw_preset)
    context = context or Context()
    context.check(lib.rw_preset_find(context._handle, encode(name), C.byref(made)))
    return Preset.of(made)


def sensitivity_dbm(model: str = "shadow", context: Context | None = None, **given: Any) -> float:
    """Least received power of the lowest data rate, by bandwidth, noise_figure, throughput or a preset."""
    context, power = context or Context(), C.c_double()
    strings = [encode(model)]  # the options point to them
    asked = options(_abi.rw_predict_options, "rw_predict_options_init_for_sized", strings[0])
    for name, value in given.items():
        strings.append(encode(str(value)))
        name = name.replace("_", "-")
        context.check(lib.rw_predict_options_set(context._handle, C.byref(asked), encode(name), strings[-1]))
    context.check(lib.rw_predict_sensitivity(context._handle, C.byref(asked), C.byref(power)))
    return power.value


def _index(model: str) -> int:
    names = models()
    if model not in names:
        raise BadCallError(f"there is no model {model!r}; there are {', '.join(names)}")
    return names.index(model)


def layers(model: str) -> list[str]:
    """All layers that a model can give."""
    return decode(lib.rw_model_layers(_index(model))).split(",")


def default_layers(model: str) -> list[str]:
    """Its layers where none is asked for."""
    return decode(lib.rw_model_default_layers(_index(model))).split(",")


def model_options(model: str) -> dict[str, ModelOptionInfo]:
    """Options of a model by the names that predict takes, each with range, unit, default and a sentence."""
    return dict(_known(model))


@lru_cache(maxsize=None)  # constants of the library, which every prediction asks for
def _known(model: str) -> dict[str, ModelOptionInfo]:
    _index(model)
    found = {}
    for index in range(lib.rw_model_option_count(encode(model))):
        made = new(_abi.rw_model_option_info)
        lib.rw_model_option_get(encode(model), index, C.byref(made))
        found[decode(made.name).replace("-", "_")] = ModelOptionInfo.of(made)
    return found


def help(model: str) -> str:
    """The options of a model as a text."""
    lines = [f"{model}: layers {', '.join(layers(model))}"]
    for name, info in model_options(model).items():
        unit = f" {info.unit}" if info.unit else ""
        choices = f" ({info.choices})" if info.choices else ""
        lines.append(f"  {name}{choices}: {info.help}; {info.default_text or 'unset'}{unit}")
    return "\n".join(lines)


def _text(value: Any) -> str:
    """A value as on the command line; numbers without unit are in SI units."""
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, (bool, np.bool_)):
        return "1" if value else "0"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, Iterable):
        return ",".join(_text(item) for item in value)
    raise BadCallError(f"{value!r} is no value of an option")


def _plane_text(value: Any) -> str:
    corner = np.asarray(value, dtype=float).reshape(3, 3)
    return ":".join(",".join(repr(float(x)) for x in row) for row in corner)


def complete_options(model: str, **given: Any) -> dict[str, Any]:
    """All options of a prediction as numbers and texts, those that are not given at the model's values.

    Options whose value the model chooses by the scene are None.
    """
    context = Context()
    asked = Prediction(context, Transmitter(), model, given)
    context.check(lib.rw_predict_options_complete(context._handle, C.byref(asked.struct)))
    found: dict[str, Any] = {}
    for field in PredictOptions.__annotations__:
        if field.startswith("_") or field in ("model", "transmitter_count"):
            continue
        value = getattr(asked.struct, field)
        values = list(value) if isinstance(value, C.Array) else [value]
        unset = value is None or value == _abi.RW_UNSET or all(isinstance(x, float) and np.isnan(x) for x in values)
        found[field] = None if unset else decode(value) if isinstance(value, bytes) else value
    return found


class Prediction:
    """rw_predict_options from keyword arguments; keeps alive what they point to."""

    def __init__(
        self,
        context: Context,
        transmitters: Transmitter | Iterable[Transmitter],
        model: str,
        given: Mapping[str, Any],
    ) -> None:
        if isinstance(given.get("freq"), (list, tuple, np.ndarray)):
            transmitters = _each_frequency(context, transmitters, given["freq"])
            given = {name: value for name, value in given.items() if name != "freq"}
        # Most calls differ in their transmitters alone: options of plain values are kept.
        key = plain_key(given)
        chosen = _Options(context, model, given) if key is None else _plain_options(model, key)
        self._chosen = chosen
        self.struct: Any = _abi.rw_predict_options.from_buffer_copy(chosen.struct)
        self.transmitters = as_array(transmitters)
        self.struct.transmitters, self.struct.transmitter_count = self.transmitters, len(self.transmitters)


def _each_frequency(context: Context, transmitters: Any, frequencies: Any) -> list[Transmitter]:
    """All transmitters at the first frequency, then at the second, and so on: bands of one call."""
    values = [context.parse(each, "frequency_hz") if isinstance(each, str) else float(each) for each in frequencies]
    if not values:
        raise BadCallError("freq is an empty list: give at least one frequency")
    given = as_list(transmitters)
    return [each.moved(freq_hz=hertz, name=f"{each.name} {hertz / 1e6:g} MHz".strip()) for hertz in values for each in given]


_PLAIN = (str, bool, int, float, type(None))


def plain_key(given: Mapping[str, Any]) -> tuple[tuple[str, Any, Any], ...] | None:
    """Options as a key of what is kept for them; None where they are not plain values."""
    if "params" in given or not all(isinstance(value, _PLAIN) for value in given.values()):
        return None
    # The type too: 1, 1.0 and True are equal, and not the same texts.
    return tuple((name, type(value), value) for name, value in given.items())


class _Options:
    """Options without transmitters; keeps alive what they point to."""

    def __init__(self, context: Context, model: str, given: Mapping[str, Any]) -> None:
        known = _known(model)
        self.struct = options(_abi.rw_predict_options, "rw_predict_options_init_for_sized", encode(model))
        self._kept: list[Any] = [encode(model)]
        self.struct.model = self._kept[0]
        for name, value in given.items():
            if value is None:
                continue
            if name not in known:
                raise BadCallError(f"model {model} has no option {name!r}; it has {', '.join(known)}")
            self._set(context, name, known[name], value)

    def _set(self, context: Context, name: str, info: ModelOptionInfo, value: Any) -> None:
        if info.type in (_abi.RW_OPTION_DATABASE, _abi.RW_OPTION_PARAMS):
            if info.type == _abi.RW_OPTION_PARAMS and not isinstance(value, Params):
                value = Params.load(value, context)
            if not isinstance(value, Owned):
                raise BadCallError(f"{name} is a Database, not {value!r}: Database(scene, path) loads one")
            self._kept.append(value)
            setattr(self.struct, name, value._handle)
            return
        is_plane = info.type == _abi.RW_OPTION_PLANE and not isinstance(value, str)
        text = encode(_plane_text(value) if is_plane else _text(value))
        self._kept.append(text)
        context.check(
            lib.rw_predict_options_set(context._handle, C.byref(self.struct), encode(name.replace("_", "-")), text)
        )


@lru_cache(maxsize=64)
def _plain_options(model: str, given: tuple[tuple[str, Any, Any], ...]) -> _Options:
    return _Options(Context(backend="cpu", threads=1), model, {name: value for name, _, value in given})

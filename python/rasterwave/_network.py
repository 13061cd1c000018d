"""Networks of many sites over a region: in parts that any number of processes share, then put together."""

from __future__ import annotations

import ctypes as C
import os
from typing import Any, Iterable

from . import _abi
from ._context import Context
from ._library import BadCallError, encode, lib, new, options
from ._models import Prediction
from ._records import NetworkReport
from ._scene import Scene
from ._sites import Transmitter

_OWN = ("layers", "level_dbm", "block", "group", "shard", "shards", "wait", "stale_s", "per_site", "centi_db", "skip_bad")


def _options(folder: str | os.PathLike[str], given: dict[str, Any]) -> tuple[Any, list[Any]]:
    asked = options(_abi.rw_network_options, "rw_network_options_init_sized")
    kept: list[Any] = [encode(folder)]
    asked.folder = kept[0]
    for name in [name for name in given if name in _OWN]:
        value = given.pop(name)
        if name == "layers":
            kept.append(encode(value if isinstance(value, str) else ",".join(value)))
            value = kept[-1]
        setattr(asked, name, value)
    return asked, kept


def _call(
    name: str,
    scene: Scene,
    transmitters: Transmitter | Iterable[Transmitter],
    folder: str | os.PathLike[str],
    model: str,
    given: dict[str, Any],
) -> NetworkReport:
    asked, kept = _options(folder, given)
    prediction = Prediction(scene.context, transmitters, model, given)
    report = new(_abi.rw_network_report)
    call = getattr(lib, name)
    status = call(scene.context._handle, scene._handle, C.byref(prediction.struct), C.byref(asked), C.byref(report))
    scene.context.check(status)
    del kept
    return NetworkReport.of(report)


def network(
    scene: Scene,
    transmitters: Transmitter | Iterable[Transmitter],
    folder: str | os.PathLike[str],
    model: str = "shadow",
    **given: Any,
) -> NetworkReport:
    """Computes the parts of a network that are not there yet, of the share shard of shards (from 1).

    Options beside those of predict: layers, level_dbm, block, group, shard, shards, wait, stale_s, per_site, centi_db
    and skip_bad. merge_network then makes the rasters.
    """
    return _call("rw_network_run", scene, transmitters, folder, model, given)


def network_estimate(
    scene: Scene,
    transmitters: Transmitter | Iterable[Transmitter],
    folder: str | os.PathLike[str],
    model: str = "shadow",
    **given: Any,
) -> NetworkReport:
    """How network would cut the work, without computing anything."""
    return _call("rw_network_estimate", scene, transmitters, folder, model, given)


def merge_network(
    folder: str | os.PathLike[str], context: Context | None = None, **given: Any
) -> NetworkReport:
    """Puts the parts in a folder together: LAYER.tif, or LAYER.vrt over blocks. Options are layers and centi_db."""
    context = context or Context()
    asked, kept = _options(folder, given)
    if given:
        raise BadCallError(f"merge_network has no option {next(iter(given))!r}")
    report = new(_abi.rw_network_report)
    context.check(lib.rw_network_merge(context._handle, C.byref(asked), C.byref(report)))
    del kept
    return NetworkReport.of(report)

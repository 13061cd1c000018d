"""Networks of many sites over a region: in parts that any number of processes share, then put together."""

from __future__ import annotations

import ctypes as C
import os
from typing import Any, Iterable

from . import _abi
from ._context import Context
from ._library import BadCallError, encode, lib, new, options
from ._map import Map
from ._models import Prediction
from ._records import NetworkReport
from ._scene import Scene
from ._sites import Transmitter

_OWN = ("layers", "level_dbm", "block", "group", "shard", "shards", "per_site", "centi_db", "skip_bad", "margin_m", "region_roof_m")
_PROBE_M = 1.0  # round the middle of the area, to see the coordinate system of a file


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


class _Blocks:
    """A file of a scene that is read block by block. The library frees the scenes that it is given."""

    def __init__(
        self, path: str | os.PathLike[str], area: Any, context: Context, asked: Any, load: dict[str, Any] | None = None
    ) -> None:
        options = load or {}
        if area is None:
            raise BadCallError("a scene that is read by blocks needs area: west, south, east, north of the region")
        west, south, east, north = area
        x, y = (west + east) / 2, (south + north) / 2
        self.probe = Scene.load(path, area=(x - _PROBE_M, y - _PROBE_M, x + _PROBE_M, y + _PROBE_M), context=context, **options)
        self.crs = encode(self.probe.crs)
        self.raised: list[BaseException] = []

        def load_area(_user: Any, area_m: Any, scene: Any) -> int:
            try:
                made = Scene.load(path, area=(area_m[0], area_m[1], area_m[2], area_m[3]), context=context, **options)
                made._end.detach()
                scene[0] = made._handle
                return int(_abi.RW_OK)
            except BaseException as error:  # nothing may pass through C
                self.raised.append(error)
                return int(_abi.RW_BAD_INPUT)

        self.load = _abi.rw_network_scene_fn(load_area)
        asked.load, asked.crs = self.load, self.crs


def _call(
    name: str,
    scene: Scene | str | os.PathLike[str],
    transmitters: Transmitter | Iterable[Transmitter],
    folder: str | os.PathLike[str],
    model: str,
    given: dict[str, Any],
    *outputs: Any,
) -> tuple[Context, str]:
    """One of the calls for networks; the context in which it was made, and the coordinate system of the scene."""
    asked, kept = _options(folder, given)
    load = given.pop("load", None)
    context = scene.context if isinstance(scene, Scene) else given.pop("context", None) or Context()
    blocks = None if isinstance(scene, Scene) else _Blocks(scene, given.get("area"), context, asked, load)
    prediction = Prediction(context, transmitters, model, given)
    probe = scene if isinstance(scene, Scene) else blocks.probe if blocks else None
    handle = probe._handle if probe else None
    status = getattr(lib, name)(context._handle, handle, C.byref(prediction.struct), C.byref(asked), *outputs)
    if blocks is not None and blocks.raised:
        raise blocks.raised[0]
    context.check(status)
    del kept
    return context, probe.crs if probe else ""


def _report(name: str, *arguments: Any) -> NetworkReport:
    report = new(_abi.rw_network_report)
    _call(name, *arguments, C.byref(report))
    return NetworkReport.of(report)


def network_block(
    scene: Scene | str | os.PathLike[str],
    transmitters: Transmitter | Iterable[Transmitter],
    number: int,
    model: str = "shadow",
    **given: Any,
) -> Map:
    """One block of a network in memory, of all sites: the values that network and merge_network give.

    Blocks are numbered row by row from the south-west corner. Options are those of network; block is the side of one in cells.
    """
    handle = C.c_void_p()
    context, crs = _call("rw_network_block", scene, transmitters, "", model, given, number, C.byref(handle))
    return Map._of(context, handle, crs=crs)


def network_region_roof(
    scene: Scene | str | os.PathLike[str],
    transmitters: Transmitter | Iterable[Transmitter],
    model: str = "shadow",
    **given: Any,
) -> float:
    """The mean height of roofs of a region that is read block by block (region_roof_m of network_block): one pass over it."""
    mean = C.c_double()
    _call("rw_network_region_roof", scene, transmitters, "", model, given, C.byref(mean))
    return mean.value


def network(
    scene: Scene | str | os.PathLike[str],
    transmitters: Transmitter | Iterable[Transmitter],
    folder: str | os.PathLike[str],
    model: str = "shadow",
    **given: Any,
) -> NetworkReport:
    """Computes the parts of a network that are not there yet, of one shard of shards (from 1).

    scene: also the path of a GIS vector file in metres, which is read block by block; area is needed then, and context
    may be given. Options beside those of predict: layers, level_dbm, block, group, shard, shards, per_site,
    centi_db, skip_bad and, of a file, margin_m. merge_network then makes the rasters.
    """
    return _report("rw_network_run", scene, transmitters, folder, model, given)


def network_estimate(
    scene: Scene | str | os.PathLike[str],
    transmitters: Transmitter | Iterable[Transmitter],
    folder: str | os.PathLike[str],
    model: str = "shadow",
    **given: Any,
) -> NetworkReport:
    """How network would cut the work, without computing anything."""
    return _report("rw_network_estimate", scene, transmitters, folder, model, given)


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

"""Networks and training sets on Dask clusters: lazy arrays, one task for each block or batch (pip install rasterwave[dask]).

A task is a pure function of a scene, transmitters, options and a number: retries, spilling, priorities and adaptive scaling are
Dask's. Each worker opens the files of a scene once and caches the scene. Values are those of network, merge_network and predict,
to the byte, whatever the number of workers, unless workers have other backends or instruction sets.
"""

from __future__ import annotations

import math
import os
import threading
from typing import Any, Iterable, Sequence

import numpy as np

from ._context import Context
from ._library import BadCallError, BadInputError
from ._network import network_block, network_estimate, network_region_roof
from ._predict import predict, prediction_identity
from ._scene import Scene
from ._sites import Transmitter, as_list, load_sites

_BLOCK_MAX = 2048  # cells on a side, as of the command line
_BLOCK_MIN = 64
_CELL_BYTES = 64  # of a task besides sums: path loss, receivers, layers, and their copy on the way
_MEMORY_FRACTION = 0.25  # of what a worker has for each thread: the rest is for the scene, the model and Dask
_SCENES_MAX = 2  # cached in a worker

_lock = threading.Lock()
_scenes: dict[Any, Scene] = {}


def _import_dask() -> tuple[Any, Any, Any]:
    try:
        import dask
        import dask.array
        import xarray
    except ImportError as error:
        raise ImportError(f"{error.name} is missing: pip install rasterwave[dask]") from None
    return dask, dask.array, xarray


class _File:
    """A scene by its path: what a task carries of it, and the identity that each worker must find there."""

    def __init__(self, path: str | os.PathLike[str], load: dict[str, Any], area: Sequence[float] | None) -> None:
        self.path, self.load, self.area = os.path.abspath(os.fspath(path)), load, area
        self.identity: str | None = None

    @property
    def by_blocks(self) -> bool:
        return self.area is not None

    def scene(self) -> Scene:
        """The scene of this process, opened once; of a scene that is read block by block its middle."""
        key = self.path, repr(sorted(self.load.items())), self.area, self.identity
        with _lock:
            scene = _scenes.get(key)
            if scene is not None:
                return scene
            if self.area is None:
                scene = Scene.load(self.path, context=Context(threads=1), **self.load)
            else:
                scene = _middle(self.path, self.area, self.load)
            found = prediction_identity(scene, Transmitter())
            if self.identity is None:
                self.identity = found
            if found != self.identity:
                raise BadInputError(
                    f"{self.path} on this worker has another content than for the call, or the worker has another version, "
                    "backend or instruction set (RASTERWAVE_ISA=baseline in the environment of all makes the last equal)"
                )
            while len(_scenes) >= _SCENES_MAX:
                _scenes.pop(next(iter(_scenes)))
            _scenes[(*key[:3], self.identity)] = scene
            return scene

    def open(self) -> Scene | str:
        scene = self.scene()
        return self.path if self.by_blocks else scene


def _middle(path: str, area: Sequence[float], load: dict[str, Any]) -> Scene:
    x, y = (area[0] + area[2]) / 2, (area[1] + area[3]) / 2
    return Scene.load(path, area=(x - 1, y - 1, x + 1, y + 1), context=Context(threads=1), **load)


def _resolve_scene(scene: Any, load: dict[str, Any] | None, area: Sequence[float] | None) -> tuple[Any, str, Any]:
    """The scene for this process, its coordinate system, and the scene for tasks. area: of one that is read block by block."""
    if isinstance(scene, Scene):
        if load or area is not None:
            raise BadCallError("load and by_blocks are of a scene by its path")
        return scene, scene.crs, scene
    file = _File(scene, load or {}, None if area is None else tuple(area))
    return file.open(), file.scene().crs, file


def _resolve_sites(sites: Any) -> list[Transmitter]:
    return load_sites(sites) if isinstance(sites, (str, os.PathLike)) else as_list(sites)


def _opened(scene: Any) -> Any:
    return scene.open() if isinstance(scene, _File) else scene


def _by_blocks_options(scene: Any, options: dict[str, Any]) -> dict[str, Any]:
    if isinstance(scene, _File) and scene.by_blocks:
        return {**options, "load": scene.load, "context": Context(threads=1)}
    return options


def _solve_roof(scene: Any, sites: list[Transmitter], model: str, options: dict[str, Any]) -> float:
    return network_region_roof(_opened(scene), sites, model, **_by_blocks_options(scene, options))


def _solve_block(
    scene: Any, sites: list[Transmitter], model: str, options: dict[str, Any], roof_m: float, names: Sequence[str], block: int
) -> Any:
    more = {"region_roof_m": roof_m} if roof_m else {}
    made = network_block(_opened(scene), sites, block, model, layers=list(names), **_by_blocks_options(scene, options), **more)
    return np.stack([np.asarray(made[name][0]) for name in names])


def _solve_batch(
    scene: Any, transmitters: list[Transmitter], model: str, options: dict[str, Any], names: Sequence[str]
) -> Any:
    made = predict(_opened(scene), transmitters, model, layers=list(names), **options)
    return np.stack([np.asarray(made[name]) for name in names])


def _worker_bytes(client: Any) -> float | None:
    """Memory of the smallest worker for each of its threads; None: not known."""
    if client is None:
        return None
    workers = client.scheduler_info()["workers"].values()
    return min((worker["memory_limit"] / worker["nthreads"] for worker in workers if worker["memory_limit"]), default=None)


def _choose_block(report: Any, memory: float | None) -> int:
    """As many cells as a part of a worker's memory holds: sums of all channels, and the layers."""
    if memory is None:
        return _BLOCK_MAX
    cells = min(report.block, report.columns) * min(report.block, report.rows)
    side = math.isqrt(int(memory * _MEMORY_FRACTION / (report.bytes / cells + _CELL_BYTES)))
    return max(_BLOCK_MIN, min(_BLOCK_MAX, side // _BLOCK_MIN * _BLOCK_MIN))


def _dataset(xarray: Any, arrays: dict[str, Any], coords: dict[str, Any], crs: str, attrs: dict[str, Any]) -> Any:
    """Arrays with coordinates and coordinate system, as the CF conventions and rioxarray have it."""
    dataset = xarray.Dataset(arrays, coords=coords, attrs={"crs": crs, **attrs})
    if crs:
        dataset = dataset.assign_coords(spatial_ref=xarray.DataArray(0, attrs={"crs_wkt": crs, "spatial_ref": crs}))
        for layer in dataset.data_vars.values():
            layer.attrs["grid_mapping"] = "spatial_ref"
    for axis in ("x", "y"):
        dataset[axis].attrs["units"] = "m"
    return dataset


def network(
    scene: Scene | str | os.PathLike[str],
    sites: Any,
    client: Any = None,
    *,
    model: str = "shadow",
    layers: Iterable[str] = ("best", "strongest", "sinr"),
    block: int | None = None,
    by_blocks: bool = False,
    load: dict[str, Any] | None = None,
    **options: Any,
) -> Any:
    """A network as an xarray.Dataset of lazy Dask arrays, one chunk for each block of cells.

    scene: a path that all workers can read, opened once per worker, or a Scene, which travels to them. by_blocks: each block
    reads its part of the file (needs area), for regions larger than memory. load: options of Scene.load, such as terrain.
    sites: transmitters, or the path of a table. client: of distributed; blocks are sized from the memory of its workers.
    block: their side in cells. Other options are those of rasterwave.network. Rows begin in the south.
    """
    dask, array, xarray = _import_dask()
    names = [layers] if isinstance(layers, str) else list(layers)
    if by_blocks and "area" not in options:
        raise BadCallError("by_blocks needs area: west, south, east, north of the region")
    here, crs, travels = _resolve_scene(scene, load, options["area"] if by_blocks else None)
    transmitters = _resolve_sites(sites)
    more = {"load": load or {}} if by_blocks else {}
    report = network_estimate(here, transmitters, "", model, **options, **more)
    side = block or _choose_block(report, _worker_bytes(client))
    given = {**options, "block": side}
    shared = dask.delayed(travels, pure=True) if isinstance(travels, Scene) else travels
    placed = dask.delayed(transmitters, pure=True, traverse=False)
    roof: Any = dask.delayed(_solve_roof, pure=True)(shared, placed, model, given) if by_blocks else 0.0
    solve = dask.delayed(_solve_block, pure=True)
    across, up = math.ceil(report.columns / side), math.ceil(report.rows / side)
    rows = []
    for row in range(up):
        height = min(side, report.rows - row * side)
        line = []
        for column in range(across):
            width = min(side, report.columns - column * side)
            task = solve(shared, placed, model, given, roof, names, row * across + column)
            line.append(array.from_delayed(task, (len(names), height, width), np.float32))
        rows.append(line)
    values = array.block(rows)
    coords = {
        "x": report.x0_m + report.res_m * (np.arange(report.columns) + 0.5),
        "y": report.y0_m + report.res_m * (np.arange(report.rows) + 0.5),
    }
    arrays = {name: (("y", "x"), values[index], {"long_name": name.replace("_", " ")}) for index, name in enumerate(names)}
    return _dataset(xarray, arrays, coords, crs, {"model": model})


def maps(
    scene: Scene | str | os.PathLike[str],
    transmitters: Any,
    client: Any = None,
    *,
    model: str = "shadow",
    layers: Iterable[str] = ("path_loss",),
    batch: int = 16,
    load: dict[str, Any] | None = None,
    **options: Any,
) -> Any:
    """Radio maps of many transmitters, as for training: an xarray.Dataset of lazy arrays [transmitter, y, x], one chunk for
    each batch of maps; to_zarr writes them. Only layers with one map per transmitter. Arguments are those of network."""
    dask, array, xarray = _import_dask()
    names = [layers] if isinstance(layers, str) else list(layers)
    here, crs, travels = _resolve_scene(scene, load, None)
    placed = _resolve_sites(transmitters)
    if not placed:
        raise BadCallError("there is no transmitter")
    report = network_estimate(here, placed[:1], "", model, **{key: value for key, value in options.items() if key != "layers"})
    shared = dask.delayed(travels, pure=True) if isinstance(travels, Scene) else travels
    solve = dask.delayed(_solve_batch, pure=True)
    parts = []
    for first in range(0, len(placed), batch):
        some = placed[first : first + batch]
        task = solve(shared, dask.delayed(some, pure=True, traverse=False), model, options, names)
        parts.append(array.from_delayed(task, (len(names), len(some), report.rows, report.columns), np.float32))
    values = array.concatenate(parts, axis=1)
    coords = {
        "transmitter": np.arange(len(placed)),
        "x": report.x0_m + report.res_m * (np.arange(report.columns) + 0.5),
        "y": report.y0_m + report.res_m * (np.arange(report.rows) + 0.5),
        "tx_x": ("transmitter", np.array([each.x_m for each in placed])),
        "tx_y": ("transmitter", np.array([each.y_m for each in placed])),
        "tx_height": ("transmitter", np.array([each.height_m for each in placed])),
    }
    arrays = {
        name: (("transmitter", "y", "x"), values[index], {"long_name": name.replace("_", " ")})
        for index, name in enumerate(names)
    }
    return _dataset(xarray, arrays, coords, crs, {"model": model})

"""Link budgets: how the values of a map are composed at points."""

from __future__ import annotations

import ctypes as C
import json
from dataclasses import dataclass
from typing import Any, Iterable

from ._library import decode, lib
from ._models import Prediction
from ._paths import as_points
from ._scene import Scene
from ._sites import Transmitter


@dataclass(frozen=True)
class BudgetRow:
    """One row: db (of transmitted power dBm), of an arrival its fraction of the power, of an arrival that is a path its
    number in trace of the same transmitters and points, from 0."""

    name: str
    about: str
    db: float
    fraction: float | None = None
    path: int | None = None


@dataclass(frozen=True)
class LinkBudget:
    """How the value of a map is composed at a point. Powers of arrivals add up to arrivals_db, with a row "interference" if
    they add with phase; rows of loss add up to path_loss_db, rows of power to power_dbm. Values are None where the point is
    inside a building or nothing arrives."""

    point: int
    transmitter: int
    name: str
    indoor: bool
    path_loss_db: float | None
    power_dbm: float | None
    arrivals_db: float | None
    median_weight: float
    median_db: float | None
    built_over: float
    dominant: str | None
    arrivals: tuple[BudgetRow, ...]
    loss: tuple[BudgetRow, ...]
    power: tuple[BudgetRow, ...]


def _row(item: dict[str, Any]) -> BudgetRow:
    path = item.get("path")
    value = item["dbm"] if "dbm" in item else item["db"]
    return BudgetRow(item["name"], item["about"], value, item.get("fraction"), None if path is None else path - 1)


def _budget(item: dict[str, Any]) -> LinkBudget:
    rows: dict[str, Any] = {part: tuple(_row(row) for row in item[part]) for part in ("arrivals", "loss", "power")}
    same = (
        "name", "indoor", "path_loss_db", "power_dbm", "arrivals_db", "median_weight", "median_db", "built_over", "dominant",
    )  # fmt: skip
    return LinkBudget(
        point=item["point"] - 1, transmitter=item["transmitter"] - 1, **{name: item[name] for name in same}, **rows
    )


def link_budgets(
    scene: Scene, transmitters: Transmitter | Iterable[Transmitter], points: Any, model: str = "shadow", **given: Any
) -> list[LinkBudget]:
    """How the values of predict_points are composed, with the same options: one link budget for each transmitter and
    point, those of one transmitter in the order of the points."""
    array = as_points(points)
    asked, handle, text = Prediction(scene.context, transmitters, model, given), C.c_void_p(), C.c_char_p()
    call = lib.rw_predict_budgets
    scene.context.check(call(scene._handle, C.byref(asked.struct), array, len(array), C.byref(handle)))
    try:
        scene.context.check(lib.rw_budgets_to_json(handle, C.byref(text)))
        found = json.loads(decode(text.value))
    finally:
        lib.rw_free(text)
        lib.rw_budgets_destroy(handle)
    return [_budget(item) for item in found]

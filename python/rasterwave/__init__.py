"""rasterwave: radio propagation in cities and buildings, with arrays.

    import rasterwave as rw

    scene = rw.Scene.city(800, 800)
    mast = rw.Transmitter(x_m=400, y_m=400, height_m=30, power_dbm=43)
    map = rw.predict(scene, mast, freq="2.1GHz", res=5, layers=["path_loss", "power"])
    map["path_loss"]      # float32 [transmitter, row, column], without a copy
    map.to_geotiff("loss.tif")
"""

from . import calc, deepmimo, gradients, rt
from ._context import Context
from ._device import DeviceArray
from ._library import (
    BadCallError,
    BadInputError,
    CancelledError,
    DeviceError,
    Error,
    FileError,
    InternalError,
    NotFoundError,
    OutOfMemoryError,
    RasterwaveWarning,
    TooLargeError,
    UnsupportedError,
)
from ._many import Predictor, predict_many
from ._budgets import BudgetRow, LinkBudget, link_budgets
from ._map import Map, layer_classes, layer_is_combined, layer_order, layer_title, layer_unit, read_delay_profile
from ._measured import Calibration, Evaluation, Measurements, audit_sites, calibrate, evaluate, evaluate_map, site_state_text
from ._models import complete_options, default_layers, help, layers, model_options, model_title, models, preset, presets, sensitivity_dbm
from ._network import merge_network, network, network_block, network_estimate, network_region_roof
from ._paths import INTERACTIONS, Paths, Receiver, load_elements, load_points, load_receivers, trace
from ._plan import Candidate, Plan, load_candidates, plan, plan_estimate
from ._predict import (
    Database,
    TileMap,
    build_features,
    check_transmitter,
    database_info,
    draw_views,
    estimate,
    is_kept_file,
    kept_file,
    kept_rays,
    predict,
    predict_points,
    predict_storeys,
    predict_tiles,
    predict_with_tiles,
    prediction_identity,
    preprocess,
    preprocess_estimate,
    raster_to_crs,
    trace_estimate,
    transform_points,
    version,
    visible_cubes,
    write_beams,
    write_diffraction_sources,
    write_rays,
)
from ._routes import Route, RoutePaths, trace_route
from ._scene import Scene
from ._shapes import draw_shapes
from ._sites import Antenna, Params, Transmitter, Transmitters, load_sites

__version__ = version().split()[0]

__all__ = [
    "Antenna", "BadCallError", "BadInputError", "BudgetRow", "Calibration", "CancelledError", "Candidate", "Context", "Database",
    "DeviceArray", "DeviceError", "Error", "Evaluation", "FileError", "INTERACTIONS", "InternalError", "LinkBudget", "Map", "Measurements",
    "NotFoundError", "OutOfMemoryError", "Params", "Paths", "Plan", "Predictor", "RasterwaveWarning", "Receiver", "Route", "RoutePaths", "Scene", "TileMap",
    "TooLargeError", "Transmitter", "Transmitters", "UnsupportedError", "audit_sites", "build_features", "calc", "calibrate", "check_transmitter", "complete_options", "database_info",
    "deepmimo", "default_layers", "draw_shapes", "draw_views", "estimate", "evaluate", "evaluate_map", "gradients", "help", "is_kept_file", "kept_file", "kept_rays", "layer_classes", "layer_is_combined", "layer_order", "layer_title", "layer_unit", "layers", "link_budgets",
    "load_candidates", "load_elements", "load_points", "load_receivers", "load_sites", "merge_network", "model_options", "model_title", "models", "network", "network_block", "network_estimate", "network_region_roof", "plan", "plan_estimate", "predict", "predict_many", "predict_points", "predict_storeys", "predict_tiles", "predict_with_tiles", "prediction_identity",
    "preprocess", "preprocess_estimate", "preset", "presets", "raster_to_crs", "rt", "read_delay_profile", "sensitivity_dbm", "site_state_text", "trace", "trace_estimate", "trace_route", "transform_points", "version", "visible_cubes",
    "write_beams", "write_diffraction_sources", "write_rays",
]  # fmt: skip

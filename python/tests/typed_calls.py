"""Calls as a type checker sees them: ./check runs mypy --strict on this file, where an ignored error that does not occur is an error.

Nothing here is run.
"""

import rasterwave as rw
from rasterwave.option_types import ImagesOptions

scene = rw.Scene.city(300, 300)
mast = rw.Transmitter(150, 150, 30)
rw.predict(scene, mast, freq="2GHz", res=5, layers=["path_loss", "los"], effects="streets,roofs")
rw.predict(scene, [mast], "tiles", freq=2e9, depth=2, sum="power", tile_shape="triangle")
rw.predict(scene, mast, freq=[8e8, 2.1e9])
rw.trace(scene, mast, [[100, 100, 1.5]], "images", depth=3)
rw.predict_points(scene, mast, [[100, 100, 1.5]], "cubes", res=2.5)
model: str = input()
rw.predict(scene, mast, model, res=2)
common: ImagesOptions = {"depth": 2, "freq": "3.5GHz"}
rw.trace(scene, mast, [[100, 100, 1.5]], "images", **common)

rw.predict(scene, mast, resolution=5)  # type: ignore[call-overload]
rw.predict(scene, mast, "images", tile_aera=25)  # type: ignore[call-overload]
rw.predict(scene, mast, sum="coherent")  # type: ignore[call-overload]
rw.trace(scene, mast, [[100, 100, 1.5]], "image")  # no model, but a string like any other
rw.predict(scene, mast, model, sum="loudest")  # type: ignore[call-overload]

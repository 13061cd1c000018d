"""Pictures of a scene with its devices, paths and a radio map: by the library's renderer, or in the browser by pythreejs."""

from __future__ import annotations

import importlib
import importlib.util
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._library import BadCallError
from .._shapes import draw_shapes
from ._devices import Camera
from ._trace import InteractionType
from ._utils import Array, rotation_matrix, tensor

_SUBSTANCES = {
    "concrete": (0.62, 0.60, 0.57),
    "brick": (0.66, 0.42, 0.34),
    "marble": (0.78, 0.74, 0.66),
    "metal": (0.60, 0.63, 0.70),
    "wood": (0.68, 0.52, 0.34),
    "glass": (0.55, 0.72, 0.78),
    "ground": (0.55, 0.52, 0.44),
    "plasterboard": (0.82, 0.80, 0.74),
    "chipboard": (0.72, 0.60, 0.44),
}
_PLAIN = (0.70, 0.70, 0.70)
_PATHS = {
    InteractionType.NONE: (0.10, 0.10, 0.10),
    InteractionType.SPECULAR: (0.85, 0.10, 0.10),
    InteractionType.DIFFUSE: (0.95, 0.55, 0.05),
    InteractionType.REFRACTION: (0.10, 0.40, 0.85),
    InteractionType.DIFFRACTION: (0.60, 0.10, 0.70),
}
# Colours of levels where matplotlib is not installed: dark violet, blue, green, yellow.
_LEVELS = np.array([(68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37)], float)


@dataclass
class Look:
    """What a picture shows of a radio map and of devices."""

    paths: Any = None
    radio_map: Any = None
    rm_metric: str = "path_gain"
    rm_tx: int | str | None = None
    rm_db_scale: bool = True
    rm_vmin: float | None = None
    rm_vmax: float | None = None
    rm_cmap: Any = None
    show_devices: bool = True
    show_orientations: bool = False
    limits: tuple[float, float] = field(default=(0.0, 1.0), init=False)
    label: str = field(default="", init=False)


@dataclass
class Shapes:
    """Triangles and lines with their colours from 0 to 255; the first shaded triangles are lit."""

    vertices: Array
    triangles: Array
    colours: Array
    shaded: int
    lines: Array
    line_colours: Array


def _rgb(colour: Any) -> Array:
    return np.clip(255 * np.asarray(colour, dtype=float).reshape(-1)[:3], 0, 255).astype(np.uint8)


def _colour_of(material: Any) -> Array:
    if material is not None and material.color is not None:
        return _rgb(material.color)
    name = f"{getattr(material, 'name', '')} {getattr(material, 'itu_type', '')}".lower() if material is not None else ""
    return _rgb(next((colour for word, colour in _SUBSTANCES.items() if word in name), _PLAIN))


def _sphere(steps: int = 8) -> tuple[Array, Array]:
    """Vertices and triangles of a unit sphere."""
    theta, phi = np.meshgrid(np.linspace(0, np.pi, steps + 1), np.arange(2 * steps) * np.pi / steps, indexing="ij")
    vertices = np.stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)], axis=-1).reshape(-1, 3)
    row, column = (part.ravel() for part in np.meshgrid(np.arange(steps), np.arange(2 * steps), indexing="ij"))
    a, b = row * 2 * steps + column, row * 2 * steps + (column + 1) % (2 * steps)
    return vertices, np.concatenate([np.stack([a, b, b + 2 * steps], 1), np.stack([a, b + 2 * steps, a + 2 * steps], 1)])


def _objects(scene: Any) -> list[tuple[Array, Array, Array]]:
    """(vertices, triangles, colour) of everything solid."""
    found = [(item.mi_mesh.vertices, item.mi_mesh.triangles, _colour_of(item.radio_material)) for item in scene.objects.values()]
    engine = scene.engine
    if engine is not None and engine.info.parts + engine.info.panels:
        found += _buildings(engine)
    return found


def _buildings(engine: Any) -> list[tuple[Array, Array, Array]]:
    """Walls and roofs of buildings, and free-standing walls; a roof is that of its outline, without holes."""
    rings, found = engine.geometry.rings, []
    colour = _rgb(_SUBSTANCES["concrete"])
    for part in engine.parts:
        for number in range(part.first_ring, part.first_ring + part.ring_count):
            found.append((*_prism(rings[number], part.bottom_m, part.top_m, number == part.first_ring), colour))
    for panel in engine.panels:
        ends = np.array([[panel.x0_m, panel.y0_m], [panel.x1_m, panel.y1_m]])
        found.append((*_prism(ends, panel.bottom_m, panel.top_m, False), colour))
    return found


def _prism(ring: Array, bottom_m: float, top_m: float, roof: bool) -> tuple[Array, Array]:
    n = len(ring)
    vertices = np.concatenate([np.column_stack([ring, np.full(n, level)]) for level in (bottom_m, top_m)])
    a, b = np.arange(n), (np.arange(n) + 1) % n
    triangles = [np.stack([a, b, b + n], 1), np.stack([a, b + n, a + n], 1)]
    if roof:
        triangles.append(_cut_ears(ring) + n)
    return vertices, np.concatenate(triangles)


def _cut_ears(ring: Array) -> Array:
    """Triangles of a simple polygon, by cutting ears."""

    def turn(a: int, b: int, c: int) -> float:
        (x0, y0), (x1, y1), (x2, y2) = ring[a], ring[b], ring[c]
        return float((x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0))

    left = list(range(len(ring)))
    x, y = ring[:, 0], ring[:, 1]
    if np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)) < 0:
        left.reverse()
    found = []
    while len(left) > 3:
        for k in range(len(left)):
            a, b, c = left[k - 1], left[k], left[(k + 1) % len(left)]
            others = (p for p in left if p not in (a, b, c))
            if turn(a, b, c) > 0 and not any(min(turn(a, b, p), turn(b, c, p), turn(c, a, p)) >= 0 for p in others):
                break
        else:
            k = 0  # an outline that crosses itself: any corner
            a, b, c = left[-1], left[0], left[1]
        found.append((a, b, c))
        left.pop(k)
    return np.array([*found, tuple(left)] if len(left) == 3 else found, np.intp).reshape(-1, 3)


def extent_of(scene: Any) -> tuple[Array, Array]:
    """Smallest and largest x, y, z of what a scene shows."""
    points = [vertices for vertices, _, _ in _objects(scene)]
    points += [np.asarray(device.position)[None, :] for device in (*scene.transmitters.values(), *scene.receivers.values())]
    every = np.concatenate(points) if points else np.array([[-1.0, -1, 0], [1, 1, 1]])
    return every.min(axis=0), every.max(axis=0)


def default_camera(scene: Any, radio_map: Any = None) -> Camera:
    """From the south-east and above, with everything in view."""
    low, high = extent_of(scene)
    if radio_map is not None:
        centres = np.asarray(radio_map.cell_centers).reshape(-1, 3)
        low, high = np.minimum(low, centres.min(axis=0)), np.maximum(high, centres.max(axis=0))
    middle, reach = (low + high) / 2, max(float(np.linalg.norm(high - low)), 1.0)
    return Camera(position=middle + reach * np.array([0.45, -0.8, 0.75]), look_at=middle)


def _device_shapes(scene: Any, look: Look) -> tuple[list[tuple[Array, Array, Array]], list[Array]]:
    """Spheres at devices, and lines along their boresights."""
    low, high = extent_of(scene)
    radius = max(0.006 * float(np.linalg.norm(high - low)), 0.05)
    vertices, triangles = _sphere()
    spheres, lines = [], []
    for device in (*scene.transmitters.values(), *scene.receivers.values()):
        own = float(device.display_radius or radius)
        place = np.asarray(device.position)
        spheres.append((vertices * own + place, triangles, _rgb(device.color)))
        if look.show_orientations:
            ahead = np.asarray(rotation_matrix(device.orientation))[:, 0]
            lines.append(np.concatenate([place, place + 5 * own * ahead]))
    return spheres, lines


def path_lines(paths: Any) -> tuple[Array, Array]:
    """Both ends [n, 6] and colours [n, 3] of the legs of all paths."""
    found = paths._found
    count = len(found)
    legs = found.depth + 1
    first = np.concatenate([[0], np.cumsum(legs + 1)])
    points, owner = np.empty((first[-1], 3)), np.repeat(np.arange(count), legs + 1)
    number = np.arange(first[-1]) - first[owner]
    points[number == 0] = np.asarray(paths.sources)[found.source]
    points[first[1:] - 1] = np.asarray(paths.targets)[found.target]
    inner = (number > 0) & (number < legs[owner])
    points[inner] = found.vertices
    strongest = np.full(count, InteractionType.NONE)
    np.maximum.at(strongest, np.repeat(np.arange(count), found.depth), found.kinds.astype(strongest.dtype))
    begins = np.nonzero(number < legs[owner])[0]
    colours = np.array([_rgb(_PATHS.get(int(kind), _PLAIN)) for kind in strongest], np.uint8).reshape(-1, 3)
    return np.concatenate([points[begins], points[begins + 1]], axis=1), colours[owner[begins]]


def _map_values(look: Look) -> Array:
    """Values of the cells in the scale that is shown; NaN where there is none. Sets the limits of the colours."""
    metric = look.rm_metric
    values = np.asarray(look.radio_map.transmitter_radio_map(metric, look.rm_tx), dtype=float)
    if look.rm_db_scale:
        with np.errstate(divide="ignore"):
            values = 10 * np.log10(values) + (30 if metric == "rss" else 0)
    values = np.where(np.isfinite(values) & (look.rm_db_scale | (values > 0)), values, np.nan)
    shown = values[np.isfinite(values)]
    low = look.rm_vmin if look.rm_vmin is not None else float(shown.min()) if len(shown) else 0.0
    high = look.rm_vmax if look.rm_vmax is not None else float(shown.max()) if len(shown) else 1.0
    look.limits = low, high
    units = {"path_gain": " [dB]", "rss": " [dBm]", "sinr": " [dB]"}
    look.label = metric.replace("_", " ") + (units[metric] if look.rm_db_scale else " [W]" if metric == "rss" else "")
    return values


def _map_colours(values: Array, look: Look) -> Array:
    low, high = look.limits
    share = np.clip((values - low) / (high - low if high > low else 1.0), 0, 1)
    if callable(look.rm_cmap):
        return np.array([_rgb(look.rm_cmap(float(each))) for each in share], np.uint8)
    if importlib.util.find_spec("matplotlib") is not None:
        colours = importlib.import_module("matplotlib").colormaps[look.rm_cmap or "viridis"](share)
        return np.asarray(255 * np.asarray(colours)[:, :3]).astype(np.uint8)
    at = share * (len(_LEVELS) - 1)
    steps = np.arange(len(_LEVELS))
    return np.stack([np.interp(at, steps, _LEVELS[:, k]) for k in range(3)], axis=-1).astype(np.uint8)


def _map_shape(look: Look) -> tuple[Array, Array, Array]:
    """(vertices, triangles, colour of each) of the cells that have a value."""
    values = _map_values(look)
    plane = getattr(look.radio_map, "_plane", None)
    if plane is None:
        mesh = look.radio_map.measurement_surface
        shown = np.isfinite(values)
        return mesh.vertices, mesh.triangles[shown], _map_colours(values[shown], look)
    columns, rows = plane.cells_per_dim
    x, y = np.meshgrid(np.arange(columns + 1) * plane.cell_size[0], np.arange(rows + 1) * plane.cell_size[1])
    own = np.stack([x - plane.size[0] / 2, y - plane.size[1] / 2, np.zeros_like(x)], axis=-1).reshape(-1, 3)
    vertices = own @ np.asarray(rotation_matrix(plane.orientation)).T + np.asarray(plane.center)
    row, column = np.nonzero(np.isfinite(values))
    a, wide = row * (columns + 1) + column, columns + 1
    triangles = np.stack([a, a + 1, a + wide + 1, a, a + wide + 1, a + wide], axis=1).reshape(-1, 3)
    return vertices, triangles, np.repeat(_map_colours(values[row, column], look), 2, axis=0)


def gather_shapes(scene: Any, look: Look) -> Shapes:
    """Everything that a picture shows."""
    solids, lines, line_colours = _objects(scene), [], []
    if look.show_devices:
        spheres, boresights = _device_shapes(scene, look)
        solids += spheres
        lines += boresights
        line_colours += [_rgb((0, 0, 0))] * len(boresights)
    parts = [(vertices, triangles, np.broadcast_to(colour, (len(triangles), 3))) for vertices, triangles, colour in solids]
    shaded = sum(len(triangles) for _, triangles, _ in parts)
    if look.radio_map is not None:
        parts.append(_map_shape(look))
    begin = np.cumsum([0, *(len(vertices) for vertices, _, _ in parts)])
    ends, end_colours = np.array(lines).reshape(-1, 6), np.array(line_colours, np.uint8).reshape(-1, 3)
    if look.paths is not None:
        legs, leg_colours = path_lines(look.paths)
        ends, end_colours = np.concatenate([ends, legs]), np.concatenate([end_colours, leg_colours])
    empty: tuple[Array, Array, Array] = (np.zeros((0, 3)), np.zeros((0, 3), np.uint32), np.zeros((0, 3), np.uint8))
    columns = zip(*([(v, t + first, c) for (v, t, c), first in zip(parts, begin)] or [empty]))
    vertices, triangles, colours = (np.concatenate(column) for column in columns)
    return Shapes(vertices, triangles.astype(np.uint32), colours.astype(np.uint8), shaded, ends, end_colours)


def draw_picture(
    scene: Any,
    camera: Camera,
    look: Look,
    resolution: Any = (655, 500),
    fov: float | None = None,
    clip: Any = None,
    path: Any = None,
) -> Array:
    """Pixels [height, width, 3] of a scene from a camera."""
    width, height = (int(side) for side in np.asarray(resolution).reshape(-1)[:2])
    shapes, turn = gather_shapes(scene, look), np.asarray(rotation_matrix(camera.orientation))
    context = scene.engine.context if scene.engine is not None else None
    picture = draw_shapes(
        shapes.vertices,
        shapes.triangles,
        shapes.colours,
        shaded=shapes.shaded,
        lines_m=shapes.lines,
        line_rgb=shapes.line_colours,
        eye_m=np.asarray(camera.position),
        forward=turn[:, 0],
        up=turn[:, 2],
        view_angle_deg=45.0 if fov is None else float(fov),
        clip=clip,
        size_px=(width, height),
        path=path,
        context=context,
    )
    return tensor(picture)


def figure_of(pixels: Array, look: Look, colour_bar: bool = False) -> Any:
    """The picture as a figure of matplotlib; the pixels where that is not installed."""
    if importlib.util.find_spec("matplotlib") is None:
        return pixels
    import matplotlib.pyplot as plt
    from matplotlib.colors import Normalize

    height, width = pixels.shape[:2]
    figure = plt.figure(figsize=(width / 100, height / 100))
    axes = figure.add_axes((0.0, 0.0, 0.85 if colour_bar else 1.0, 1.0))
    axes.imshow(np.asarray(pixels))
    axes.axis("off")
    if colour_bar and look.radio_map is not None:
        cmap = look.rm_cmap if isinstance(look.rm_cmap, str) else "viridis"
        scale = plt.cm.ScalarMappable(norm=Normalize(*look.limits), cmap=cmap)
        figure.colorbar(scale, cax=figure.add_axes((0.87, 0.1, 0.03, 0.8)), label=look.label)
    return figure


def widget_of(scene: Any, camera: Camera, look: Look, resolution: Any, fov: float, background: str) -> Any:
    """The scene as a widget of pythreejs that can be turned; None where it is not installed."""
    if importlib.util.find_spec("pythreejs") is None:
        return None
    p3: Any = importlib.import_module("pythreejs")
    shapes = gather_shapes(scene, look)
    width, height = (int(side) for side in np.asarray(resolution).reshape(-1)[:2])

    def geometry(points: Array, colours: Array) -> Any:
        attributes = {
            "position": p3.BufferAttribute(points.astype(np.float32), normalized=False),
            "color": p3.BufferAttribute((colours / 255).astype(np.float32), normalized=False),
        }
        return p3.BufferGeometry(attributes=attributes)

    parts: list[Any] = [p3.AmbientLight(intensity=0.8)]
    for chosen, material in (
        (slice(0, shapes.shaded), p3.MeshStandardMaterial(vertexColors="VertexColors", side="DoubleSide", flatShading=True)),
        (slice(shapes.shaded, None), p3.MeshBasicMaterial(vertexColors="VertexColors", side="DoubleSide")),
    ):
        triangles = shapes.triangles[chosen]
        if len(triangles):
            parts.append(p3.Mesh(geometry(shapes.vertices[triangles].reshape(-1, 3), np.repeat(shapes.colours[chosen], 3, axis=0)), material))
    if len(shapes.lines):
        ends = geometry(shapes.lines.reshape(-1, 3), np.repeat(shapes.line_colours, 2, axis=0))
        parts.append(p3.LineSegments(ends, p3.LineBasicMaterial(vertexColors="VertexColors")))
    eye = np.asarray(camera.position)
    ahead = np.asarray(rotation_matrix(camera.orientation))[:, 0]
    low, high = extent_of(scene)
    reach = float(np.linalg.norm(high - low)) + float(np.linalg.norm(eye - (low + high) / 2)) + 1
    target = (eye + ahead * np.linalg.norm(eye - (low + high) / 2)).tolist()
    view = p3.PerspectiveCamera(position=eye.tolist(), up=[0, 0, 1], fov=fov, aspect=width / height, near=reach / 1e4, far=2 * reach)
    view.add(p3.DirectionalLight(position=[0, 1, 1], intensity=0.6))
    view.lookAt(target)
    content = p3.Scene(children=[*parts, view], background=background)
    orbit = p3.OrbitControls(controlling=view, target=target)
    return p3.Renderer(camera=view, scene=content, controls=[orbit], width=width, height=height)


def camera_of(scene: Any, camera: Any, radio_map: Any = None) -> Camera:
    """The camera of a call: one of ours, or by name that of the preview, else one with everything in view."""
    if isinstance(camera, Camera):
        return camera
    if camera is not None and not isinstance(camera, str):
        raise BadCallError(f"a camera is a Camera or a name, not {type(camera).__name__}")
    widget = scene._preview
    if widget is None:
        return default_camera(scene, radio_map)
    return Camera(position=list(widget.camera.position), look_at=list(widget.controls[0].target))

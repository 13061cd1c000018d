"""Options of predictions as types, for editors and type checkers: one TypedDict for each model. Made by
tools/make_option_types.py from the option tables of the library: do not edit."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal, Sequence, TypedDict, Union

if TYPE_CHECKING:
    from ._predict import Database
    from ._sites import Params

Number = Union[float, str]  # in SI units, or with a unit: "2.4GHz"
Path = Union[str, "os.PathLike[str]"]


class ShadowOptions(TypedDict, total=False):
    """Options of the model shadow."""

    antenna_size: Number
    area: Union[str, Sequence[float]]
    bandwidth: Number
    best: Union[int, str]
    database: Database
    device_memory: Number
    effects: Union[str, Sequence[str]]
    exclude_within: Number
    floor: Union[int, str]
    freq: Union[Number, Sequence[Number]]
    gas: Literal["standard", "none"]
    ground: Literal["smooth", "none"]
    indoor: Literal["slab", "p2109", "p2109-efficient"]
    k_factor: Number
    layers: Union[str, Sequence[str]]
    level: Number
    load: Number
    members: Union[int, str]
    memory: Number
    method: Literal["polar", "march", "polygons", "sectors", "brute"]
    noise_figure: Number
    order: Union[int, str]
    params: Union[Params, Path]
    preset: Literal["wifi-2.4", "wifi-5", "wifi-6", "lora-868", "lora-915", "lte-700", "lte-800", "lte-1800", "lte-2600", "nr-700", "nr-3500", "nr-26000"]
    prior: Literal["3gpp", "p1411", "none"]
    radius: Number
    rain: Number
    range_level: Number
    res: Number
    resource_blocks: Union[int, str]
    rx_height: Number
    sigma: Literal["constant", "ensemble"]
    street_method: Literal["graph", "polygons"]
    subcarrier_spacing: Number
    sum: Literal["power", "terms"]
    throughput: Literal["3gpp", "shannon", "802.11n", "802.11ac", "802.11ax", "lora"]
    walls: Literal["slab", "constant"]
    zone: Path


class BeamsOptions(TypedDict, total=False):
    """Options of the model beams."""

    antenna_size: Number
    area: Union[str, Sequence[float]]
    bandwidth: Number
    clip: Literal["grid", "quadtree"]
    delay_bins: Union[str, Sequence[float]]
    device_memory: Number
    diffractions: Union[int, str]
    dimensions: Union[int, str]
    exclude_within: Number
    floor: Union[int, str]
    freq: Union[Number, Sequence[Number]]
    gas: Literal["standard", "none"]
    ground: Literal["smooth", "none"]
    indoor: Literal["slab", "p2109", "p2109-efficient"]
    k_factor: Number
    layers: Union[str, Sequence[str]]
    load: Number
    loss_max: Number
    losses: str
    memory: Number
    method: Literal["spans", "scanlines", "half-spaces"]
    noise_figure: Number
    params: Union[Params, Path]
    preset: Literal["wifi-2.4", "wifi-5", "wifi-6", "lora-868", "lora-915", "lte-700", "lte-800", "lte-1800", "lte-2600", "nr-700", "nr-3500", "nr-26000"]
    prior: Literal["3gpp", "p1411", "none"]
    radius: Number
    rain: Number
    range_level: Number
    reflections: Union[int, str]
    res: Number
    resource_blocks: Union[int, str]
    reuse: Path
    roofs: Literal["vogler", "polynomial", "none"]
    rx_antenna: Path
    rx_azimuth: Number
    rx_height: Number
    rx_roll: Number
    rx_tilt: Number
    split: Literal["sweep", "buffer"]
    split_pixels: Union[int, str]
    subcarrier_spacing: Number
    throughput: Literal["3gpp", "shannon", "802.11n", "802.11ac", "802.11ax", "lora"]
    tiling: str
    transmissions: Union[int, str]
    wedge: Literal["holm", "luebbers"]
    zone: Path


class CubesOptions(TypedDict, total=False):
    """Options of the model cubes."""

    antenna_size: Number
    area: Union[str, Sequence[float]]
    bandwidth: Number
    block: Union[int, str]
    device_memory: Number
    exclude_within: Number
    floor: Union[int, str]
    freq: Union[Number, Sequence[Number]]
    gas: Literal["standard", "none"]
    ground: Literal["smooth", "none"]
    horizontal_diffractions: Union[int, str]
    indoor: Literal["slab", "p2109", "p2109-efficient"]
    k_factor: Number
    layers: Union[str, Sequence[str]]
    load: Number
    memory: Number
    method: Literal["exact", "cubes", "supercubes", "rings"]
    noise_figure: Number
    params: Union[Params, Path]
    preset: Literal["wifi-2.4", "wifi-5", "wifi-6", "lora-868", "lora-915", "lte-700", "lte-800", "lte-1800", "lte-2600", "nr-700", "nr-3500", "nr-26000"]
    prior: Literal["3gpp", "p1411", "none"]
    radius: Number
    rain: Number
    range_level: Number
    reference: Literal["eirp", "erp"]
    reflections: Union[int, str]
    res: Number
    resource_blocks: Union[int, str]
    roofs: Literal["vogler", "none"]
    rx_height: Number
    subcarrier_spacing: Number
    throughput: Literal["3gpp", "shannon", "802.11n", "802.11ac", "802.11ax", "lora"]
    vertical_diffractions: Union[int, str]
    zone: Path


class ImagesOptions(TypedDict, total=False):
    """Options of the model images."""

    antenna_size: Number
    area: Union[str, Sequence[float]]
    bandwidth: Number
    depth: Union[int, str]
    device_memory: Number
    diffractions: Union[int, str]
    direct: Literal["always", "limited"]
    exclude_within: Number
    freq: Union[Number, Sequence[Number]]
    layers: Union[str, Sequence[str]]
    load: Number
    memory: Number
    noise_figure: Number
    params: Union[Params, Path]
    pixels: Union[int, str]
    plane: Any
    preset: Literal["wifi-2.4", "wifi-5", "wifi-6", "lora-868", "lora-915", "lte-700", "lte-800", "lte-1800", "lte-2600", "nr-700", "nr-3500", "nr-26000"]
    prior: Literal["3gpp", "p1411", "none"]
    radius: Number
    range_level: Number
    reference: Literal["eirp", "erp"]
    reflections: Union[int, str]
    refraction: Literal["full", "paths", "none"]
    res: Number
    resource_blocks: Union[int, str]
    rx_antenna: Path
    rx_azimuth: Number
    rx_height: Number
    rx_ports: Union[int, str]
    rx_roll: Number
    rx_slant: Number
    rx_tilt: Number
    subcarrier_spacing: Number
    sum: Literal["coherent", "power", "local"]
    surfaces: Literal["touching", "coplanar"]
    threshold: Union[int, str]
    throughput: Literal["3gpp", "shannon", "802.11n", "802.11ac", "802.11ax", "lora"]
    transmissions: Union[int, str]
    traversal: Literal["levels", "recursion"]
    validation: Literal["exact", "none"]
    zone: Path


class SbrOptions(TypedDict, total=False):
    """Options of the model sbr."""

    antenna_size: Number
    area: Union[str, Sequence[float]]
    bandwidth: Number
    depth: Union[int, str]
    device_memory: Number
    diffractions: Union[int, str]
    direct: Literal["always", "limited"]
    exclude_within: Number
    freq: Union[Number, Sequence[Number]]
    layers: Union[str, Sequence[str]]
    load: Number
    memory: Number
    noise_figure: Number
    plane: Any
    preset: Literal["wifi-2.4", "wifi-5", "wifi-6", "lora-868", "lora-915", "lte-700", "lte-800", "lte-1800", "lte-2600", "nr-700", "nr-3500", "nr-26000"]
    prior: Literal["3gpp", "p1411", "none"]
    radius: Number
    range_level: Number
    rays: Union[int, str]
    reference: Literal["eirp", "erp"]
    reflections: Union[int, str]
    refraction: Literal["full", "none"]
    res: Number
    resource_blocks: Union[int, str]
    rx_antenna: Path
    rx_azimuth: Number
    rx_height: Number
    rx_roll: Number
    rx_slant: Number
    rx_tilt: Number
    sphere: Number
    subcarrier_spacing: Number
    sum: Literal["coherent", "power", "local"]
    surfaces: Literal["touching", "coplanar"]
    throughput: Literal["3gpp", "shannon", "802.11n", "802.11ac", "802.11ax", "lora"]
    transmissions: Union[int, str]
    zone: Path


class RtOptions(TypedDict, total=False):
    """Options of the model rt."""

    antenna_size: Number
    area: Union[str, Sequence[float]]
    bandwidth: Number
    depth: Union[int, str]
    device_memory: Number
    diffractions: Union[int, str]
    exclude_within: Number
    floor: Union[int, str]
    freq: Union[Number, Sequence[Number]]
    gas: Literal["standard", "none"]
    indoor: Literal["slab", "p2109", "p2109-efficient"]
    layers: Union[str, Sequence[str]]
    load: Number
    lobe: Literal["lambertian", "directive", "backscattering"]
    loss_max: Number
    memory: Number
    noise_figure: Number
    preset: Literal["wifi-2.4", "wifi-5", "wifi-6", "lora-868", "lora-915", "lte-700", "lte-800", "lte-1800", "lte-2600", "nr-700", "nr-3500", "nr-26000"]
    prior: Literal["3gpp", "p1411", "none"]
    radius: Number
    rain: Number
    range_level: Number
    reference: Literal["eirp", "erp"]
    reflections: Union[int, str]
    res: Number
    resource_blocks: Union[int, str]
    roofs: Literal["vogler", "none"]
    roughness: Number
    rx_antenna: Path
    rx_azimuth: Number
    rx_height: Number
    rx_roll: Number
    rx_slant: Number
    rx_tilt: Number
    scatterings: Union[int, str]
    subcarrier_spacing: Number
    sum: Literal["coherent", "power", "local"]
    throughput: Literal["3gpp", "shannon", "802.11n", "802.11ac", "802.11ax", "lora"]
    tile_area: Number
    wedge: Literal["holm", "luebbers"]
    zone: Path


class TilesOptions(TypedDict, total=False):
    """Options of the model tiles."""

    antenna_size: Number
    area: Union[str, Sequence[float]]
    bandwidth: Number
    cells: Literal["exact", "nearest", "nearest-any"]
    database: Database
    depth: Union[int, str]
    device_memory: Number
    diffractions: Union[int, str]
    exclude_within: Number
    floor: Union[int, str]
    freq: Union[Number, Sequence[Number]]
    gas: Literal["standard", "none"]
    ground: Literal["smooth", "none"]
    indoor: Literal["slab", "p2109", "p2109-efficient"]
    k_factor: Number
    layers: Union[str, Sequence[str]]
    load: Number
    lobe: Literal["lambertian", "directive", "backscattering"]
    loss_max: Number
    memory: Number
    method: Literal["matrix", "online"]
    noise_figure: Number
    preset: Literal["wifi-2.4", "wifi-5", "wifi-6", "lora-868", "lora-915", "lte-700", "lte-800", "lte-1800", "lte-2600", "nr-700", "nr-3500", "nr-26000"]
    prior: Literal["3gpp", "p1411", "none"]
    radius: Number
    rain: Number
    range_level: Number
    reference: Literal["eirp", "erp"]
    reflections: Union[int, str]
    res: Number
    resource_blocks: Union[int, str]
    reuse: Path
    roofs: Literal["vogler", "polynomial", "none"]
    roughness: Number
    rx_antenna: Path
    rx_azimuth: Number
    rx_height: Number
    rx_roll: Number
    rx_slant: Number
    rx_tilt: Number
    scatterings: Union[int, str]
    subcarrier_spacing: Number
    sum: Literal["coherent", "power", "local"]
    throughput: Literal["3gpp", "shannon", "802.11n", "802.11ac", "802.11ax", "lora"]
    tile_area: Number
    tile_least_area: Number
    tile_least_side: Number
    tile_quarter: Union[int, str]
    tile_shape: Literal["rectangle", "triangle"]
    update: Path
    wedge: Literal["holm", "luebbers"]
    zone: Path


class AnyOptions(TypedDict, total=False):
    """Options of all models."""

    antenna_size: Number
    area: Union[str, Sequence[float]]
    bandwidth: Number
    best: Union[int, str]
    block: Union[int, str]
    cells: Literal["exact", "nearest", "nearest-any"]
    clip: Literal["grid", "quadtree"]
    database: Database
    delay_bins: Union[str, Sequence[float]]
    depth: Union[int, str]
    device_memory: Number
    diffractions: Union[int, str]
    dimensions: Union[int, str]
    direct: Literal["always", "limited"]
    effects: Union[str, Sequence[str]]
    exclude_within: Number
    floor: Union[int, str]
    freq: Union[Number, Sequence[Number]]
    gas: Literal["standard", "none"]
    ground: Literal["smooth", "none"]
    horizontal_diffractions: Union[int, str]
    indoor: Literal["slab", "p2109", "p2109-efficient"]
    k_factor: Number
    layers: Union[str, Sequence[str]]
    level: Number
    load: Number
    lobe: Literal["lambertian", "directive", "backscattering"]
    loss_max: Number
    losses: str
    members: Union[int, str]
    memory: Number
    method: Literal["brute", "cubes", "exact", "half-spaces", "march", "matrix", "online", "polar", "polygons", "rings", "scanlines", "sectors", "spans", "supercubes"]
    noise_figure: Number
    order: Union[int, str]
    params: Union[Params, Path]
    pixels: Union[int, str]
    plane: Any
    preset: Literal["wifi-2.4", "wifi-5", "wifi-6", "lora-868", "lora-915", "lte-700", "lte-800", "lte-1800", "lte-2600", "nr-700", "nr-3500", "nr-26000"]
    prior: Literal["3gpp", "p1411", "none"]
    radius: Number
    rain: Number
    range_level: Number
    rays: Union[int, str]
    reference: Literal["eirp", "erp"]
    reflections: Union[int, str]
    refraction: Literal["full", "none", "paths"]
    res: Number
    resource_blocks: Union[int, str]
    reuse: Path
    roofs: Literal["none", "polynomial", "vogler"]
    roughness: Number
    rx_antenna: Path
    rx_azimuth: Number
    rx_height: Number
    rx_ports: Union[int, str]
    rx_roll: Number
    rx_slant: Number
    rx_tilt: Number
    scatterings: Union[int, str]
    sigma: Literal["constant", "ensemble"]
    sphere: Number
    split: Literal["sweep", "buffer"]
    split_pixels: Union[int, str]
    street_method: Literal["graph", "polygons"]
    subcarrier_spacing: Number
    sum: Literal["coherent", "local", "power", "terms"]
    surfaces: Literal["touching", "coplanar"]
    threshold: Union[int, str]
    throughput: Literal["3gpp", "shannon", "802.11n", "802.11ac", "802.11ax", "lora"]
    tile_area: Number
    tile_least_area: Number
    tile_least_side: Number
    tile_quarter: Union[int, str]
    tile_shape: Literal["rectangle", "triangle"]
    tiling: str
    transmissions: Union[int, str]
    traversal: Literal["levels", "recursion"]
    update: Path
    validation: Literal["exact", "none"]
    vertical_diffractions: Union[int, str]
    walls: Literal["slab", "constant"]
    wedge: Literal["holm", "luebbers"]
    zone: Path

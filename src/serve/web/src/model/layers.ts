// How a layer is shown. Title, unit, direction and classes come from the server, or from the plan that is shown; the usual range of the
// legend and levels that people know by name are the page's.
import type { LayerInfo } from "./api";

export interface LayerStyle {
  title: string;
  unit: string;
  /** Usual range of the legend. */
  range: [number, number];
  /** True where small values are good: they get the bright colours. */
  lowIsGood: boolean;
  classes: string[] | null;
  /** Levels of a continuous layer that people know by name: lower ends, and the names from below the first one on. */
  levels: { from: number[]; names: string[] } | null;
}

const powerLevels = { from: [-105, -95, -85, -75, -65], names: ["none to very poor", "poor", "fair", "good", "very good", "excellent"] };
const rsrpLevels = { from: [-120, -110, -100, -90, -80], names: ["none", "very poor", "poor", "fair", "good", "excellent"] };

const scales: Record<string, Partial<Pick<LayerStyle, "range" | "levels">>> = {
  path_loss: { range: [60, 160] },
  power: { range: [-120, -40], levels: powerLevels },
  field_strength: { range: [0, 100] },
  strongest: { range: [-120, -40], levels: powerLevels },
  rsrp: { range: [-140, -60], levels: rsrpLevels },
  interference: { range: [-120, -40] },
  noise: { range: [-110, -90] },
  ci: { range: [-10, 30] },
  sinr: { range: [-10, 30] },
  throughput: { range: [0, 50] },
  walls: { range: [0, 20] },
  deflections: { range: [0, 6] },
  sigma: { range: [0, 15] },
  coverage_probability: { range: [0, 1] },
  indoor: { range: [0, 40] },
  delay_spread: { range: [0, 300] },
  mean_delay: { range: [0, 3000] },
  first_arrival: { range: [0, 3000] },
  delay: { range: [0, 3000] },
  k_factor: { range: [-10, 30] },
  paths: { range: [0, 50] },
  azimuth_spread: { range: [0, 90] },
  elevation_spread: { range: [0, 45] },
  azimuth: { range: [0, 360] },
  elevation: { range: [-10, 60] },
};

/** Layers that the page cannot draw: one band for each layer of cubes. */
export const hiddenLayers = new Set(["volume", "visible", "filled", "sources", "supercubes"]);
/** Layers by name, as the server lists them. */
let registered = new Map<string, LayerInfo>();

export function registerLayers(layers: LayerInfo[]): void {
  registered = new Map(layers.map((layer) => [layer.name, layer]));
}

/** Whether the layer has one band of all transmitters together. */
export function isJoint(layer: string): boolean {
  return registered.get(layer)?.per_transmitter === false;
}

/** Classes of the best server are the servers. */
export function layerStyle(name: string, servers: string[]): LayerStyle {
  const layer = registered.get(name);
  return {
    title: layer?.title ?? name.replace(/_/g, " "),
    unit: layer?.unit ?? "",
    range: scales[name]?.range ?? [0, 100],
    lowIsGood: layer?.better === "lower",
    classes: name === "best" ? servers : (layer?.classes ?? null),
    levels: scales[name]?.levels ?? null,
  };
}

/** Number of the first class: servers count from 1. */
export function firstClass(layer: string): number {
  return layer === "best" ? 1 : 0;
}

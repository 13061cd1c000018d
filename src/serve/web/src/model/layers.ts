// How a layer is shown: its title, unit, usual range, direction and classes.

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

const mechanism = ["line of sight", "street corners", "roofs", "walls", "reflection", "several kinds"];

const powerLevels = { from: [-105, -95, -85, -75, -65], names: ["none to very poor", "poor", "fair", "good", "very good", "excellent"] };
const rsrpLevels = { from: [-120, -110, -100, -90, -80], names: ["none", "very poor", "poor", "fair", "good", "excellent"] };

const styles: Record<string, Partial<LayerStyle>> = {
  path_loss: { title: "Path loss", unit: "dB", range: [60, 160], lowIsGood: true },
  power: { title: "Received power", unit: "dBm", range: [-120, -40], levels: powerLevels },
  field_strength: { title: "Field strength", unit: "dBµV/m", range: [0, 100] },
  strongest: { title: "Strongest power", unit: "dBm", range: [-120, -40], levels: powerLevels },
  rsrp: { title: "RSRP", unit: "dBm", range: [-140, -60], levels: rsrpLevels },
  interference: { title: "Interference", unit: "dBm", range: [-120, -40], lowIsGood: true },
  noise: { title: "Noise", unit: "dBm", range: [-110, -90] },
  ci: { title: "Carrier over interference", unit: "dB", range: [-10, 30] },
  sinr: { title: "SINR", unit: "dB", range: [-10, 30] },
  throughput: { title: "Throughput", unit: "Mbit/s", range: [0, 50] },
  best: { title: "Best server", unit: "" },
  los: { title: "Line of sight", unit: "", classes: ["no line of sight", "line of sight"] },
  reception: { title: "Reception", unit: "", classes: ["no path", "a path arrives"] },
  mechanism: { title: "Dominant mechanism", unit: "", classes: mechanism },
  walls: { title: "Walls on the direct line", unit: "walls", range: [0, 20], lowIsGood: true },
  deflections: { title: "Deflections", unit: "edges", range: [0, 6], lowIsGood: true },
  sigma: { title: "Standard deviation", unit: "dB", range: [0, 15], lowIsGood: true },
  coverage_probability: { title: "Coverage probability", unit: "", range: [0, 1] },
  indoor: { title: "Loss into buildings", unit: "dB", range: [0, 40], lowIsGood: true },
  delay_spread: { title: "Delay spread", unit: "ns", range: [0, 300], lowIsGood: true },
  mean_delay: { title: "Mean delay", unit: "ns", range: [0, 3000], lowIsGood: true },
  first_arrival: { title: "First arrival", unit: "ns", range: [0, 3000], lowIsGood: true },
  delay: { title: "Mean delay", unit: "ns", range: [0, 3000], lowIsGood: true },
  k_factor: { title: "K factor", unit: "dB", range: [-10, 30] },
  paths: { title: "Number of paths", unit: "paths", range: [0, 50] },
  azimuth_spread: { title: "Azimuth spread", unit: "°", range: [0, 90] },
  elevation_spread: { title: "Elevation spread", unit: "°", range: [0, 45] },
  azimuth: { title: "Azimuth of arrival", unit: "°", range: [0, 360] },
  elevation: { title: "Elevation of arrival", unit: "°", range: [-10, 60] },
};

/** Layers that the page cannot draw: one band for each layer of cubes. */
export const hiddenLayers = new Set(["volume", "visible", "filled", "sources", "supercubes"]);
/** Layers of one band of all transmitters together: those that the server lists so. */
let jointLayers = new Set<string>();

export function listJointLayers(layers: { name: string; per_transmitter?: boolean }[]): void {
  jointLayers = new Set(layers.filter((layer) => layer.per_transmitter === false).map((layer) => layer.name));
}

export function isJoint(layer: string): boolean {
  return jointLayers.has(layer);
}

export function layerStyle(name: string, unit: string, servers: string[]): LayerStyle {
  const known = styles[name] ?? {};
  return {
    title: known.title ?? name.replace(/_/g, " "),
    unit: known.unit ?? unit,
    range: known.range ?? [0, 100],
    lowIsGood: known.lowIsGood ?? false,
    classes: name === "best" ? servers : (known.classes ?? null),
    levels: known.levels ?? null,
  };
}

/** Number of the first class: servers count from 1. */
export function firstClass(layer: string): number {
  return layer === "best" ? 1 : 0;
}

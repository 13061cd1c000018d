// Shapes of antennas that the page knows, as the engine has them (src/scene/antennas), and usual kinds of sites.
import type { Site } from "./sites";

/** Gain in dBi, width at 3 dB in the horizontal plane and the deepest loss in dB. */
interface Shape {
  gain: number;
  horizontal: number;
  deepest: number;
}

const shapes: Record<string, Shape> = {
  isotropic: { gain: 0, horizontal: Infinity, deepest: 0 },
  dipole: { gain: 2.15, horizontal: Infinity, deepest: 0 },
  "3gpp": { gain: 8, horizontal: 65, deepest: 30 },
  macro: { gain: 17, horizontal: 65, deepest: 30 },
  omni: { gain: 8, horizontal: Infinity, deepest: 30 },
};

/** A name, and what differs: macro:gain=15:horizontal=90. null: a file or a shape that only the server knows. */
function shapeOf(antenna: string): Shape | null {
  const [name, ...entries] = antenna.split(":");
  const known = shapes[name];
  if (!known) return null;
  const shape = { ...known };
  for (const entry of entries) {
    const [key, text] = entry.split("=");
    const value = parseFloat(text);
    if (key === "gain") shape.gain = value;
    if (key === "horizontal") shape.horizontal = value;
    if (key === "front-to-back") shape.deepest = value;
  }
  return Object.values(shape).some(Number.isNaN) ? null : shape;
}

/** In dBi; null: only the server knows it. */
export function peakGain(antenna: string): number | null {
  return shapeOf(antenna)?.gain ?? null;
}

/** Gain in dBi at an angle from the axis in the horizontal plane. 3GPP TR 38.901 table 7.3-1, TR 36.814 table A.2.1.1-2. */
export function horizontalGain(antenna: string, offAxisDeg: number): number {
  const shape = shapeOf(antenna);
  if (!shape) return 0;
  const angle = ((((offAxisDeg + 180) % 360) + 360) % 360) - 180;
  return shape.gain - Math.min(shape.deepest, 12 * (angle / shape.horizontal) ** 2);
}

export interface Preset {
  title: string;
  values: Partial<Site>;
}

export const presets: Preset[] = [
  { title: "Macro sector", values: { height: 25, powerDbm: 46, antenna: "macro", tilt: 6 } },
  { title: "Rooftop, omnidirectional", values: { height: 20, powerDbm: 43, antenna: "omni", tilt: 0, azimuth: 0 } },
  { title: "Small cell", values: { height: 6, powerDbm: 30, antenna: "isotropic", tilt: 0, azimuth: 0 } },
  { title: "Access point", values: { height: 2.5, powerDbm: 20, antenna: "isotropic", tilt: 0, azimuth: 0 } },
];

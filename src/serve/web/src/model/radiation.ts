// Shapes of antennas that the page knows, as the engine has them (src/scene/antennas), and usual kinds of sites.
import type { Site } from "./sites";

const gains: Record<string, number> = { isotropic: 0, dipole: 2.15, "3gpp": 8 };

/** In dBi; null: a file that only the server reads. */
export function peakGain(antenna: string): number | null {
  return gains[antenna] ?? null;
}

/** Gain in dBi at an angle from the axis in the horizontal plane. 3GPP TR 38.901 table 7.3-1: 65 degrees at 3 dB, 30 dB at most. */
export function horizontalGain(antenna: string, offAxisDeg: number): number {
  const peak = peakGain(antenna) ?? 0;
  if (antenna !== "3gpp") return peak;
  const angle = ((((offAxisDeg + 180) % 360) + 360) % 360) - 180;
  return peak - Math.min(30, 12 * (angle / 65) ** 2);
}

export interface Preset {
  title: string;
  values: Partial<Site>;
}

export const presets: Preset[] = [
  { title: "Macro sector", values: { height: 25, powerDbm: 46, antenna: "3gpp", tilt: 6 } },
  { title: "Rooftop, omnidirectional", values: { height: 20, powerDbm: 43, antenna: "dipole", tilt: 0, azimuth: 0 } },
  { title: "Small cell", values: { height: 6, powerDbm: 30, antenna: "isotropic", tilt: 0, azimuth: 0 } },
  { title: "Access point", values: { height: 2.5, powerDbm: 20, antenna: "isotropic", tilt: 0, azimuth: 0 } },
];

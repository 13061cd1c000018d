// Colour scales as curves through OKLCH: lightness rises steadily, so that they also read in grey and with any colour blindness. The first
// is the scale of the pictures that the command line draws.

export type Rgb = [number, number, number];

const STEPS = 256;

function toLinear(lightness: number, chroma: number, hueDeg: number): Rgb {
  const angle = (hueDeg * Math.PI) / 180;
  const a = chroma * Math.cos(angle);
  const b = chroma * Math.sin(angle);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function toByte(linear: number): number {
  const c = Math.min(1, Math.max(0, linear));
  return Math.round(255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055));
}

/** The colour, with as much of its chroma as a screen shows. */
export function oklch(lightness: number, chroma: number, hueDeg: number): Rgb {
  const fits = (rgb: Rgb): boolean => rgb.every((c) => c >= -1e-6 && c <= 1 + 1e-6);
  let low = 0;
  let high = chroma;
  if (!fits(toLinear(lightness, chroma, hueDeg)))
    for (let step = 0; step < 20; step++) {
      const middle = 0.5 * (low + high);
      if (fits(toLinear(lightness, middle, hueDeg))) low = middle;
      else high = middle;
    }
  else low = high;
  return toLinear(lightness, low, hueDeg).map(toByte) as Rgb;
}

export interface ColourMap {
  name: string;
  title: string;
  /** The colour of t from 0 (weak, low) to 1 (strong, high). */
  at(t: number): Rgb;
}

export const colourMaps: ColourMap[] = [
  {
    name: "spectrum",
    title: "Violet to yellow",
    at: (t) => oklch(0.27 + 0.66 * t, 0.096 + 0.05 * t - 0.016 * Math.cos(4 * Math.PI * t), 312 - 206 * t),
  },
  { name: "ember", title: "Black to sand", at: (t) => oklch(0.2 + 0.75 * t, 0.02 + 0.17 * Math.sin(Math.PI * Math.min(1, 0.12 + t)), 320 + 130 * t) },
  {
    name: "dusk",
    title: "Blue to yellow (all colour blindness)",
    at: (t) => oklch(0.27 + 0.64 * t, 0.02 + 0.3 * (t - 0.5) ** 2 + 0.04 * t, t < 0.5 ? 258 : 98),
  },
  { name: "tide", title: "Night to ice", at: (t) => oklch(0.22 + 0.74 * t, 0.05 + 0.06 * Math.sin(Math.PI * t), 275 - 75 * t) },
  { name: "grey", title: "Grey", at: (t) => oklch(0.18 + 0.78 * t, 0, 0) },
];

/** Blue where less, pale at nothing, orange where more: apart for every kind of colour blindness. */
export const twoSided: ColourMap = {
  name: "two-sided",
  title: "Difference",
  at: (t) => {
    const distance = Math.abs(2 * t - 1);
    return oklch(0.95 - 0.47 * distance, 0.16 * distance ** 0.8, t < 0.5 ? 255 : 48);
  },
};

/** Colours of classes and servers: hues far apart, alternating in lightness. */
export function classColour(index: number): Rgb {
  const hues = [250, 65, 165, 350, 105, 300, 25, 210];
  const round = Math.floor(index / hues.length);
  const lightness = (index % 2 === 0 ? 0.62 : 0.8) - 0.12 * (round % 3);
  return oklch(lightness, 0.15, hues[index % hues.length] + 20 * round);
}

export function findColourMap(name: string): ColourMap {
  return colourMaps.find((map) => map.name === name) ?? colourMaps[0];
}

/** RGBA bytes of a map, for a texture. */
export function colourTable(map: ColourMap, reversed: boolean): Uint8Array<ArrayBuffer> {
  const table = new Uint8Array(STEPS * 4);
  for (let i = 0; i < STEPS; i++) {
    const t = i / (STEPS - 1);
    table.set([...map.at(reversed ? 1 - t : t), 255], 4 * i);
  }
  return table;
}

export function css(rgb: Rgb): string {
  return `rgb(${rgb[0]}, ${rgb[1]}, ${rgb[2]})`;
}

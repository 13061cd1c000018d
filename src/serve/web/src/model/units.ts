// Numbers as people read and write them: units behind numbers, round steps of scales.

const factors: Record<string, number> = {
  hz: 1,
  khz: 1e3,
  mhz: 1e6,
  ghz: 1e9,
  thz: 1e12,
  m: 1,
  km: 1e3,
  cm: 0.01,
  mm: 0.001,
  dbm: 1,
  db: 1,
  deg: 1,
  "°": 1,
  "": 1,
  s: 1,
  ms: 1e-3,
  us: 1e-6,
  ns: 1e-9,
};

/** "947MHz" is 947e6; NaN where the text is no number with a known unit. */
export function parseQuantity(text: string): number {
  const match = /^\s*([-+−]?[0-9]*[.,]?[0-9]+(?:e[-+]?[0-9]+)?)\s*([a-zµ°]*)\s*$/i.exec(text);
  if (!match) return NaN;
  const unit = match[2].toLowerCase().replace("µ", "u");
  const number = Number(match[1].replace(",", ".").replace("−", "-"));
  if (unit === "w" || unit === "mw") return 10 * Math.log10(number * (unit === "w" ? 1000 : 1));
  const factor = factors[unit];
  return factor === undefined ? NaN : number * factor;
}

/** 947e6 is "947MHz", as the command line takes it. */
export function formatFrequency(hz: number): string {
  const [factor, unit] = hz >= 1e9 ? [1e9, "GHz"] : hz >= 1e6 ? [1e6, "MHz"] : hz >= 1e3 ? [1e3, "kHz"] : [1, "Hz"];
  return `${Number((hz / factor).toPrecision(10))}${unit}`;
}

/** The shortest text of a number with so many digits behind the point. */
export function formatNumber(value: number, digits: number): string {
  if (!Number.isFinite(value)) return "–";
  return Number(value.toFixed(digits)).toString().replace("-", "−");
}

/** A fixed number of digits behind the point, with a true minus sign, for columns of numbers. */
export function formatFixed(value: number, digits: number): string {
  return Number.isFinite(value) ? value.toFixed(digits).replace("-", "−") : "–";
}

/** The largest of 1, 2, 5 times a power of ten that is not above the value. */
export function roundStep(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const lead = value / power;
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}

/** Round numbers from low to high, about so many. */
export function ticks(low: number, high: number, about: number): number[] {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [low];
  let step = roundStep(span / about);
  if (span / step > about * 1.4) step = roundStep(2.6 * step);
  const list: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) list.push(Number((i * step).toPrecision(12)));
  return list;
}

export function formatLength(metres: number): string {
  return metres >= 1000 ? `${metres / 1000} km` : metres >= 1 ? `${metres} m` : `${Math.round(metres * 100)} cm`;
}

/** "48.13743° N, 11.57549° E", to about a metre. */
export function formatDegrees(lon: number, lat: number): string {
  return `${Math.abs(lat).toFixed(5)}° ${lat < 0 ? "S" : "N"}, ${Math.abs(lon).toFixed(5)}° ${lon < 0 ? "W" : "E"}`;
}

export function formatDelay(seconds: number): string {
  const ns = seconds * 1e9;
  return ns >= 10000 ? `${(ns / 1000).toFixed(2)} µs` : `${ns.toFixed(1)} ns`;
}

// The table of sites: one transmitter a line, as the command line reads it.
import type { SiteEntry } from "./api";
import { formatFrequency, parseQuantity } from "./units";

export interface Site {
  name: string;
  /** Scene coordinates. */
  x: number;
  y: number;
  /** Above ground. */
  height: number;
  azimuth: number;
  tilt: number;
  powerDbm: number;
  /** null: the frequency of the project. */
  freqHz: number | null;
  antenna: string;
  channel: string;
  /** Further columns, kept as they were read. */
  rest: Record<string, string>;
}

export const antennas = ["isotropic", "dipole", "3gpp", "macro", "omni"];

/** Whether the gain depends on the azimuth. */
export function hasAzimuth(antenna: string): boolean {
  return !["isotropic", "dipole", "omni"].includes(antenna) && !antenna.startsWith("omni:");
}

const names: Record<string, string[]> = {
  name: ["name", "site", "id"],
  x: ["x", "x_m", "easting"],
  y: ["y", "y_m", "northing"],
  lon: ["lon", "longitude", "lng"],
  lat: ["lat", "latitude"],
  height: ["height", "height_m", "z", "z_m", "agl", "antenna_height"],
  azimuth: ["azimuth", "azimuth_deg"],
  tilt: ["tilt", "tilt_deg", "downtilt", "downtilt_deg", "mechanical_tilt", "mtilt"],
  power: ["power", "power_dbm"],
  freq: ["freq", "freq_hz", "frequency", "frequency_hz"],
  freq_mhz: ["freq_mhz"],
  freq_ghz: ["freq_ghz"],
  antenna: ["antenna"],
  channel: ["channel", "earfcn", "nrarfcn", "arfcn"],
};

export function newSite(name: string, x: number, y: number, height: number): Site {
  return { name, x, y, height, azimuth: 0, tilt: 0, powerDbm: 30, freqHz: null, antenna: "isotropic", channel: "", rest: {} };
}

/** Cells of a CSV text after RFC 4180, one list a line; blank lines and lines that start with # are left out. */
export function parseCsv(text: string): string[][] {
  const head = text.split("\n").find((line) => line.trim() && !line.startsWith("#")) ?? "";
  const separator = [",", ";", "\t"].reduce((best, c) => (head.split(c).length > head.split(best).length ? c : best), ",");
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  const endRow = (): void => {
    row.push(cell);
    if (row.some((c) => c.trim() !== "") && !row[0].startsWith("#")) rows.push(row.map((c) => c.trim()));
    row = [];
    cell = "";
  };
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') cell += text[++i];
      else quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === separator) {
      row.push(cell);
      cell = "";
    } else if (c === "\n") endRow();
    else if (c !== "\r") cell += c;
  }
  endRow();
  return rows;
}

function quote(text: string): string {
  return /[",\n;]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/** Shortest text that reads back as the same number to a tenth of a millimetre. */
function plain(value: number): string {
  return Number(value.toFixed(4)).toString();
}

export function sitesToCsv(sites: Site[]): string {
  const rest = [...new Set(sites.flatMap((site) => Object.keys(site.rest)))];
  const withFreq = sites.some((site) => site.freqHz !== null);
  const withChannel = sites.some((site) => site.channel !== "");
  const head = ["name", "x", "y", "height", "azimuth", "tilt", "power", "antenna"];
  if (withFreq) head.push("freq");
  if (withChannel) head.push("channel");
  const lines = sites.map((site) => {
    const cells = [
      site.name,
      plain(site.x),
      plain(site.y),
      plain(site.height),
      plain(site.azimuth),
      plain(site.tilt),
      `${plain(site.powerDbm)}dBm`,
      site.antenna,
    ];
    if (withFreq) cells.push(site.freqHz === null ? "" : formatFrequency(site.freqHz));
    if (withChannel) cells.push(site.channel);
    return [...cells, ...rest.map((key) => site.rest[key] ?? "")].map(quote).join(",");
  });
  return [[...head, ...rest].map(quote).join(","), ...lines].join("\n") + "\n";
}

/** True where the places are degrees, which the server has to convert. */
export function isLonLat(text: string): boolean {
  const head = (parseCsv(text)[0] ?? []).map((cell) => cell.toLowerCase());
  return head.some((cell) => names.lon.includes(cell)) && head.some((cell) => names.lat.includes(cell));
}

export function sitesFromCsv(text: string): Site[] {
  const rows = parseCsv(text);
  const head = (rows[0] ?? []).map((cell) => cell.toLowerCase());
  const column: Record<string, number> = {};
  for (const [key, list] of Object.entries(names)) {
    const index = head.findIndex((cell) => list.includes(cell));
    if (index >= 0) column[key] = index;
  }
  for (const needed of ["x", "y", "height"])
    if (column[needed] === undefined) throw new Error(`the table of sites has no column "${needed}"; its header is "${head.join(", ")}"`);
  const used = new Set(Object.values(column));
  return rows.slice(1).map((cells, line) => {
    const text = (key: string): string => (column[key] === undefined ? "" : (cells[column[key]] ?? ""));
    const number = (key: string, missing: number): number => {
      const given = text(key);
      if (given === "") return missing;
      const value = parseQuantity(given);
      if (Number.isNaN(value)) throw new Error(`line ${line + 2} of the sites: "${given}" is no ${key}`);
      return value;
    };
    const needed = (key: string): number => {
      if (text(key) === "") throw new Error(`line ${line + 2} of the sites has no ${key}`);
      return number(key, 0);
    };
    const scaled = text("freq_mhz") ? 1e6 * number("freq_mhz", 0) : text("freq_ghz") ? 1e9 * number("freq_ghz", 0) : null;
    const rest: Record<string, string> = {};
    head.forEach((key, i) => {
      if (!used.has(i) && cells[i]) rest[key] = cells[i];
    });
    return {
      name: text("name") || `site ${line + 1}`,
      x: needed("x"),
      y: needed("y"),
      height: needed("height"),
      azimuth: number("azimuth", 0),
      tilt: number("tilt", 0),
      powerDbm: number("power", 30),
      freqHz: scaled ?? (text("freq") ? number("freq", 0) : null),
      antenna: text("antenna") || "isotropic",
      channel: text("channel"),
      rest,
    };
  });
}

/** Sites as the server has read them from a table. */
export function sitesFromServer(entries: SiteEntry[]): Site[] {
  return entries.map((entry, i) => {
    const number = (key: string, missing: number): number => (typeof entry[key] === "number" ? (entry[key] as number) : missing);
    const freq = number("freq", 0);
    const rest: Record<string, string> = number("roll", 0) === 0 ? {} : { roll: String(entry["roll"]) };
    for (const key of ["polarisation", "load", "radius", "bandwidth", "mimo"]) if (entry[key] !== undefined) rest[key] = String(entry[key]);
    return {
      ...newSite(String(entry["name"] || `site ${i + 1}`), number("x", 0), number("y", 0), number("height", 10)),
      azimuth: number("azimuth", 0),
      tilt: number("tilt", 0),
      powerDbm: number("power", 30),
      freqHz: freq > 0 ? freq : null,
      antenna: String(entry["antenna"] ?? "isotropic"),
      channel: String(entry["channel"] ?? ""),
      rest,
    };
  });
}

/** Numbers of the transmitters at each place: the sectors of a site stand together and move together. */
export function groupByPlace(sites: Site[]): number[][] {
  const groups = new Map<string, number[]>();
  sites.forEach((site, i) => {
    const key = `${site.x.toFixed(3)},${site.y.toFixed(3)}`;
    groups.set(key, [...(groups.get(key) ?? []), i]);
  });
  return [...groups.values()];
}

/** A name that no site has: "mast", "mast 2", "mast 3"; letters for sectors. */
export function freeName(sites: Site[], wanted: string): string {
  const taken = new Set(sites.map((site) => site.name));
  if (!taken.has(wanted)) return wanted;
  const stem = wanted.replace(/ \d+$/, "");
  for (let i = 2; ; i++) if (!taken.has(`${stem} ${i}`)) return `${stem} ${i}`;
}

// What a person sets, and its form as a project file: the keys are the options of the command line, `page` holds what only the page needs.
import { sitesFromCsv, sitesToCsv, type Site } from "./sites";

export interface Colours {
  map: string;
  /** Of each layer, where it was set by hand. */
  ranges: Record<string, [number, number]>;
  opacity: number;
  /** Levels with names in place of a continuous scale, where the layer has some. */
  levels: boolean;
}

export interface ViewPlace {
  /** Point of the ground in the middle, in scene coordinates. */
  x: number;
  y: number;
  /** Metres across the height of the window. */
  span: number;
  /** Degrees from looking straight down. */
  tilt: number;
  /** Degrees clockwise that the top of the window is turned from north. */
  turn: number;
}

export interface Project {
  scene: string;
  /** Options that belong to the scene, such as its terrain: of all models. */
  sceneOptions: Record<string, string>;
  sites: Site[];
  model: string;
  /** Options of each model that differ from its defaults, as texts. */
  options: Record<string, Record<string, string>>;
  freq: string;
  res: string;
  rxHeight: string;
  layer: string;
  level: number;
  colours: Colours;
}

export type ProjectJson = Record<string, unknown>;

/** Keys with a field of their own, or that belong to a command and not to the page. */
const reserved = new Set(["command", "scene", "sites", "tx", "model", "freq", "res", "rx-height", "layers", "level", "page", "out", "json", "quiet"]);

export const sceneOptionNames = ["terrain", "foliage", "materials", "crs", "height-field", "height-unit"];

export function emptyProject(scene: string): Project {
  return {
    scene,
    sceneOptions: {},
    sites: [],
    model: "shadow",
    options: {},
    freq: "947MHz",
    res: "5",
    rxHeight: "1.5",
    layer: "power",
    level: -90,
    colours: { map: "spectrum", ranges: {}, opacity: 0.85, levels: true },
  };
}

export function toJson(project: Project, view: ViewPlace | null): ProjectJson {
  const json: ProjectJson = { command: "predict", scene: project.scene, ...project.sceneOptions };
  if (project.sites.length > 0) json["sites"] = sitesToCsv(project.sites);
  json["model"] = project.model;
  json["freq"] = project.freq;
  json["res"] = project.res;
  json["rx-height"] = project.rxHeight;
  Object.assign(json, project.options[project.model] ?? {});
  json["page"] = { layer: project.layer, level: project.level, colours: project.colours, options: project.options, ...(view ? { view } : {}) };
  return json;
}

interface PagePart {
  layer?: string;
  level?: number;
  colours?: Partial<Colours>;
  options?: Record<string, Record<string, string>>;
  view?: ViewPlace;
}

export interface ReadProject {
  project: Project;
  view: ViewPlace | null;
}

function siteOfTx(text: string, index: number): Site {
  const [x, y, z, name] = text.split(",").map((part) => part.trim());
  return sitesFromCsv(`name,x,y,height\n${name || `tx${index + 1}`},${x},${y},${z}\n`)[0];
}

/** Reads a project, of the page or written by hand for the command line. */
export function fromJson(json: ProjectJson): ReadProject {
  const text = (key: string, missing: string): string => (json[key] === undefined ? missing : String(json[key]));
  const page = (json["page"] ?? {}) as PagePart;
  const project = emptyProject(text("scene", ""));
  project.model = text("model", project.model);
  project.freq = text("freq", project.freq);
  project.res = text("res", project.res).replace(/m$/, "");
  project.rxHeight = text("rx-height", project.rxHeight).replace(/m$/, "");
  const table = json["sites"];
  if (typeof table === "string" && table.includes("\n")) project.sites = sitesFromCsv(table);
  const tx = json["tx"];
  if (Array.isArray(tx)) project.sites.push(...tx.map((entry, i) => siteOfTx(String(entry), i)));
  else if (typeof tx === "string") project.sites.push(siteOfTx(tx, 0));
  project.options = page.options ?? {};
  const own: Record<string, string> = {};
  for (const [key, value] of Object.entries(json))
    if (!reserved.has(key)) (sceneOptionNames.includes(key) ? project.sceneOptions : own)[key] = Array.isArray(value) ? value.join(",") : String(value);
  if (Object.keys(own).length > 0) project.options[project.model] = own;
  project.layer = page.layer ?? text("layers", project.layer).split(",")[0];
  project.level = page.level ?? (json["level"] !== undefined ? parseFloat(text("level", "")) : project.level);
  project.colours = { ...project.colours, ...page.colours };
  return { project, view: page.view ?? null };
}

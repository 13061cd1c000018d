// Calls of the server's /v1 interface, with types.
import { decodeGeometry, decodeRaster, type Geometry, type Raster } from "./binary";
import type { Progress } from "./activities";
import type { LinkBudget } from "./budget";
import type { ProjectJson } from "./project";

type Report = (progress: Progress) => void;

const PROGRESS_MS = 400;
/** The file of a job that a request has become. */
const ANSWER_FILE = "answer.bin";

export interface OptionInfo {
  name: string;
  type: string;
  min?: number;
  max?: number;
  default?: string;
  unit?: string;
  help?: string;
  choices?: string[] | string;
  of_all_models?: boolean;
}

export interface ModelInfo {
  name: string;
  title?: string;
  options: OptionInfo[];
  layers: string[];
}

export interface LayerInfo {
  name: string;
  title?: string;
  unit: string;
  /** False: one band of all transmitters together. */
  per_transmitter?: boolean;
  /** Which values are better for radio. */
  better?: "higher" | "lower" | "neither";
  /** Names of the values 0, 1, ... of a layer of classes. */
  classes?: string[];
}

export interface ServerInfo {
  version: string;
  backend: string;
  models: ModelInfo[];
  layers: LayerInfo[];
  limits?: Record<string, number>;
  /** Address of tiles below the map, where the server was started with one. */
  backdrop?: string;
}

export interface SceneInfo {
  id?: string;
  name: string;
  crs: string;
  lonlat: boolean;
  bounds: { x0: number; y0: number; x1: number; y1: number; zmin: number; zmax: number };
  origin: [number, number];
  buildings: number;
  terrain: boolean;
  /** Options of the scene beside its name. */
  options?: Record<string, string | number>;
  hash?: string;
  file?: string;
  /** What the readers have noticed, such as invented heights. */
  notes?: string[];
}

export interface Angles {
  azimuth: number;
  elevation: number;
}

export interface PathInfo {
  transmitter?: number;
  loss_db: number;
  delay_s: number;
  aod?: Angles;
  aoa?: Angles;
  phase?: number;
  vertices: [number, number, number][];
  /** One for each vertex; "end" at both ends. */
  interactions: { kind: string; loss_db?: number; angle_deg?: number }[];
}

export interface ProfileInfo {
  distance_m: number[];
  ground_m: number[];
  top_m: number[];
  tx_m: number;
  rx_m: number;
  freq_hz: number;
}

export interface PathsAnswer {
  paths: PathInfo[];
  profile?: ProfileInfo;
}

export interface MeasuredPoint {
  x: number;
  y: number;
  measured: number;
  predicted: number | null;
}

export interface Evaluation {
  statistics: Record<string, unknown>;
  points: MeasuredPoint[];
}

export interface Job {
  id: string;
  state: string;
  progress?: number;
  message?: string;
  files?: (string | { name: string; bytes?: number })[];
  result?: Record<string, unknown>;
  command_line?: string;
  estimate_s?: number;
}

/** What a job runs. */
export interface JobRequest {
  command: string;
  project: ProjectJson;
  arguments?: Record<string, unknown>;
}

export interface CommandAnswer {
  command_line: string;
  files?: Record<string, string>;
}

/** A line of a table of sites, as the server reads it. */
export type SiteEntry = Record<string, unknown>;

export interface SceneFile {
  file: string;
  bytes?: number;
}

export interface SavedProject {
  id: string;
  /** Seconds since 1970. */
  changed: number;
  scene: string | null;
}

export class ApiError extends Error {
  constructor(
    public status: number,
    message: string,
    public hint: string,
  ) {
    super(message);
  }
}

function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Api {
  private client = randomName();
  /** Bytes and calls so far, for tests and the help page. */
  counts = { calls: 0, bytes: 0 };

  /** Jobs of this page's requests, which end with the page. */
  private jobs = new Set<string>();

  constructor(private base = "v1/") {
    if (typeof addEventListener === "function")
      addEventListener("pagehide", () => {
        for (const id of this.jobs) void fetch(`${this.base}jobs/${id}`, { method: "DELETE", keepalive: true });
      });
  }

  private async call(method: string, path: string, body?: BodyInit, type?: string, signal?: AbortSignal, kind = path.split(/[/?]/)[0]): Promise<Response> {
    // Of each kind of request the newest wins: a request for paths does not stop a map.
    const headers: Record<string, string> = { "X-Rasterwave-Client": `${this.client}-${kind}` };
    if (type) headers["Content-Type"] = type;
    this.counts.calls++;
    let answer: Response;
    try {
      answer = await fetch(this.base + path, { method, headers, body, signal });
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") throw error;
      throw new ApiError(0, "the server does not answer", "Is rasterwave serve still running?");
    }
    if (answer.ok) return answer;
    const told = (await answer.json().catch(() => ({}))) as { error?: string; hint?: string };
    throw new ApiError(answer.status, told.error ?? `the server answers ${answer.status}`, told.hint ?? "");
  }

  private async json<T>(method: string, path: string, body?: unknown, signal?: AbortSignal, kind?: string): Promise<T> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const answer = await this.call(method, path, text, text === undefined ? undefined : "application/json", signal, kind);
    return (await answer.json()) as T;
  }

  info(): Promise<ServerInfo> {
    return this.json("GET", "info");
  }

  scene(): Promise<SceneInfo> {
    return this.json("GET", "scene");
  }

  async scenes(): Promise<SceneFile[]> {
    const answer = await this.json<{ files?: (string | SceneFile)[] }>("GET", "scenes");
    return (answer.files ?? []).map((entry) => (typeof entry === "string" ? { file: entry } : entry));
  }

  async openScene(what: Record<string, unknown>, signal?: AbortSignal, report?: Report): Promise<SceneInfo> {
    return (await (await this.compute("scenes", what, signal, report)).json()) as SceneInfo;
  }

  async geometry(): Promise<Geometry> {
    return decodeGeometry(await (await this.call("GET", "scene/geometry")).arrayBuffer());
  }

  /** Asks how far a request is until the answer is there. */
  private watch(kind: string, report: Report): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let ended = false;
    const look = async (): Promise<void> => {
      const found = await this.json<{ state: string; progress: number; message: string }>("GET", "progress", undefined, undefined, kind).catch(() => null);
      if (ended) return;
      if (found && found.state !== "none") report({ fraction: found.progress, stage: found.message });
      timer = setTimeout(() => void look(), PROGRESS_MS);
    };
    timer = setTimeout(() => void look(), PROGRESS_MS);
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }

  /** An answer of the engine; one that takes long comes from a job of the server. */
  private async compute(path: string, body: unknown, signal?: AbortSignal, report?: Report, kind = path): Promise<Response> {
    const end = report ? this.watch(kind, report) : () => undefined;
    let answer: Response;
    try {
      answer = await this.call("POST", path, JSON.stringify(body), "application/json", signal, kind);
    } finally {
      end();
    }
    if (answer.status !== 202) return answer;
    const started = (await answer.json()) as Job;
    this.jobs.add(started.id);
    try {
      await this.follow(started, (job) => report?.({ fraction: job.progress ?? 0, stage: job.message ?? "", estimateS: job.estimate_s }), signal);
      return await this.call("GET", `jobs/${started.id}/files/${ANSWER_FILE}`, undefined, undefined, signal);
    } finally {
      // Of a job that has ended, its files go; another one ends.
      this.jobs.delete(started.id);
      void this.cancelJob(started.id).catch(() => undefined);
    }
  }

  /** kind: of this request, if it must not replace one for the map that is shown. */
  async predict(
    body: { project: ProjectJson; layer: string; resolution: number; transmitter: number | "best" },
    signal?: AbortSignal,
    report?: Report,
    kind?: string,
  ): Promise<Raster> {
    const answer = await this.compute("predict", body, signal, report, kind);
    const buffer = await answer.arrayBuffer();
    this.counts.bytes += buffer.byteLength;
    return decodeRaster(buffer);
  }

  async paths(
    body: { project: ProjectJson; receiver: [number, number, number]; transmitter: number },
    signal?: AbortSignal,
    report?: Report,
  ): Promise<PathsAnswer> {
    return (await (await this.compute("paths", body, signal, report)).json()) as PathsAnswer;
  }

  /** How the value of the map is composed; without a transmitter, for each. */
  async budget(
    body: { project: ProjectJson; receiver: [number, number, number]; transmitter?: number },
    signal?: AbortSignal,
    report?: Report,
  ): Promise<LinkBudget[]> {
    return ((await (await this.compute("budget", body, signal, report)).json()) as { budgets: LinkBudget[] }).budgets;
  }

  async transform(to: "lonlat" | "scene", points: [number, number][]): Promise<[number, number][]> {
    const answer = await this.json<{ points: [number, number][] }>("POST", "transform", { to, points });
    return answer.points;
  }

  async upload(name: string, data: Blob | string): Promise<string> {
    const answer = await this.call("POST", `files?name=${encodeURIComponent(name)}`, data, "application/octet-stream");
    return ((await answer.json()) as { file: string }).file;
  }

  /** A table of sites, or a file of them, in the scene's coordinates, whatever it was in. */
  async sites(body: { project?: ProjectJson; table?: string; file?: string }): Promise<SiteEntry[]> {
    return (await this.json<{ sites: SiteEntry[] }>("POST", "sites", body)).sites;
  }

  /** A project file below the server's folder, YAML or JSON. */
  async readProject(file: string): Promise<ProjectJson> {
    return (await this.json<{ project: ProjectJson }>("POST", "project/read", { file })).project;
  }

  command(body: Record<string, unknown>): Promise<CommandAnswer> {
    return this.json("POST", "command", body);
  }

  startJob(body: JobRequest): Promise<Job> {
    return this.json("POST", "jobs", body);
  }

  job(id: string): Promise<Job> {
    return this.json("GET", `jobs/${id}`);
  }

  async cancelJob(id: string): Promise<void> {
    await this.call("DELETE", `jobs/${id}`);
  }

  /** The path of a job's file below the server's folder, for other jobs. */
  jobPath(id: string, name: string): string {
    return `.rasterwave-jobs/${id}/${name}`;
  }

  jobFile(id: string, name: string): string {
    return `${this.base}jobs/${id}/files/${name.split("/").map(encodeURIComponent).join("/")}`;
  }

  async jobBytes(id: string, name: string): Promise<ArrayBuffer> {
    return (await this.call("GET", `jobs/${id}/files/${name}`)).arrayBuffer();
  }

  /** A saved project; "": project.yaml. */
  async project(id: string): Promise<ProjectJson | null> {
    const saved = await this.json<{ file: string; project: ProjectJson | null; is_yaml: boolean }>("GET", id === "" ? "project" : `project?id=${id}`);
    return saved.is_yaml ? this.readProject(saved.file) : saved.project;
  }

  async projects(): Promise<SavedProject[]> {
    return (await this.json<{ projects: SavedProject[] }>("GET", "projects")).projects;
  }

  async saveProject(project: ProjectJson, id: string): Promise<void> {
    await this.call("PUT", id === "" ? "project" : `project?id=${id}`, JSON.stringify({ project }), "application/json");
  }

  /** Starts a job and asks until it has ended. */
  async runJob(body: JobRequest, tell: (job: Job) => void, stop: AbortSignal): Promise<Job> {
    const started = await this.startJob(body);
    try {
      return await this.follow(started, tell, stop);
    } catch (error) {
      if (stop.aborted) await this.cancelJob(started.id);
      throw error;
    }
  }

  /** Asks for a job until it has ended. */
  private async follow(started: Job, tell: (job: Job) => void, stop?: AbortSignal): Promise<Job> {
    for (let wait = 80; ; wait = Math.min(1000, wait * 1.4)) {
      const job = { ...started, ...(await this.job(started.id)) };
      if (stop?.aborted) throw new DOMException("cancelled", "AbortError");
      tell(job);
      if (job.state === "done") return job;
      if (/failed|cancel/.test(job.state)) throw new ApiError(job.state === "cancelled" ? 409 : 400, job.message || `the job has ${job.state}`, "");
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

export function jobFileNames(job: Job): string[] {
  return (job.files ?? []).map((file) => (typeof file === "string" ? file : file.name));
}

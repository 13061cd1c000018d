// Maps that follow the project: one request in flight, the newest wins; coarse while something moves, fine when it rests.
import type { Raster } from "./binary";

export interface Wanted {
  /** Everything that the answer depends on, as one text. */
  key: string;
  fineStep: number;
  coarseStep: number;
  live: boolean;
  /** Coarse maps are of a window: much quicker, whatever the steps are. Between them and the map of the whole comes one of the window in fine cells. */
  previews?: boolean;
}

export interface Answer {
  raster: Raster;
  key: string;
  step: number;
  fine: boolean;
  milliseconds: number;
}

/** Maps of one key, from the quickest to the one that is wanted. */
enum Stage {
  none,
  coarse,
  near,
  fine,
}

/** Whether there is a map that is quicker than the fine one. */
function hasCoarse(wanted: Wanted): boolean {
  return wanted.previews === true || wanted.coarseStep > wanted.fineStep;
}

export interface PredictorEvents {
  /** window: of what is looked at alone. */
  ask(step: number, window: boolean, signal: AbortSignal): Promise<Raster>;
  show(answer: Answer): void;
  fail(error: unknown): void;
  busy(state: "idle" | "coarse" | "fine"): void;
}

/** A model whose coarse map takes longer, twice in a row, is computed only when the dragging ends. */
const LIVE_LIMIT_MS = 2500;
const SLOW_ANSWERS = 2;
/** A coarse map of something else than what is wanted is given up after so long: the next one has LIVE_LIMIT_MS. */
const STALE_MS = 2000;
/** Between two attempts to reach a server that does not answer. */
const RETRY_MS = 1000;
/** A fine map that comes sooner than this is asked for at once when the dragging ends. */
const FINE_AT_ONCE_MS = 3000;

export class Predictor {
  private wanted: Wanted | null = null;
  private running: { key: string; stage: Stage; stop: AbortController; began: number } | null = null;
  private shown: { key: string; stage: Stage } | null = null;
  private coarseMs = 0;
  /** Coarse maps in a row that took too long to follow the hand: the first one of a scene also prepares it. */
  private slow = 0;
  /** The hand has let go: no coarse map between. */
  private released = false;
  /** What was cancelled by hand. */
  private cancelled = "";
  private timer: ReturnType<typeof setTimeout> | undefined;
  private staleTimer: ReturnType<typeof setTimeout> | undefined;
  /** Answers so far, for tests. */
  answers = 0;

  constructor(
    private events: PredictorEvents,
    private clock: () => number = () => performance.now(),
    private restMs = 120,
    private retryMs = RETRY_MS,
    private staleMs = STALE_MS,
  ) {}

  /** Forget how long maps take: another model or scene. */
  reset(): void {
    this.coarseMs = 0;
    this.slow = 0;
    this.shown = null;
  }

  want(wanted: Wanted): void {
    const ended = this.wanted !== null && this.wanted.live && !wanted.live;
    const fineMs = this.coarseMs * (wanted.coarseStep / wanted.fineStep) ** 2;
    this.released =
      !wanted.live && (ended || (this.released && this.wanted?.key === wanted.key)) && !wanted.previews && this.coarseMs > 0 && fineMs < FINE_AT_ONCE_MS;
    if (wanted.key !== this.cancelled) this.cancelled = "";
    this.wanted = wanted;
    if (this.running && this.running.key !== wanted.key && ((this.running.stage !== Stage.coarse && hasCoarse(wanted)) || this.released))
      this.running.stop.abort();
    else this.endStale();
    this.next();
  }

  /** A coarse map of before may still be shown while the hand moves, but not one that takes long. */
  private endStale(): void {
    const running = this.running;
    clearTimeout(this.staleTimer);
    if (!running || running.key === this.wanted?.key) return;
    const left = this.staleMs - (this.clock() - running.began);
    if (left <= 0) running.stop.abort();
    else this.staleTimer = setTimeout(() => this.endStale(), left + 1);
  }

  /** Whether the map that is shown is not of what is wanted. */
  get isOutdated(): boolean {
    return this.wanted !== null && this.shown?.key !== this.wanted.key;
  }

  /** Gives up the request in flight; nothing is computed until something changes. */
  cancel(): void {
    const wanted = this.wanted;
    if (!wanted || !this.running) return;
    this.cancelled = wanted.key;
    this.running.stop.abort();
  }

  /** The map to ask for now, or none where everything is shown. */
  private nextStage(wanted: Wanted): Stage {
    if (wanted.key === this.cancelled) return Stage.none;
    const current = this.shown !== null && this.shown.key === wanted.key ? this.shown.stage : Stage.none;
    if (current === Stage.fine) return Stage.none;
    if (wanted.live) {
      if (this.slow >= SLOW_ANSWERS || current !== Stage.none) return Stage.none;
      return hasCoarse(wanted) ? Stage.coarse : Stage.fine;
    }
    if (this.released) return Stage.fine;
    // A coarse map first only where it is much quicker than the fine one.
    if (current === Stage.none && (wanted.previews || wanted.coarseStep > 1.5 * wanted.fineStep)) return Stage.coarse;
    return wanted.previews && current === Stage.coarse && wanted.coarseStep > wanted.fineStep ? Stage.near : Stage.fine;
  }

  private next(): void {
    clearTimeout(this.timer);
    if (!this.running) clearTimeout(this.staleTimer);
    const wanted = this.wanted;
    if (!wanted || this.running) return;
    const stage = this.nextStage(wanted);
    if (stage === Stage.none) {
      this.events.busy("idle");
      return;
    }
    // The fine map waits a moment for the next change, but not for a hand that has let go.
    if (stage === Stage.fine && this.shown?.key === wanted.key && this.restMs > 0 && !this.released)
      this.timer = setTimeout(() => void this.run(wanted, stage), this.restMs);
    else void this.run(wanted, stage);
  }

  private async run(wanted: Wanted, stage: Stage): Promise<void> {
    if (this.running) return;
    const stop = new AbortController();
    const began = this.clock();
    const step = stage === Stage.coarse ? wanted.coarseStep : wanted.fineStep;
    this.running = { key: wanted.key, stage, stop, began };
    this.events.busy(stage === Stage.coarse ? "coarse" : "fine");
    try {
      const raster = await this.events.ask(step, wanted.previews === true && stage !== Stage.fine, stop.signal);
      const milliseconds = this.clock() - began;
      if (stage === Stage.coarse) {
        this.coarseMs = milliseconds;
        this.slow = milliseconds > LIVE_LIMIT_MS ? this.slow + 1 : 0;
      }
      this.shown = { key: wanted.key, stage };
      this.answers++;
      // The engine works on the next map while this one is shown.
      this.running = null;
      this.next();
      this.events.show({ raster, key: wanted.key, step, fine: stage === Stage.fine, milliseconds });
      return;
    } catch (error) {
      const status = (error as { status?: number }).status;
      const superseded = stop.signal.aborted || status === 409;
      if (!superseded && status === 0) {
        // Without an answer: what is wanted stays wanted, and a server that is started again gets the request.
        this.running = null;
        this.events.fail(error);
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.next(), this.retryMs);
        return;
      }
      if (!superseded) {
        // Not asked again until something changes.
        this.shown = { key: wanted.key, stage: Stage.fine };
        this.events.fail(error);
      }
    }
    this.running = null;
    this.next();
  }
}

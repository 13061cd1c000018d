// What is being computed for this page, with how far it is: shown with a way to cancel once it takes more than half a second.

/** How far a request is. */
export interface Progress {
  /** 0 to 1. */
  fraction: number;
  /** What is being done, in a few words; may be empty. */
  stage: string;
  /** Seconds that it was estimated to take, of work in a process of its own. */
  estimateS?: number;
}

export interface Activity {
  readonly label: string;
  readonly since: number;
  progress: Progress | null;
  cancel(): void;
}

export const SHOWN_AFTER_MS = 500;

/** "Finding paths: 12 %, 8 s (estimated: 2 min)". */
export function activityText(label: string, seconds: number, progress: Progress | null): string {
  const percent = progress ? `${Math.floor(100 * progress.fraction)} %, ` : "";
  const estimate = progress?.estimateS ? ` (estimated: ${formatSeconds(progress.estimateS)})` : "";
  return `${label}: ${percent}${formatSeconds(seconds)}${estimate}`;
}

export function formatSeconds(seconds: number): string {
  if (seconds < 90) return `${Math.floor(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}

export class Activities {
  readonly list: Activity[] = [];
  /** Called when one begins, ends or reports. */
  changed: () => void = () => undefined;

  constructor(private clock: () => number = () => performance.now()) {}

  /** Runs work that can be cancelled; what it rejects with passes through. */
  async run<T>(label: string, stop: AbortController, work: (report: (progress: Progress) => void) => Promise<T>): Promise<T> {
    const activity: Activity = { label, since: this.clock(), progress: null, cancel: () => stop.abort() };
    this.list.push(activity);
    this.changed();
    try {
      return await work((progress) => {
        activity.progress = progress;
        this.changed();
      });
    } finally {
      this.list.splice(this.list.indexOf(activity), 1);
      this.changed();
    }
  }
}

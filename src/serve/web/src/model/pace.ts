// Events that come faster than they can be followed: of those within an interval the newest counts.
export class Pace {
  private next: (() => void) | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ranAt = -Infinity;

  constructor(
    private intervalMs: () => number,
    private clock: () => number = () => performance.now(),
  ) {}

  /** Now, or when the interval since the last one is over; a newer one takes its place. */
  run(act: () => void): void {
    const wait = this.ranAt + this.intervalMs() - this.clock();
    this.next = act;
    if (wait <= 0) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), wait);
  }

  private flush(): void {
    const act = this.next;
    this.drop();
    this.ranAt = this.clock();
    act?.();
  }

  /** What waits is not run. */
  drop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.next = null;
  }
}

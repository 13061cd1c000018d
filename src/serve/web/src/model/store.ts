// The project with undo. A change is one step; changes with the same key that follow each other (a drag, typing in a field) are one step.
import type { Project } from "./project";

export type Listener = (project: Project, change: Change) => void;

export interface Change {
  /** In words, for the undo button. */
  label: string;
  /** Changes with the same key are joined. */
  key?: string;
  /** While something is being dragged: listeners may do less. */
  live?: boolean;
}

const STEPS_MAX = 200;
const JOIN_MS = 1500;

export class Store {
  private past: { project: Project; label: string }[] = [];
  private future: { project: Project; label: string }[] = [];
  private listeners: Listener[] = [];
  private lastKey: string | undefined;
  private lastTime = 0;

  constructor(
    public project: Project,
    private now: () => number = () => Date.now(),
  ) {}

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  change(change: Change, edit: (project: Project) => void): void {
    const joined = change.key !== undefined && change.key === this.lastKey && this.now() - this.lastTime < JOIN_MS;
    if (!joined) {
      this.past.push({ project: this.project, label: change.label });
      if (this.past.length > STEPS_MAX) this.past.shift();
    }
    this.future = [];
    this.lastKey = change.key;
    this.lastTime = this.now();
    this.project = structuredClone(this.project);
    edit(this.project);
    this.tell(change);
  }

  /** Ends joining: the next change is a step of its own. */
  settle(): void {
    this.lastKey = undefined;
  }

  replace(project: Project, label: string): void {
    this.past = [];
    this.future = [];
    this.settle();
    this.project = project;
    this.tell({ label });
  }

  get undoLabel(): string | null {
    return this.past.at(-1)?.label ?? null;
  }

  get redoLabel(): string | null {
    return this.future.at(-1)?.label ?? null;
  }

  undo(): void {
    const step = this.past.pop();
    if (!step) return;
    this.future.push({ project: this.project, label: step.label });
    this.project = step.project;
    this.settle();
    this.tell({ label: `undo: ${step.label}` });
  }

  redo(): void {
    const step = this.future.pop();
    if (!step) return;
    this.past.push({ project: this.project, label: step.label });
    this.project = step.project;
    this.settle();
    this.tell({ label: `redo: ${step.label}` });
  }

  private tell(change: Change): void {
    for (const listener of this.listeners) listener(this.project, change);
  }
}

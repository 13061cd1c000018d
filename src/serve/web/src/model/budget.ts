// Link budgets: how the value of the map is composed at a receiver.

export interface BudgetRow {
  name: string;
  /** For readers. */
  about: string;
  db?: number;
  /** Of transmitted power. */
  dbm?: number;
  /** Of an arrival: of the power of all. */
  fraction?: number;
  /** Of an arrival that is a path: its number, from 1. */
  path?: number;
}

export interface LinkBudget {
  /** From 1, of the transmitters of the request. */
  transmitter: number;
  name: string;
  x_m: number;
  y_m: number;
  indoor: boolean;
  path_loss_db: number | null;
  power_dbm: number | null;
  arrivals: BudgetRow[];
  loss: BudgetRow[];
  power: BudgetRow[];
}

/** Of all transmitters the one whose value a map of the strongest has. */
export function strongestBudget(budgets: LinkBudget[], layer: string): LinkBudget | null {
  let best: LinkBudget | null = null;
  const rank = (budget: LinkBudget): number => (layer === "path_loss" ? -(budget.path_loss_db ?? Infinity) : (budget.power_dbm ?? -Infinity));
  for (const budget of budgets) if (best === null || rank(budget) > rank(best)) best = budget;
  return best;
}

/** One step of the bar: terms follow each other, gains go back. */
export interface BarStep {
  row: BudgetRow;
  from: number;
  to: number;
}

export function barSteps(rows: BudgetRow[]): BarStep[] {
  let at = 0;
  return rows.map((row) => {
    const from = at;
    at += row.db ?? row.dbm ?? 0;
    return { row, from, to: at };
  });
}

export function sumOf(rows: BudgetRow[]): number {
  return rows.reduce((sum, row) => sum + (row.db ?? row.dbm ?? 0), 0);
}

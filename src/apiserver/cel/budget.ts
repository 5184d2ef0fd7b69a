/** What one evaluation may cost. Every step pays; a rule that runs out is stopped, so no rule can hang the server. */
import { CelError } from "./values.ts";

/** The cost that upstream grants one call of one rule. */
export const perCallLimit = 1_000_000;
/** The cost that upstream grants all rules of one object together. */
export const perObjectLimit = 10_000_000;

/** Not an ordinary failure: logical operators must not absorb it. */
export class CostExceeded extends CelError {
  constructor() {
    super("operation cancelled: actual cost limit exceeded");
  }
}

export class Budget {
  spent = 0;
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  pay(cost: number): void {
    this.spent += cost;
    if (this.spent > this.limit) throw new CostExceeded();
  }
}

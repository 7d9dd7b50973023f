/** A command of a simulated run, as fast-check generates, shrinks and prints it. */
import type * as fc from "fast-check";
import type { Model } from "./model.ts";
import type { Answered, Simulation } from "./simulation.ts";

export type Run = (model: Model, real: Simulation) => Promise<void>;

export class Command implements fc.AsyncCommand<Model, Simulation> {
  readonly #name: string;
  readonly #ready: (model: Readonly<Model>) => boolean;
  readonly run: Run;

  constructor(name: string, run: Run, ready: (model: Readonly<Model>) => boolean = () => true) {
    this.#name = name;
    this.run = run;
    this.#ready = ready;
  }

  check(model: Readonly<Model>): boolean {
    return this.#ready(model);
  }

  toString(): string {
    return this.#name;
  }
}

/** Commands by name, each with how often it is drawn. */
export type Weighted = Readonly<Record<string, readonly [number, fc.Arbitrary<Command>]>>;

/** Statuses with which the service may reject a change. */
const refusals: ReadonlySet<number> = new Set([409, 412]);

/** Whether the service did it. A refusal of a kind that it may not give is a violation. */
export function isAccepted(
  real: Simulation,
  what: string,
  { status, body, withoutKey }: Answered,
  accepted: number,
): boolean {
  if (status === accepted) return true;
  // What was restored may not be there; what was sealed with a missing key cannot be read.
  const excused = (real.timeTravel.hasGoneBack && status === 404) || (withoutKey && status === 503);
  if (!refusals.has(status) && !excused)
    real.watches.report(`${what} answered ${status}: ${JSON.stringify(body)}`);
  return false;
}

import type { Json } from "#platform/json.ts";

export type FakeVerb = "create" | "read" | "update" | "delete" | "list" | "poll";

/** A fault that occurs `times`: `dropped` is a connection that ends without an answer. */
export interface FakeFault {
  on: FakeVerb;
  /** The collection's path; absent: any. */
  collection?: string;
  status: number | "dropped";
  effect: "before" | "after";
  times?: number;
  headers?: Record<string, string>;
  body?: Json;
}

/** The faults that are still to occur, in order. */
export class FakeFaults {
  readonly #faults: (FakeFault & { left: number })[] = [];

  add(faults: readonly FakeFault[]): void {
    this.#faults.push(...faults.map((fault) => ({ ...fault, left: fault.times ?? 1 })));
  }

  /** The fault that occurs now, which counts as one of its times. */
  due(verb: FakeVerb, collection: string | undefined): FakeFault | undefined {
    const fault = this.#faults.find(
      (one) =>
        one.on === verb &&
        one.left > 0 &&
        (one.collection === undefined || one.collection === collection),
    );
    if (fault !== undefined) fault.left -= 1;
    return fault;
  }
}

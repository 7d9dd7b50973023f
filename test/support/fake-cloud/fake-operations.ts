import type { Json } from "#platform/json.ts";
import type { FakeObject, FakeOperation, OperationRules, Refusal } from "./rules.ts";

/** The course of operations, as a test sets it. */
export interface OperationScript {
  /** Their duration. Default: that of states. */
  takesMs?: number;
  /** They cannot be read, as if the cloud had forgotten them. */
  lost?: true;
  /**
   * They fail. A `named` create leaves an object, which its operation names; an `unnamed` create leaves nothing. Failed
   * updates and deletes have no effect.
   */
  fail?: "named" | "unnamed";
}

interface Kept extends Omit<FakeOperation, "state"> {
  rules: OperationRules;
  endMs: number;
}

/** The operations of a fake cloud. */
export class FakeOperations {
  readonly #operations: Kept[] = [];
  readonly #script: OperationScript;
  readonly #now: () => number;
  readonly #takesMs: number;

  constructor(script: OperationScript, readyAfterMs: number, now: () => number) {
    this.#script = script;
    this.#takesMs = script.takesMs ?? readyAfterMs;
    this.#now = now;
  }

  /** The end of an operation that begins now. */
  endMs(): number {
    return this.#now() + this.#takesMs;
  }

  /** The body of the answer to a change. */
  begin(
    rules: OperationRules,
    verb: FakeOperation["verb"],
    object: FakeObject | undefined,
    failure: Refusal | undefined,
  ): Json {
    const operation: Kept = {
      id: `op-${crypto.randomUUID()}`,
      verb,
      ...(object === undefined ? {} : { object }),
      ...(failure === undefined ? {} : { failure }),
      rules,
      endMs: this.endMs(),
    };
    this.#operations.push(operation);
    return rules.shown(this.#asOfNow(operation));
  }

  /** The operation in a URL; undefined: none can be read there. */
  show(path: string, params: Readonly<Record<string, string>>): Json | undefined {
    if (this.#script.lost === true) return undefined;
    const operation = this.#operations.find(
      ({ id, rules }) => rules.path === path && Object.values(params).includes(id),
    );
    return operation && operation.rules.shown(this.#asOfNow(operation));
  }

  /** Ends all of them. */
  finish(): void {
    for (const operation of this.#operations) operation.endMs = 0;
  }

  #asOfNow({ id, verb, object, failure, endMs }: Kept): FakeOperation {
    const failed = failure !== undefined;
    const isOver = endMs <= this.#now();
    return {
      id,
      verb,
      state: isOver ? (failed ? "failed" : "done") : "running",
      ...(object && { object }),
      ...(isOver && failed && { failure }),
    };
  }
}

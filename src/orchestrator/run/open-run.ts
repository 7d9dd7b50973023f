import { ObjectClaims } from "#orchestrator/claims/object-claims.ts";
import { Program } from "#orchestrator/program/program.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import { InstanceAccount } from "#orchestrator/steps/instance-account.ts";
import { ObjectReads, type ReadCalls } from "#orchestrator/steps/object-reads.ts";
import {
  isReadOnly,
  type Run,
  type RunSpec,
  specOf,
  type TargetLimits,
} from "#orchestrator/storage/run.ts";
import { canonicalJson } from "#platform/json.ts";
import { RunSlot } from "./run-slot.ts";
import { RunWriter } from "./run-writer.ts";

/** An open run with the dependencies of all its phases. */
export class OpenRun {
  readonly run: Run;
  readonly parts: RunnerParts;
  readonly writer: RunWriter;
  readonly slot: RunSlot;
  readonly claims: ObjectClaims;
  #program: Program | undefined;
  #reads: ObjectReads | undefined;
  #account: InstanceAccount | undefined;

  constructor(parts: RunnerParts, run: Run) {
    this.parts = parts;
    this.run = run;
    this.writer = new RunWriter(parts, run);
    this.slot = new RunSlot(parts, run);
    this.claims = new ObjectClaims(parts, run);
  }

  get spec(): RunSpec {
    return specOf(this.run);
  }

  get readOnly(): boolean {
    return isReadOnly(this.spec.operation);
  }

  /**
   * Makes the run obey the target's present limits too. True: they differ from those of its plan, so it must be planned
   * again. A run that only removes or reads objects may continue even if the target allows nothing.
   */
  narrow(limits: TargetLimits): boolean {
    const { operation, inputs, limits: earlier = [] } = this.spec;
    if (operation === "destroy" || operation === "drift_check") return false;
    const textOf = ({ allowedRegions, config }: TargetLimits): string =>
      canonicalJson([[...allowedRegions], config]);
    if ([inputs.target, ...earlier].some((one) => textOf(one) === textOf(limits))) return false;
    this.spec.limits = [...earlier, limits];
    this.#program = undefined;
    this.#reads = undefined;
    this.#account = undefined;
    return true;
  }

  /** Loads the program on first use, with the present credential. Throws the errors of `Program.load`. */
  async program(): Promise<Program> {
    this.#program ??= await Program.load(this.parts, this.run, this.spec);
    return this.#program;
  }

  /** The account of the instance's objects. Throws the errors of `program`. */
  async account(): Promise<InstanceAccount> {
    const program = await this.program();
    this.#account ??= new InstanceAccount(this.parts, this.run, program, (forMs) =>
      this.slot.calls.throttled(forMs),
    );
    return this.#account;
  }

  /** The objects that the program reads with `get`. Throws the errors of `program`. */
  async reads(): Promise<ObjectReads> {
    if (this.#reads !== undefined) return this.#reads;
    const { name, region, tenantId } = this.spec.inputs.target;
    const target = { name, region, isShared: tenantId !== this.run.tenantId };
    const program = await this.program();
    const account = await this.account();
    const calls: ReadCalls = {
      permits: (most) => this.slot.permits(most),
      throttled: (forMs) => this.slot.calls.throttled(forMs),
    };
    const { random } = this.parts;
    this.#reads ??= new ObjectReads(program, account, this.claims, target, { calls, random });
    return this.#reads;
  }
}

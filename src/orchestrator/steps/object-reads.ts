/**
 * The objects that a template reads with `get`. They are read when a run is planned, or as soon as their ids are known,
 * and kept in memory. A read changes nothing, so a restarted runner reads them again. Nothing is claimed.
 */
import type { ObjectToRead } from "#engine/plan/plan.ts";
import type { InstanceState } from "#engine/state/state.ts";
import type { ObjectClaims } from "#orchestrator/claims/object-claims.ts";
import type { CallShare } from "#orchestrator/gate/call-share.ts";
import type { CallPermit } from "#orchestrator/gate/run-calls.ts";
import type { Program } from "#orchestrator/program/program.ts";
import type { Outcome } from "#providers/provider.ts";
import type { InstanceAccount } from "./instance-account.ts";
import { retryDelayMs } from "./retry-delay.ts";
import { Unread, unreadBecause } from "./unread.ts";

const MAX_TRIES = 6;

/** The calls that the run may make. */
export interface ReadCalls {
  /** As many permits as the run has now, at most `most`. With none: the reason for the run's wait. */
  permits: (most: number) => Promise<readonly CallPermit[] | NonNullable<CallShare["wait"]>>;
  throttled: (forMs: number | undefined) => void;
}

/** The run may make no call now. It keeps its reads, and continues after the wait. */
export class WaitsForCalls extends Error {
  readonly wait: NonNullable<CallShare["wait"]>;
  constructor(wait: NonNullable<CallShare["wait"]>) {
    super("The target's cloud takes no more calls of this run now.");
    this.wait = wait;
  }
}

interface Target {
  name: string;
  region: string;
  /** Tenants share the target, so it has other tenants' objects. */
  isShared: boolean;
}

export class ObjectReads {
  readonly #program: Program;
  readonly #account: InstanceAccount;
  readonly #claims: ObjectClaims;
  readonly #target: Target;
  readonly #calls: ReadCalls;
  readonly #random: () => number;
  readonly #tries = new Map<string, number>();

  constructor(
    program: Program,
    account: InstanceAccount,
    claims: ObjectClaims,
    target: Target,
    { calls, random }: { calls: ReadCalls; random: () => number },
  ) {
    this.#program = program;
    this.#account = account;
    this.#claims = claims;
    this.#target = target;
    this.#calls = calls;
    this.#random = random;
  }

  /**
   * Reads the unread objects of the resource's `get` calls; without a resource, those of the whole template. All
   * dependencies are in the state. `permit`: the call that the reads belong to. Throws as `read` does, and the ids'
   * errors.
   */
  async readFor(
    resource: string | undefined,
    state: InstanceState,
    permit?: CallPermit,
  ): Promise<void> {
    // In dependency order: an id may come from an earlier read.
    for (const name of this.#program.readsOf(resource)) {
      const object = this.#program.objectToRead(name, state);
      if (object === undefined) continue;
      if (permit === undefined) await this.read([object]);
      else await this.#read(object, permit);
    }
  }

  /** Reads the objects. Throws `Unread`, and `WaitsForCalls` if the run may make no calls now. */
  async read(objects: readonly ObjectToRead[]): Promise<void> {
    for (let at = 0; at < objects.length;) {
      const permits = await this.#calls.permits(objects.length - at);
      if ("forMs" in permits) throw new WaitsForCalls(permits);
      const now = objects.slice(at, at + permits.length);
      at += now.length;
      await Promise.all(
        permits.map(async (permit, index) => {
          try {
            const object = now[index];
            if (object !== undefined) await this.#read(object, permit);
          } finally {
            permit.end();
          }
        }),
      );
    }
  }

  async #read(object: ObjectToRead, permit: CallPermit): Promise<void> {
    await this.#requireAllowed(object);
    await this.#account.require(permit);
    const { provider, context } = this.#program;
    const { resource, type, written } = object;
    const call = { type, id: written, properties: {} };
    const outcome = await provider.read(permit.context(context), call);
    if (outcome.kind === "failed" && outcome.means === "throttled")
      this.#calls.throttled(outcome.afterMs);
    // The object may have changed hands meanwhile.
    await this.#requireAllowed(object);
    if (outcome.kind !== "done") throw this.#problemOf(object, outcome);
    this.#tries.delete(resource);
    this.#program.keepRead(object, outcome.outputs);
  }

  /**
   * At a shared target, only an object that another instance of the same tenant manages may be read. The cloud is asked
   * about no other object, so that a tenant cannot find out which objects exist.
   */
  async #requireAllowed({ resource, type, id }: ObjectToRead): Promise<void> {
    if (!this.#target.isShared || (await this.#claims.isOwnTenants({ type, id }))) return;
    throw new Unread({
      code: "get_not_allowed",
      message: `${resource} reads ${id}, which no other instance of this tenant manages. At the shared target ${this.#target.name} only such objects can be read. Check the id, or use a target of your own.`,
    });
  }

  #problemOf(
    { resource, type, id }: ObjectToRead,
    outcome: Exclude<Outcome, { kind: "done" }>,
  ): Unread {
    const { name, region } = this.#target;
    if (outcome.kind === "gone")
      return new Unread({
        code: "get_not_found",
        message: `${resource} reads ${id}, but ${type} has no object with this id at the target ${name} (region ${region}). Check the id, the type, and that the target's account and region are those of the object.`,
      });
    const failed =
      outcome.kind === "failed"
        ? outcome
        : { code: "timed_out", message: "the object is still being changed", retryable: true };
    const tries = this.#tries.get(resource) ?? 0;
    this.#tries.set(resource, tries + 1);
    const minimumMs = "afterMs" in failed ? failed.afterMs : undefined;
    const again = failed.retryable && tries + 1 < MAX_TRIES;
    return unreadBecause(
      `${resource} cannot be read`,
      failed,
      again ? retryDelayMs(tries, this.#random(), minimumMs) : undefined,
    );
  }
}

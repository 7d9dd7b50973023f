/**
 * The account that contains the objects of an instance. With a credential for another account, every object would seem
 * to be gone, and another object with the same name would seem to be the instance's.
 *
 * Guarantee: a run makes no call for an object before its credential is known to open the account in which the
 * instance's objects were made. The provider, if it can tell, is asked once in a life of the run.
 */
import { type InstanceState, knownObject } from "#engine/state/state.ts";
import { reveal } from "#engine/value.ts";
import type { CallPermit } from "#orchestrator/gate/run-calls.ts";
import type { Program } from "#orchestrator/program/program.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import { type Run, specOf } from "#orchestrator/storage/run.ts";
import type { RunnerStore } from "#orchestrator/storage/runner-store.ts";
import type { JsonMap } from "#platform/json.ts";
import type { Account, Outcome, ProviderContext } from "#providers/provider.ts";
import { retryDelayMs } from "./retry-delay.ts";
import { Unread, unreadBecause } from "./unread.ts";

/** The time for attempts to ask for the account: as long as most steps may take. */
const GIVE_UP_MS = 30 * 60_000;
/** The most objects that are read to find the account of an instance that has none yet. */
const MAX_PROOFS = 20;

type Failed = Extract<Outcome, { kind: "failed" }>;
/** A run's attempts to ask for the account since its last answer. */
interface Failures {
  runId: string;
  count: number;
  sinceMs: number;
}
type Needed = Pick<RunnerParts, "store" | "resources" | "commit" | "now" | "random">;

/**
 * Ends the run: its credential is not for the account of the instance's objects, or the account cannot be determined.
 */
export class AccountRefused extends Unread {}

export class InstanceAccount {
  readonly #parts: Needed;
  readonly #run: Run;
  readonly #program: Pick<Program, "provider" | "context">;
  readonly #throttled: (forMs: number | undefined) => void;
  #verdict: "same" | AccountRefused | undefined;
  #asking: Promise<void> | undefined;

  constructor(
    parts: Needed,
    run: Run,
    program: Pick<Program, "provider" | "context">,
    throttled: (forMs: number | undefined) => void,
  ) {
    this.#parts = parts;
    this.#run = run;
    this.#program = program;
    this.#throttled = throttled;
  }

  /**
   * Awaited before each call for an object, with that call's `permit`. Throws `AccountRefused`, and `Unread` with a
   * delay if the cloud cannot tell now.
   */
  async require(permit: CallPermit): Promise<void> {
    if (this.#verdict === "same") return;
    if (this.#verdict !== undefined) throw this.#verdict;
    this.#asking ??= this.#ask(permit).finally(() => (this.#asking = undefined));
    await this.#asking;
  }

  async #ask(permit: CallPermit): Promise<void> {
    const { provider } = this.#program;
    if (provider.account === undefined) {
      this.#verdict = "same";
      return;
    }
    const { view } = await this.#parts.resources();
    // An object that is only read for a plan is not the instance's. It may be in any account while the instance has no
    // object.
    if (this.#run.phase !== "applying" && isEmpty(view)) return;
    const context = permit.context(this.#program.context);
    const asked = await provider.account(context);
    if (asked.kind === "failed") throw await this.#problemOf(asked);
    const { facts } = this.#parts.store;
    const kept = facts.get("account") ?? "";
    const isKept = kept !== "";
    const isAlias =
      isKept && asked.alias !== undefined && asked.alias === facts.get("accountAlias");
    if (kept !== asked.id && !isAlias) {
      if (isKept && asked.nameChanges !== true)
        throw this.#refuse(changed(this.#target, kept, asked.id));
      const shown = isEmpty(view) ? undefined : await this.#shows(view, context);
      if (isKept && shown !== true) throw this.#refuse(changed(this.#target, kept, asked.id));
      if (shown === false) throw this.#refuse(unproven(this.#target, asked.id));
    }
    await this.#keep(asked);
    await this.#forgetFailures();
    this.#verdict = "same";
  }

  /** A name that is the alias says less than another. */
  async #keep({ id, alias = "" }: Account): Promise<void> {
    const { facts } = this.#parts.store;
    const kept = facts.get("account") ?? "";
    const account = id === alias && alias === facts.get("accountAlias") && kept !== "" ? kept : id;
    if (account === kept && alias === (facts.get("accountAlias") ?? "")) return;
    await this.#parts.commit(() => {
      facts.set("account", account);
      facts.set("accountAlias", alias);
    });
  }

  get #target(): { name: string; provider: string } {
    return specOf(this.#run).inputs.target;
  }

  /** Whether the account contains one of the objects; undefined: none of them has an id to read. */
  async #shows(
    { current, pendingDeletes }: InstanceState,
    context: ProviderContext,
  ): Promise<boolean | undefined> {
    // A lost object has no id to read.
    const made = [...current.values(), ...pendingDeletes].flatMap(
      (object) => knownObject(object) ?? [],
    );
    // Start with the objects that the last attempts did not read.
    const { facts } = this.#parts.store;
    const begin = Number(facts.get("accountProofs") ?? "0") % Math.max(made.length, 1);
    const turned = [...made.slice(begin), ...made.slice(0, begin)];
    for (const { type, id, objectName: name, inputs } of turned.slice(0, MAX_PROOFS)) {
      if (this.#run.canceling)
        throw new Unread(
          { code: "canceled", message: "the deployment was canceled" },
          { retryAfterMs: 0 },
        );
      const properties = reveal(inputs) as JsonMap;
      const seen = await this.#program.provider.read(context, { type, id, name, properties });
      if (seen.kind === "done" || seen.kind === "pending") return true;
      if (seen.kind === "failed" && seen.retryable) throw await this.#problemOf(seen);
    }
    if (made.length > MAX_PROOFS)
      await this.#parts.commit(() => facts.set("accountProofs", String(begin + MAX_PROOFS)));
    return made.length === 0 ? undefined : false;
  }

  #refuse(problem: { code: string; message: string }): AccountRefused {
    this.#verdict = new AccountRefused(problem, { fault: "user" });
    return this.#verdict;
  }

  /** Counted for each run in storage, which outlives the runner's memory. */
  get #failures(): Failures {
    const none = { runId: this.#run.deploymentId, count: 0, sinceMs: this.#parts.now() };
    const kept = this.#parts.store.facts.get("accountFailures") ?? "";
    const failures = kept === "" ? none : (JSON.parse(kept) as Failures);
    return failures.runId === none.runId ? failures : none;
  }

  /** A run may ask again days after a failed attempt, because it waited for an approval. */
  async #forgetFailures(): Promise<void> {
    const { facts } = this.#parts.store;
    if ((facts.get("accountFailures") ?? "") !== "")
      await this.#parts.commit(() => facts.set("accountFailures", ""));
  }

  async #problemOf(failed: Failed): Promise<Unread> {
    if (failed.means === "throttled") this.#throttled(failed.afterMs);
    const { count, ...first } = this.#failures;
    const { provider } = this.#target;
    const what = `${provider} does not tell which account the target's credential opens`;
    const isOver = this.#parts.now() - first.sinceMs >= GIVE_UP_MS;
    if (failed.retryable && !isOver) {
      const next: Failures = { ...first, count: count + 1 };
      await this.#parts.commit(() =>
        this.#parts.store.facts.set("accountFailures", JSON.stringify(next)),
      );
      return unreadBecause(what, failed, retryDelayMs(count, this.#parts.random(), failed.afterMs));
    }
    const { code, message, fault } = unreadBecause(what, failed, undefined);
    return new AccountRefused({ code, message }, { fault });
  }
}

/**
 * Called in the commit with which the run begins to apply. An instance without objects belongs to no account, and may
 * begin in any.
 */
export function leaveEmptyAccount({ facts }: RunnerStore, state: InstanceState): void {
  if (isEmpty(state)) facts.set("account", "");
}

function isEmpty({ current, pendingDeletes }: InstanceState): boolean {
  return current.size === 0 && pendingDeletes.length === 0;
}

const toLeave =
  "To leave the objects where they are for good, set `retainOnDelete: true` on the resources and deploy, then destroy the instance: the next deployment makes them in the new account.";

function changed(
  { name, provider }: { name: string; provider: string },
  kept: string,
  asked: string,
) {
  return {
    code: "account_changed",
    message: `The objects of this instance are in the account ${kept} of ${provider}, but the target ${name} now opens the account ${asked}, where they would seem to be deleted. Nothing was changed. Give the target a credential and a config of ${kept} again. ${toLeave}`,
  };
}

function unproven({ name, provider }: { name: string; provider: string }, asked: string) {
  return {
    code: "account_unproven",
    message: `The account ${asked} of ${provider}, which the target ${name} opens, shows none of this instance's objects: they are in another account, or were deleted outside this service. Nothing was changed. If they are in another account, give the target a credential and a config of that one. ${toLeave}`,
  };
}

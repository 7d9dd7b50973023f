/**
 * What ends a run from outside its phases: faults that repeat, and operators who abandon it. Both are stored, so that a
 * restart neither starts the count again nor forgets the operator (decision 0060).
 */
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { SealBroken, SealingKeysError } from "#platform/crypto/seal.ts";
import { isFromOutside } from "#platform/outside.ts";

/** Equal faults without progress after which a run ends. */
const MAX_EQUAL = 5;
/** Faults of any kind without progress after which it ends: a message may differ each time. */
const MAX_FAULTS = 25;

export interface RunStop {
  code: "cannot_continue" | "abandoned";
  message: string;
  /** False: to keep what its open steps may have made has failed too, so only the run is closed. */
  keepsUnfinished: boolean;
}

/** What fails: the run, its end, or nothing more than the closing of the run. */
type Stage = "run" | "end" | "close";

interface Faults {
  deploymentId: string;
  stage: Stage;
  /** Where the run stands. Faults before it moved do not count. */
  progress: string;
  /** Digest of the last fault: its message may contain values. */
  digest: string;
  equal: number;
  total: number;
  message: string;
}

export class RunStops {
  readonly #parts: Pick<RunnerParts, "store" | "commit">;

  constructor(parts: Pick<RunnerParts, "store" | "commit">) {
    this.#parts = parts;
  }

  /** Why the run is to be ended; undefined: it goes on. */
  of(deploymentId: string): RunStop | undefined {
    const abandoned = this.#abandoned()[deploymentId];
    const faults = this.#faults(deploymentId);
    const keepsUnfinished = faults?.stage !== "close";
    if (abandoned !== undefined) return { code: "abandoned", message: abandoned, keepsUnfinished };
    if (faults === undefined || faults.stage === "run") return undefined;
    return { code: "cannot_continue", message: faults.message, keepsUnfinished };
  }

  /** How often in a row the run failed where it stands. */
  faultsOf(deploymentId: string): number {
    return this.#faults(deploymentId)?.equal ?? 0;
  }

  /** Marks an open run as abandoned and canceling. `message`: why, for people. False: it has ended, or is marked already. */
  async abandon(deploymentId: string, message: string): Promise<boolean> {
    const { store, commit } = this.#parts;
    const isMarked = () =>
      store.runs.phaseOf(deploymentId) === "closed" ||
      this.#abandoned()[deploymentId] !== undefined;
    if (isMarked()) return false;
    await commit(() => {
      const open = Object.entries(this.#abandoned()).filter(
        ([id]) => store.runs.phaseOf(id) !== "closed",
      );
      store.facts.set(
        "abandoned",
        JSON.stringify(Object.fromEntries([...open, [deploymentId, message]])),
      );
      store.runs.markCanceling(deploymentId);
    });
    return true;
  }

  /**
   * Counts a fault that interrupted the run. Failures of the outside, and of the installation's keys as a whole, do
   * not count: they pass. True: the run is to be ended now.
   */
  async count(deploymentId: string, error: unknown): Promise<boolean> {
    if (isFromOutside(error) || error instanceof SealingKeysError) return false;
    const { store, commit } = this.#parts;
    const digest = await digestHex(
      error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    );
    const known = this.#faults(deploymentId);
    const stage: Stage = this.#abandoned()[deploymentId] === undefined ? "run" : "end";
    const progress = `${store.runs.phaseOf(deploymentId)} ${store.journal.countEnded(deploymentId)}`;
    // The end of a run is no progress of it: it may commit in part each time.
    const before =
      known !== undefined && (known.stage !== "run" || known.progress === progress)
        ? known
        : { stage, digest, equal: 0, total: 0, message: "" };
    const faults: Faults = {
      deploymentId,
      stage: before.stage === "run" ? stage : before.stage,
      progress,
      digest,
      equal: before.digest === digest ? before.equal + 1 : 1,
      total: before.total + 1,
      message: before.stage === "run" ? messageOf(error) : before.message,
    };
    const isOver = faults.equal >= MAX_EQUAL || faults.total >= MAX_FAULTS;
    const next: Faults = isOver
      ? { ...faults, stage: faults.stage === "run" ? "end" : "close", equal: 0, total: 0 }
      : faults;
    await commit(() => store.facts.set("faults", JSON.stringify(next)));
    return isOver;
  }

  #faults(deploymentId: string): Faults | undefined {
    const faults = JSON.parse(this.#parts.store.facts.get("faults") ?? "{}") as Partial<Faults>;
    return faults.deploymentId === deploymentId ? (faults as Faults) : undefined;
  }

  #abandoned(): { readonly [deploymentId: string]: string } {
    return JSON.parse(this.#parts.store.facts.get("abandoned") ?? "{}") as {
      [deploymentId: string]: string;
    };
  }
}

/** Says what is wrong without the error's own words: they may quote values. */
function messageOf(error: unknown): string {
  if (error instanceof SealBroken)
    return "The deployment cannot continue: a secret of the instance cannot be decrypted, because its sealing key is missing.";
  if (error instanceof SyntaxError)
    return "The deployment cannot continue: what the service has stored about it cannot be read.";
  return "The deployment cannot continue: the service failed at the same point each time.";
}

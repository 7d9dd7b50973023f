/**
 * The reasons to end a run from outside its phases: repeated faults, and an operator who abandons it. Both are stored,
 * so a restart neither resets the count nor forgets the operator (decision 0060).
 */
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { SealBroken, SealingKeysError } from "#platform/crypto/seal.ts";
import { isFromOutside } from "#platform/outside.ts";

/** Equal faults without progress after which a run ends. */
const MAX_EQUAL = 5;
/** Faults of any kind without progress after which a run ends, since each message may differ. */
const MAX_FAULTS = 25;

export interface RunStop {
  code: "cannot_continue" | "abandoned";
  message: string;
  /** False: the attempt to keep the effects of its open steps has failed too, so the run is only closed. */
  keepsUnfinished: boolean;
}

/** The part that fails: the run, its end, or only the closing of the run. */
type Stage = "run" | "end" | "close";

interface Faults {
  deploymentId: string;
  stage: Stage;
  /** The run's progress. Faults before the last progress do not count. */
  progress: string;
  /** Digest of the last fault, whose message may contain values. */
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

  /** The reason to end the run; undefined: it continues. */
  of(deploymentId: string): RunStop | undefined {
    const abandoned = this.#abandoned()[deploymentId];
    const faults = this.#faults(deploymentId);
    const keepsUnfinished = faults?.stage !== "close";
    if (abandoned !== undefined) return { code: "abandoned", message: abandoned, keepsUnfinished };
    if (faults === undefined || faults.stage === "run") return undefined;
    return { code: "cannot_continue", message: faults.message, keepsUnfinished };
  }

  /** The number of consecutive equal faults at the run's present point. */
  faultsOf(deploymentId: string): number {
    return this.#faults(deploymentId)?.equal ?? 0;
  }

  /**
   * Marks an open run as abandoned and canceling. `message`: the reason, for people. False: it has ended, or is marked
   * already.
   */
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
   * Counts a fault that interrupted the run. Failures outside the service, and of the installation's keys as a whole,
   * pass and do not count. True: the run must end now.
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
    // The end of a run is no progress, since it may commit in part each time.
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

/** Describes the fault without the error's own message, which may quote values. */
function messageOf(error: unknown): string {
  if (error instanceof SealBroken)
    return "The deployment cannot continue: a secret of the instance cannot be decrypted, because its sealing key is missing.";
  if (error instanceof SyntaxError)
    return "The deployment cannot continue: what the service has stored about it cannot be read.";
  return "The deployment cannot continue: the service failed at the same point each time.";
}

/** The records of a run's steps, folded from its journal and updated with every further entry. */
import type { Step } from "#engine/plan/steps.ts";
import type { StepProgress } from "#engine/schedule.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import {
  type Entry,
  fold,
  markInterrupted,
  newRecord,
  type StepRecord,
} from "#orchestrator/storage/journal.ts";
import { firstNames } from "#platform/text/first-names.ts";
import type { UnclassifiedError } from "#schema/deployments.ts";

/** The most failed resources that the message of the first failure names besides its own. */
const MAX_OTHERS = 3;

export class StepRecords {
  readonly #parts: RunnerParts;
  readonly #deploymentId: string;
  readonly #records = new Map<string, StepRecord>();
  /** The time of the newest entry; undefined: there is none. */
  readonly lastAtMs: number | undefined;
  #firstError: UnclassifiedError | undefined;
  readonly #failed = new Set<string>();

  constructor(parts: RunnerParts, deploymentId: string) {
    this.#parts = parts;
    this.#deploymentId = deploymentId;
    for (const row of parts.store.journal.whole(deploymentId)) {
      fold(this.#records, row);
      this.#noteFailure(row.resource, row.entry);
      this.lastAtMs = row.atMs;
    }
  }

  /** See `markInterrupted` of the journal. */
  markInterrupted(): void {
    markInterrupted(this.#records);
  }

  /** The first failure. Its message names the other failed resources too. */
  get firstError(): UnclassifiedError | undefined {
    const error = this.#firstError;
    const others = [...this.#failed].filter((resource) => resource !== error?.resource);
    if (error === undefined || others.length === 0) return error;
    const { message } = error;
    const sentence = /[.!?…]$/.test(message) ? message : `${message}.`;
    return { ...error, message: `${sentence} Also failed: ${firstNames(others, MAX_OTHERS)}.` };
  }

  get touched(): boolean {
    return [...this.#records.values()].some((record) => record.intents > 0);
  }

  /** The progress of each started step. */
  progress(): ReadonlyMap<string, StepProgress> {
    return new Map([...this.#records].map(([id, record]) => [id, record.progress]));
  }

  /** The steps that wait with an open call. */
  waiting(): { id: string; record: StepRecord }[] {
    return [...this.#records].flatMap(([id, record]) =>
      record.progress.status === "waiting" && record.call !== undefined ? [{ id, record }] : [],
    );
  }

  /** The record of a step that was started. */
  of(step: Step): StepRecord {
    const record = this.#records.get(step.id);
    if (record === undefined) throw new Error(`Step ${step.id} was not started`);
    return record;
  }

  begin(step: Step): void {
    const record = this.#records.get(step.id);
    if (record !== undefined) record.progress = { status: "running" };
    else this.#records.set(step.id, newRecord(this.#parts.now()));
  }

  /** Resumes the step with the run's next share of calls. The journal has nothing of the due call. */
  postpone(step: Step): void {
    const record = this.of(step);
    if (record.intents === 0 && record.call === undefined) this.#records.delete(step.id);
    else record.progress = { status: "waiting", notBeforeMs: 0 };
  }

  /** Writes the entry, within a commit of the runner. */
  append(step: Step, entry: Entry): void {
    fold(this.#records, this.#parts.append(this.#deploymentId, step, entry));
    this.#noteFailure(step.resource, entry);
  }

  #noteFailure(resource: string | null, entry: Entry): void {
    if (entry.kind !== "failed") return;
    if (resource !== null) this.#failed.add(resource);
    this.#firstError ??= {
      code: entry.code,
      message: `${entry.verb} ${resource ?? ""}: ${entry.message}`,
      ...(resource === null ? {} : { resource }),
      ...(entry.fault === undefined ? {} : { fault: entry.fault }),
    };
  }
}

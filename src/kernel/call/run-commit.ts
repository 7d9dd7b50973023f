/** Runs the batch of a commit, including the answer for a repeated request, and classifies its outcome. */
import type { ApiError } from "#kernel/errors.ts";
import type { DeliveryRef } from "#kernel/outbox/outbox.ts";
import { type Db, runBatch } from "#platform/db/client.ts";
import type { Repetition } from "./call-parts.ts";
import { type CommitFailure, failureOf } from "./commit-error.ts";
import type { UnitOfWork } from "./unit-of-work.ts";

export type Commit =
  | { kind: "done"; deliveries: DeliveryRef[] }
  /** The guard on a cached caller failed. */
  | { kind: "caller_changed"; error: unknown }
  /** The database refused the change, or an earlier request has the answer: `error` tells which. */
  | { kind: "refused"; error: unknown }
  /** It is unknown whether anything was written. */
  | { kind: "unknown"; error: unknown };

interface CommitParts {
  db: Db;
  unit: UnitOfWork;
  result: unknown;
  repetition: Repetition | undefined;
  /** There is an audit entry. */
  isChange: boolean;
  /** The error for each `table.column` whose UNIQUE the use case expects to be hit. */
  unique: Readonly<Record<string, ApiError>>;
}

const MAX_TRIES = 2;

/**
 * The second try replaces an expired answer with the same Idempotency-Key. A request that a guard refuses may also have
 * an answer, from an equal request that committed first, because guards precede the answer in the batch.
 */
export async function runCommit(parts: CommitParts): Promise<Commit> {
  const { repetition, db } = parts;
  for (let tries = 1; ; tries += 1) {
    const commit = await attempt(parts);
    if (commit.kind !== "answered_before" && commit.kind !== "refused") return commit;
    const refused = { kind: "refused", error: commit.error } as const;
    // The rows come after the answer. If they violate a UNIQUE, no earlier answer exists.
    const isFirst = commit.kind === "refused" && commit.by === "unique";
    if (repetition === undefined || isFirst) return refused;
    try {
      const [rows] = await runBatch(db, [repetition.find(db)]);
      await repetition.replay(rows);
    } catch (error) {
      return { kind: "refused", error };
    }
    if (commit.kind === "refused" || tries === MAX_TRIES) return refused;
  }
}

async function attempt({
  db,
  unit,
  result,
  repetition,
  isChange,
  unique,
}: CommitParts): Promise<Extract<Commit, { kind: "done" }> | CommitFailure> {
  const answer = (await repetition?.store(db, result, isChange)) ?? [];
  try {
    const statements = unit.statements.toSpliced(unit.answerAt, 0, ...answer);
    const results: unknown[] = await runBatch(db, statements);
    const deliveries = results.slice(unit.deliveriesAt + answer.length).flat() as DeliveryRef[];
    return { kind: "done", deliveries };
  } catch (error) {
    return failureOf(error, unique);
  }
}

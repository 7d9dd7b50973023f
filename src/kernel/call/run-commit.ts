/** Runs the batch of a commit, including the answer for a repeated request, and classifies its outcome. */
import type { ApiError } from "#kernel/errors.ts";
import type { DeliveryRef } from "#kernel/outbox/outbox.ts";
import { type Db, runBatch } from "#platform/db/client.ts";
import type { Repetition } from "./call-parts.ts";
import { failureOf } from "./commit-error.ts";
import type { UnitOfWork } from "./unit-of-work.ts";

export type Commit =
  | { kind: "done"; deliveries: DeliveryRef[] }
  /** The guard on a cached caller failed. */
  | { kind: "caller_changed"; error: unknown }
  /** The database refused the change, or the request was answered before: `error` says so. */
  | { kind: "refused"; error: unknown }
  /** It is unknown whether anything was written. */
  | { kind: "unknown"; error: unknown };

interface CommitParts {
  db: Db;
  unit: UnitOfWork;
  result: unknown;
  repetition: Repetition | undefined;
  /** The error for each `table.column` whose UNIQUE the use case expects to be hit. */
  unique: Readonly<Record<string, ApiError>>;
}

const MAX_TRIES = 2;

/** The second try replaces an answer under the same Idempotency-Key that has expired. */
export async function runCommit(parts: CommitParts): Promise<Commit> {
  const { repetition, db } = parts;
  for (let tries = 1; ; tries += 1) {
    const commit = await attempt(parts);
    if (commit.kind !== "answered_before") return commit;
    if (repetition === undefined) return { kind: "refused", error: commit.error };
    try {
      const [rows] = await runBatch(db, [repetition.find(db)]);
      await repetition.replay(rows);
    } catch (error) {
      return { kind: "refused", error };
    }
    if (tries === MAX_TRIES) return { kind: "refused", error: commit.error };
  }
}

async function attempt({
  db,
  unit,
  result,
  repetition,
  unique,
}: CommitParts): Promise<Commit | { kind: "answered_before"; error: unknown }> {
  const answer = (await repetition?.store(db, result)) ?? [];
  try {
    const statements = unit.statements.toSpliced(unit.answerAt, 0, ...answer);
    const results: unknown[] = await runBatch(db, statements);
    const deliveries = results.slice(unit.deliveriesAt + answer.length).flat() as DeliveryRef[];
    return { kind: "done", deliveries };
  } catch (error) {
    return failureOf(error, unique);
  }
}

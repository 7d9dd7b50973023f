/**
 * Spreads the calls that a target's cloud takes over the runs of the target (decision 0069): so many at the same time,
 * and, once an answer has told a rate budget, so many until it is whole again. A run gets a share and asks again when
 * it is used up or lapses, so a call does not cost a request to the gate.
 *
 * Guarantee: the shares together never exceed the provider's concurrency and the budget that is left. What a dead run
 * held comes back when its share lapses; of its calls only one is given again, whose answer tells what is left.
 */
import type { CallShare, SeenBudget, ShareRequest, UsedShare } from "./call-share.ts";

export interface Caller {
  /** The run, or the check of the target, that makes the calls. */
  deploymentId: string;
  /** The instance whose runner holds the share; "": a request holds it, and is over in a moment. */
  instanceId: string;
}

/** A share that its runner is asked to give back before it lapses. */
export interface RecalledShare extends Caller {
  number: number;
}

/** Life of a share: the same as the interval at which a slot is renewed, so that an unlimited one costs no request. */
const SHARE_MS = 30_000;
/** Of one with a rate budget, or fewer places for calls than runs. */
const TIGHT_SHARE_MS = 10_000;
/** After its life, calls that the share began may still be in flight. */
const LAST_CALLS_MS = 30_000;
/** Calls in a share. */
const MAX_CALLS = 100;
/** A run that waits for another's share asks again after this. */
const ASK_AGAIN_MS = 1_000;
/** A run that waits and does not ask any more is dead after this. */
const WAITING_MS = 5 * ASK_AGAIN_MS;
/** A budget that no answer has told since it was whole is taken as whole again after this. */
const UNTOLD_MS = 60_000;
/** A cloud that asks for more is tried again after this. */
const MAX_HOLD_MS = 3_600_000;

interface CallerRow {
  number: number;
  concurrent: number;
  inFlight: number;
  calls: number | null;
  waitsSince: number | null;
  shortSince: number | null;
}

/** `remaining`: null as long as no answer has told a budget. Calls in shares count as made. */
interface Rate {
  remaining: number | null;
  resetMs: number;
  whole: number;
  heldUntilMs: number;
}

export class CallShares {
  readonly #sql: SqlStorage;
  readonly #now: () => number;

  constructor(sql: SqlStorage, now: () => number) {
    this.#sql = sql;
    this.#now = now;
    sql.exec(`CREATE TABLE IF NOT EXISTS callers (
      deployment_id TEXT PRIMARY KEY,
      instance_id TEXT NOT NULL,
      number INTEGER NOT NULL,
      concurrent INTEGER NOT NULL,
      in_flight INTEGER NOT NULL,
      calls INTEGER,
      waits_since INTEGER,
      short_since INTEGER,
      recalled INTEGER NOT NULL,
      lease_until_ms INTEGER NOT NULL
    ) WITHOUT ROWID`);
    sql.exec(`CREATE TABLE IF NOT EXISTS rate (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      remaining INTEGER,
      reset_ms INTEGER NOT NULL,
      whole INTEGER NOT NULL,
      held_until_ms INTEGER NOT NULL,
      last_number INTEGER NOT NULL,
      settled_by TEXT NOT NULL,
      settled INTEGER NOT NULL,
      settled_before INTEGER NOT NULL
    )`);
    sql.exec("INSERT INTO rate VALUES (1, NULL, 0, 0, 0, 0, '', 0, 0) ON CONFLICT DO NOTHING");
  }

  /** The next share of this run. `recall`: shares of others that it should get a part of. Inside a transaction only. */
  next(who: Caller, request: ShareRequest): { share: CallShare; recall: RecalledShare[] } {
    const nowMs = this.#now();
    this.#dropLapsed(who.deploymentId, nowMs);
    const rate = this.#rate();
    const row = this.#row(who.deploymentId);
    const begins = rate.remaining === null;
    this.#settle(rate, who.deploymentId, row, request, nowMs);
    if (request.throttledForMs !== undefined)
      rate.heldUntilMs = Math.max(
        rate.heldUntilMs,
        nowMs + Math.min(request.throttledForMs, MAX_HOLD_MS),
      );
    const others = this.#others(who.deploymentId);
    const fair = Math.floor(request.concurrency / (others.count + 1));
    const free = Math.max(0, request.concurrency - others.concurrent);
    const waitsSince = row?.waitsSince ?? nowMs;
    const turn = free > this.#waitingBefore("waits_since", who.deploymentId, waitsSince);
    const concurrent = fair > 0 ? Math.min(fair, free) : Number(turn);
    const held = rate.heldUntilMs > nowMs;
    const shortSince = row?.shortSince ?? nowMs;
    const kept = this.#waitingBefore("short_since", who.deploymentId, shortSince);
    const calls =
      held || concurrent === 0
        ? 0
        : callsOf(rate, { kept, runs: others.count + 1, needs: request.needs });
    if (rate.remaining !== null) rate.remaining -= calls ?? 0;
    const forMs = calls === null && fair > 0 ? SHARE_MS : TIGHT_SHARE_MS;
    const share: CallShare = {
      number: this.#nextNumber(),
      concurrent: calls === 0 ? 0 : concurrent,
      calls,
      forMs,
      ...(calls === 0
        ? { wait: waitOf(rate, { nowMs, held, turn: concurrent > 0, shared: others.calls > 0 }) }
        : {}),
    };
    this.#sql.exec(
      `INSERT INTO callers VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?) ON CONFLICT (deployment_id) DO UPDATE SET
        number = excluded.number, concurrent = excluded.concurrent, in_flight = excluded.in_flight,
        calls = excluded.calls, waits_since = excluded.waits_since, short_since = excluded.short_since, recalled = 0,
        lease_until_ms = excluded.lease_until_ms`,
      who.deploymentId,
      who.instanceId,
      share.number,
      share.concurrent,
      request.inFlight,
      share.calls,
      concurrent === 0 ? waitsSince : null,
      calls !== 0 ? null : concurrent > 0 && !held ? shortSince : (row?.shortSince ?? null),
      nowMs + lifeOf(share, request.inFlight),
    );
    this.#save(rate);
    // Those who do not know of the budget yet, or of the hold, and those who have more than their part.
    const all = request.throttledForMs !== undefined || (begins && rate.remaining !== null);
    const recall =
      all || concurrent < Math.max(1, fair) ? this.#recall(who.deploymentId, all ? 0 : fair) : [];
    return { share, recall };
  }

  /** Takes the share back, if it is still that one. `used` null: its runner no longer runs the deployment. */
  giveBack(deploymentId: string, number: number | undefined, used: UsedShare | null): void {
    const row = this.#row(deploymentId);
    if (row === undefined || row.number !== number) return;
    if (used === null) {
      this.remove(deploymentId);
      return;
    }
    const rate = this.#rate();
    this.#settle(rate, deploymentId, row, used, this.#now());
    this.#save(rate);
    this.#sql.exec(
      `UPDATE callers SET calls = 0, concurrent = 0, in_flight = ?, waits_since = NULL, number = ?
        WHERE deployment_id = ?`,
      used.inFlight,
      this.#nextNumber(),
      deploymentId,
    );
  }

  /** Ends the share of a run that is over. */
  remove(deploymentId: string): void {
    this.#probeAfter(
      this.#sql
        .exec("DELETE FROM callers WHERE deployment_id = ? RETURNING calls", deploymentId)
        .toArray(),
    );
  }

  #dropLapsed(exceptId: string, nowMs: number): void {
    this.#probeAfter(
      this.#sql
        .exec(
          "DELETE FROM callers WHERE lease_until_ms < ? AND deployment_id <> ? RETURNING calls",
          nowMs,
          exceptId,
        )
        .toArray(),
    );
  }

  /** Nobody knows how many of these shares' calls were made: one more call tells. */
  #probeAfter(dropped: readonly Record<string, SqlStorageValue>[]): void {
    if (dropped.some(({ calls }) => Number(calls ?? 0) > 0))
      this.#sql.exec("UPDATE rate SET remaining = max(remaining, 1) WHERE remaining IS NOT NULL");
  }

  /** Counts what the run used of its last share, and what it heard from the cloud. */
  #settle(
    rate: Rate,
    deploymentId: string,
    row: CallerRow | undefined,
    { share, made, seen }: UsedShare,
    nowMs: number,
  ): void {
    const calls = row?.calls ?? 0;
    if (rate.remaining !== null && nowMs >= rate.resetMs) {
      // What is in shares or in flight may arrive now that the budget is whole again.
      rate.remaining = rate.whole - this.#others("").calls;
      rate.resetMs = nowMs + UNTOLD_MS;
    }
    if (rate.remaining !== null && row !== undefined && calls > 0)
      // A share of an earlier life of the runner: nobody knows what became of it.
      rate.remaining =
        row.number === share ? rate.remaining + calls - made : Math.max(rate.remaining, 1);
    const shared = this.#others(deploymentId).calls;
    if (seen !== undefined)
      hear(rate, seen, {
        shared,
        nowMs,
        raises: this.#settledByOthers(deploymentId) <= seen.since,
      });
    if (row !== undefined) this.#markSettled(deploymentId);
  }

  #row(deploymentId: string): CallerRow | undefined {
    const [row] = this.#sql
      .exec(
        `SELECT number, concurrent, in_flight AS inFlight, calls, waits_since AS waitsSince,
          short_since AS shortSince FROM callers WHERE deployment_id = ?`,
        deploymentId,
      )
      .toArray();
    return row as unknown as CallerRow | undefined;
  }

  /** `calls`: those that may still arrive at the cloud. */
  #others(deploymentId: string): { count: number; concurrent: number; calls: number } {
    return this.#sql
      .exec(
        `SELECT count(*) AS count, coalesce(sum(max(concurrent, in_flight)), 0) AS concurrent,
          coalesce(sum(coalesce(calls, concurrent) + in_flight), 0) AS calls FROM callers WHERE deployment_id <> ?`,
        deploymentId,
      )
      .one() as unknown as { count: number; concurrent: number; calls: number };
  }

  #waitingBefore(
    column: "waits_since" | "short_since",
    deploymentId: string,
    sinceMs: number,
  ): number {
    const { waiting } = this.#sql
      .exec(
        `SELECT count(*) AS waiting FROM callers WHERE deployment_id <> ?1
          AND (${column} < ?2 OR (${column} = ?2 AND deployment_id < ?1))`,
        deploymentId,
        sinceMs,
      )
      .one();
    return Number(waiting);
  }

  #recall(exceptId: string, above: number): RecalledShare[] {
    return this.#sql
      .exec(
        `UPDATE callers SET recalled = 1 WHERE deployment_id <> ? AND instance_id <> '' AND recalled = 0
          AND concurrent > ?
          RETURNING deployment_id AS deploymentId, instance_id AS instanceId, number`,
        exceptId,
        above,
      )
      .toArray() as unknown as RecalledShare[];
  }

  #nextNumber(): number {
    const { number } = this.#sql
      .exec("UPDATE rate SET last_number = last_number + 1 RETURNING last_number AS number")
      .one();
    return Number(number);
  }

  #rate(): Rate {
    return this.#sql
      .exec("SELECT remaining, reset_ms AS resetMs, whole, held_until_ms AS heldUntilMs FROM rate")
      .one() as unknown as Rate;
  }

  #save({ remaining, resetMs, whole, heldUntilMs }: Rate): void {
    this.#sql.exec(
      "UPDATE rate SET remaining = ?, reset_ms = ?, whole = ?, held_until_ms = ?",
      remaining,
      resetMs,
      whole,
      heldUntilMs,
    );
  }

  /** The number of the last share before another run reported its calls. */
  #settledByOthers(deploymentId: string): number {
    const { settled } = this.#sql
      .exec(
        "SELECT CASE settled_by WHEN ? THEN settled_before ELSE settled END AS settled FROM rate",
        deploymentId,
      )
      .one();
    return Number(settled);
  }

  #markSettled(deploymentId: string): void {
    this.#sql.exec(
      `UPDATE rate SET settled = last_number, settled_by = ?1,
        settled_before = CASE settled_by WHEN ?1 THEN settled_before ELSE settled END`,
      deploymentId,
    );
  }
}

/**
 * Corrects the budget by what the cloud said. `shared`: calls of others that the cloud may have counted or not, so the
 * truth is between the two. `raises`: no other run has reported calls since the request was sent; otherwise those are
 * no longer shared and may not be in the answer.
 */
function hear(
  rate: Rate,
  { remaining, resetInMs, limit }: SeenBudget,
  { shared, nowMs, raises }: { shared: number; nowMs: number; raises: boolean },
): void {
  if (resetInMs <= 0) return;
  const atLeast = Math.max(0, remaining - shared);
  const known = rate.remaining ?? atLeast;
  rate.remaining = Math.min(remaining, raises ? Math.max(known, atLeast) : known);
  rate.resetMs = nowMs + resetInMs;
  rate.whole = limit ?? Math.max(rate.whole, remaining);
}

/**
 * A part for each run, and the last calls to those who wait longest. `kept`: one for each that waits longer. No share is
 * too small for a call, unless the whole budget is.
 */
function callsOf(
  { remaining, whole }: Rate,
  { kept, runs, needs }: { kept: number; runs: number; needs: number },
): number | null {
  if (remaining === null) return null;
  const left = remaining - kept;
  const least = Math.max(1, Math.min(needs, whole, MAX_CALLS));
  if (left < least) return 0;
  return Math.min(MAX_CALLS, Math.max(least, Math.floor(left / runs)));
}

/** How long the gate keeps a share whose run does not ask again. */
function lifeOf({ forMs, wait, concurrent }: CallShare, inFlight: number): number {
  const calling = concurrent + inFlight === 0 ? 0 : forMs + LAST_CALLS_MS;
  return Math.max(calling, (wait?.forMs ?? 0) + WAITING_MS);
}

function waitOf(
  { heldUntilMs, resetMs }: Rate,
  { nowMs, held, turn, shared }: { nowMs: number; held: boolean; turn: boolean; shared: boolean },
): { forMs: number; for: "rate" | "turn" } {
  if (held) return { forMs: heldUntilMs - nowMs, for: "rate" };
  if (!turn) return { forMs: ASK_AGAIN_MS, for: "turn" };
  const untilWholeMs = Math.max(1, resetMs - nowMs);
  // Others may give back what they do not use.
  return { forMs: shared ? Math.min(untilWholeMs, 2 * ASK_AGAIN_MS) : untilWholeMs, for: "rate" };
}

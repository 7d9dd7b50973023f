/**
 * Spreads the calls that a target's cloud takes over the runs of the target (decision 0069): so many at the same time,
 * and, once an answer has told a rate budget, so many until it is whole again. A run gets a share and asks again when
 * it is used up or lapses, so a call does not cost a request to the gate. Where tenants share the target, they get equal
 * parts, and their runs parts of these.
 *
 * Guarantee: the shares together never exceed the provider's concurrency and the budget that is left. What a dead run
 * held comes back when its share lapses; of its calls only one is given again, whose answer tells what is left. A tenant
 * that begins to call finds calls, whatever the others have made.
 */
import { type CallShare, type ShareRequest, spanOf, type UsedShare } from "./call-share.ts";
import { RareTable } from "./rare-table.ts";
import { callsOf, hear, isOver, MAX_HOLD_MS, type Rate, reserveOf, renew, waitOf } from "./rate.ts";

export interface Caller {
  /** The run, or the check of the target, that makes the calls. */
  deploymentId: string;
  /** The instance whose runner holds the share; "": a request holds it, and is over in a moment. */
  instanceId: string;
  /** The run's tenant, at a target that tenants share. */
  tenantId?: string;
}

/** A share that its runner is asked to give back before it lapses. */
export interface RecalledShare extends Omit<Caller, "tenantId"> {
  number: number;
}

/** Life of a share: the same as the interval at which a slot is renewed, so that an unlimited one costs no request. */
const SHARE_MS = 30_000;
/** Of one with a rate budget, or fewer places for calls than runs. */
const TIGHT_SHARE_MS = 10_000;
/** After its life, calls that the share began may still be in flight. */
const LAST_CALLS_MS = 30_000;
/** A run that waits and does not ask any more is dead after this. */
const WAITING_MS = 5_000;
/** The tenant of all runs, where no others use the target. */
const OWN = "";

interface CallerRow {
  tenantId: string;
  number: number;
  concurrent: number;
  inFlight: number;
  calls: number | null;
  waitsSince: number | null;
  shortSince: number | null;
}

/** The budget with the numbers of the shares: one row, written once for each share. */
interface KeptRate extends Rate {
  lastNumber: number;
  /** Who reported its calls last, the number of the last share then, and that before another run reported its own. */
  settledBy: string;
  settled: number;
  settledBefore: number;
}

const untold: Readonly<KeptRate> = {
  remaining: null,
  resetMs: 0,
  resetIsGuess: 0,
  whole: 0,
  heldUntilMs: 0,
  lastNumber: 0,
  settledBy: "",
  settled: 0,
  settledBefore: 0,
};

/** How the places and calls are spread over tenants, without the run that asks. */
interface Spread {
  /** Tenants with runs, that of the asking run included. */
  tenants: number;
  /** Runs of its tenant, itself included. */
  ownRuns: number;
  concurrent: number;
  /** Those that may still arrive at the cloud. */
  calls: number;
}

/** The runs of a tenant that wait. */
interface Line {
  tenantId: string;
  waiting: number;
  /** Of these, those that wait longer than the one that asks. */
  longer: number;
  /** What the tenant's runs have. */
  had: number;
}

export class CallShares {
  readonly #sql: SqlStorage;
  readonly #now: () => number;
  readonly #madeTable: RareTable;

  constructor(sql: SqlStorage, now: () => number) {
    this.#sql = sql;
    this.#now = now;
    sql.exec(`CREATE TABLE IF NOT EXISTS callers (
      deployment_id TEXT PRIMARY KEY,
      instance_id TEXT NOT NULL,
      tenant_id TEXT NOT NULL,
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
      reset_is_guess INTEGER NOT NULL,
      whole INTEGER NOT NULL,
      held_until_ms INTEGER NOT NULL,
      last_number INTEGER NOT NULL,
      settled_by TEXT NOT NULL,
      settled INTEGER NOT NULL,
      settled_before INTEGER NOT NULL
    )`);
    // Calls that the runs of a tenant have made since the budget was whole.
    this.#madeTable = new RareTable(
      sql,
      "made",
      `CREATE TABLE made (
        tenant_id TEXT PRIMARY KEY,
        calls INTEGER NOT NULL,
        at_ms INTEGER NOT NULL
      ) WITHOUT ROWID`,
    );
  }

  /** A transaction was rolled back. */
  forget(): void {
    this.#madeTable.forget();
  }

  /** The next share of this run. `recall`: shares of others that it should get a part of. Inside a transaction only. */
  next(who: Caller, request: ShareRequest): { share: CallShare; recall: RecalledShare[] } {
    const nowMs = this.#now();
    const tenantId = who.tenantId ?? OWN;
    this.#dropLapsed(who.deploymentId, nowMs);
    const rate = this.#rate();
    const row = this.#row(who.deploymentId);
    const begins = rate.remaining === null;
    this.#settle(rate, who.deploymentId, row, request, nowMs);
    const throttledForMs = spanOf(request.throttledForMs);
    if (throttledForMs !== undefined)
      rate.heldUntilMs = Math.max(rate.heldUntilMs, nowMs + Math.min(throttledForMs, MAX_HOLD_MS));
    const others = this.#others(who.deploymentId, tenantId);
    const fair = Math.floor(request.concurrency / others.tenants / others.ownRuns);
    const free = Math.max(0, request.concurrency - others.concurrent);
    const waitsSince = row?.waitsSince ?? nowMs;
    const turn = free > this.#waitingBefore("places", who.deploymentId, tenantId, waitsSince);
    const concurrent = fair > 0 ? Math.min(fair, free) : Number(turn);
    const held = rate.heldUntilMs > nowMs;
    const shortSince = row?.shortSince ?? nowMs;
    const kept = this.#waitingBefore("calls", who.deploymentId, tenantId, shortSince);
    const reserve =
      tenantId === OWN ? 0 : reserveOf(rate, this.#madeBy(tenantId, who.deploymentId), nowMs);
    const runs = others.tenants * others.ownRuns;
    const calls =
      held || concurrent === 0
        ? 0
        : callsOf(rate, { kept: kept + reserve, runs, needs: request.needs });
    if (rate.remaining !== null) rate.remaining -= calls ?? 0;
    const forMs = calls === null && fair > 0 ? SHARE_MS : TIGHT_SHARE_MS;
    const share: CallShare = {
      number: nextNumber(rate),
      concurrent: calls === 0 ? 0 : concurrent,
      calls,
      forMs,
      ...(calls === 0
        ? {
            wait: waitOf(rate, {
              nowMs,
              held,
              turn: concurrent > 0,
              shared: others.calls > 0,
              reserved: reserve > 0,
            }),
          }
        : {}),
    };
    this.#sql.exec(
      `INSERT INTO callers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?) ON CONFLICT (deployment_id) DO UPDATE SET
        number = excluded.number, concurrent = excluded.concurrent, in_flight = excluded.in_flight,
        calls = excluded.calls, waits_since = excluded.waits_since, short_since = excluded.short_since, recalled = 0,
        lease_until_ms = excluded.lease_until_ms`,
      who.deploymentId,
      who.instanceId,
      tenantId,
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
    const all = throttledForMs !== undefined || (begins && rate.remaining !== null);
    const recall =
      all || concurrent < Math.max(1, fair)
        ? this.#recall(who.deploymentId, all ? 0 : request.concurrency / others.tenants)
        : [];
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
    const newNumber = nextNumber(rate);
    this.#save(rate);
    this.#sql.exec(
      `UPDATE callers SET calls = 0, concurrent = 0, in_flight = ?, waits_since = NULL, number = ?
        WHERE deployment_id = ?`,
      used.inFlight,
      newNumber,
      deploymentId,
    );
  }

  /** Ends the share of a run that is over. */
  remove(deploymentId: string): void {
    this.#forget("deployment_id = ?", deploymentId);
  }

  #dropLapsed(exceptId: string, nowMs: number): void {
    this.#forget("lease_until_ms < ? AND deployment_id <> ?", nowMs, exceptId);
  }

  /** Nobody knows how many of these shares' calls were made: one more call tells. */
  #forget(which: string, ...values: (string | number)[]): void {
    const dropped = this.#sql
      .exec(
        `DELETE FROM callers WHERE ${which} RETURNING tenant_id AS tenantId, coalesce(calls, 0) AS calls`,
        ...values,
      )
      .toArray() as unknown as { tenantId: string; calls: number }[];
    for (const { tenantId, calls } of dropped) this.#count(tenantId, calls);
    if (dropped.some(({ calls }) => calls > 0))
      this.#sql.exec("UPDATE rate SET remaining = max(remaining, 1) WHERE remaining IS NOT NULL");
  }

  /** Counts what the run used of its last share, and what it heard from the cloud. */
  #settle(
    rate: KeptRate,
    deploymentId: string,
    row: CallerRow | undefined,
    { share, made, seen }: UsedShare,
    nowMs: number,
  ): void {
    const calls = row?.calls ?? 0;
    if (isOver(rate, nowMs)) {
      renew(rate, this.#others("").calls, nowMs);
      if (this.#madeTable.exists) this.#sql.exec("DELETE FROM made");
    }
    if (rate.remaining !== null && row !== undefined && calls > 0) {
      // A share of an earlier life of the runner: nobody knows what became of it.
      const isKnown = row.number === share;
      rate.remaining = isKnown ? rate.remaining + calls - made : Math.max(rate.remaining, 1);
      this.#count(row.tenantId, isKnown ? made : calls);
    }
    const shared = this.#others(deploymentId).calls;
    if (seen !== undefined)
      hear(rate, seen, {
        shared,
        nowMs,
        raises: settledByOthers(rate, deploymentId) <= seen.since,
      });
    if (row !== undefined) markSettled(rate, deploymentId);
  }

  #row(deploymentId: string): CallerRow | undefined {
    const [row] = this.#sql
      .exec(
        `SELECT tenant_id AS tenantId, number, concurrent, in_flight AS inFlight, calls, waits_since AS waitsSince,
          short_since AS shortSince FROM callers WHERE deployment_id = ?`,
        deploymentId,
      )
      .toArray();
    return row as unknown as CallerRow | undefined;
  }

  #others(deploymentId: string, tenantId = OWN): Spread {
    return this.#sql
      .exec(
        `SELECT count(DISTINCT CASE tenant_id WHEN ?2 THEN NULL ELSE tenant_id END) + 1 AS tenants,
          coalesce(sum(tenant_id = ?2), 0) + 1 AS ownRuns,
          coalesce(sum(max(concurrent, in_flight)), 0) AS concurrent,
          coalesce(sum(coalesce(calls, concurrent) + in_flight), 0) AS calls
          FROM callers WHERE deployment_id <> ?1`,
        deploymentId,
        tenantId,
      )
      .one() as unknown as Spread;
  }

  /** Calls that the tenant has had since the budget was whole, those in shares of its other runs included. */
  #madeBy(tenantId: string, exceptId: string): number {
    const { calls } = this.#sql
      .exec(
        "SELECT coalesce(sum(calls), 0) AS calls FROM callers WHERE tenant_id = ? AND deployment_id <> ?",
        tenantId,
        exceptId,
      )
      .one();
    return Number(calls) + (this.#made().get(tenantId) ?? 0);
  }

  #made(): Map<string, number> {
    if (!this.#madeTable.exists) return new Map();
    const rows = this.#sql.exec("SELECT tenant_id AS tenantId, calls FROM made").toArray();
    return new Map(
      (rows as unknown as { tenantId: string; calls: number }[]).map(
        ({ tenantId, calls }) => [tenantId, calls] as const,
      ),
    );
  }

  /** The runs that come first: those of tenants that have less, and of equal ones those that wait longer. */
  #waitingBefore(
    what: "places" | "calls",
    deploymentId: string,
    tenantId: string,
    sinceMs: number,
  ): number {
    const [since, had] =
      what === "places"
        ? ["waits_since", "max(concurrent, in_flight)"]
        : ["short_since", "coalesce(calls, 0)"];
    const tenants = this.#sql
      .exec(
        `SELECT tenant_id AS tenantId, count(${since}) AS waiting, sum(${had}) AS had,
          count(CASE WHEN ${since} < ?2 OR (${since} = ?2 AND deployment_id < ?1) THEN 1 END) AS longer
          FROM callers WHERE deployment_id <> ?1 GROUP BY tenant_id`,
        deploymentId,
        sinceMs,
      )
      .toArray() as unknown as Line[];
    const made = what === "calls" ? this.#made() : new Map<string, number>();
    const hadBy = (id: string, inShares: number) => inShares + (made.get(id) ?? 0);
    const own = tenants.find((one) => one.tenantId === tenantId);
    const ownHad = hadBy(tenantId, own?.had ?? 0);
    return tenants.reduce((before, { tenantId: id, waiting, longer, had: inShares }) => {
      const itsHad = hadBy(id, inShares);
      return before + (itsHad < ownHad ? waiting : itsHad === ownHad ? longer : 0);
    }, 0);
  }

  /** Shares with more places than a run of their tenant gets. `each`: the places of a tenant. */
  #recall(exceptId: string, each: number): RecalledShare[] {
    return this.#sql
      .exec(
        `UPDATE callers SET recalled = 1 WHERE deployment_id <> ?1 AND instance_id <> '' AND recalled = 0
          AND concurrent > 0
          AND concurrent > CAST(?2 / (SELECT count(*) FROM callers AS c WHERE c.tenant_id = callers.tenant_id) AS INTEGER)
          RETURNING deployment_id AS deploymentId, instance_id AS instanceId, number`,
        exceptId,
        each,
      )
      .toArray() as unknown as RecalledShare[];
  }

  #count(tenantId: string, calls: number): void {
    if (tenantId === OWN || calls === 0) return;
    const nowMs = this.#now();
    this.#madeTable.make();
    // Where a budget is never whole, but refilled, who was away begins anew.
    this.#sql.exec("DELETE FROM made WHERE at_ms < ?", nowMs - MAX_HOLD_MS);
    this.#sql.exec(
      `INSERT INTO made VALUES (?, ?, ?) ON CONFLICT DO UPDATE
        SET calls = calls + excluded.calls, at_ms = excluded.at_ms`,
      tenantId,
      calls,
      nowMs,
    );
  }

  #rate(): KeptRate {
    const [rate] = this.#sql
      .exec(
        `SELECT remaining, reset_ms AS resetMs, reset_is_guess AS resetIsGuess, whole, held_until_ms AS heldUntilMs,
          last_number AS lastNumber, settled_by AS settledBy, settled, settled_before AS settledBefore FROM rate`,
      )
      .toArray();
    return (rate ?? { ...untold }) as unknown as KeptRate;
  }

  #save(rate: KeptRate): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO rate VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      rate.remaining,
      rate.resetMs,
      rate.resetIsGuess,
      rate.whole,
      rate.heldUntilMs,
      rate.lastNumber,
      rate.settledBy,
      rate.settled,
      rate.settledBefore,
    );
  }
}

/** The number of the last share before another run reported its calls. */
function settledByOthers(
  { settledBy, settled, settledBefore }: KeptRate,
  deploymentId: string,
): number {
  return settledBy === deploymentId ? settledBefore : settled;
}

function markSettled(rate: KeptRate, deploymentId: string): void {
  if (rate.settledBy !== deploymentId) rate.settledBefore = rate.settled;
  rate.settled = rate.lastNumber;
  rate.settledBy = deploymentId;
}

function nextNumber(rate: KeptRate): number {
  rate.lastNumber += 1;
  return rate.lastNumber;
}

/** How long the gate keeps a share whose run does not ask again. */
function lifeOf({ forMs, wait, concurrent }: CallShare, inFlight: number): number {
  const calling = concurrent + inFlight === 0 ? 0 : forMs + LAST_CALLS_MS;
  return Math.max(calling, (wait?.forMs ?? 0) + WAITING_MS);
}

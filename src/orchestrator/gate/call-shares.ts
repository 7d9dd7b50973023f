/**
 * Spreads a target's cloud calls over its runs (decision 0069). It limits concurrent calls and, once an answer has told
 * a rate budget, the calls until its reset. A run gets a share and asks again when the share is used up or lapses, so
 * single calls cost no request to the gate. Tenants that share the target get equal parts and take turns; the runs of a
 * tenant divide its part.
 *
 * Guarantee: the shares together never exceed the provider's concurrency and the budget that is left. A dead run's
 * share comes back when it lapses. Only one call of it is given out again: the answer tells the rest of the budget. A
 * tenant that begins to call finds calls, however many the others have made.
 *
 * Each run has a row, and the rest of the budget has one. Both are written once for each share, and read once in this
 * object's life.
 */
import { type CallShare, type ShareRequest, spanOf, type UsedShare } from "./call-share.ts";
import { callsOf, hear, MAX_HOLD_MS, type Rate, reserveOf } from "./rate.ts";

export interface Caller {
  /** The run, or the check of the target, that makes the calls. */
  deploymentId: string;
  /** The instance whose runner holds the share; "": a short request holds it. */
  instanceId: string;
  /** The run's tenant, at a target that tenants share. */
  tenantId?: string;
}

/** Life of a share. It equals the interval at which a slot is renewed, so that an unlimited share costs no request. */
const SHARE_MS = 30_000;
/** Life of a share with a rate budget. */
const COUNTED_SHARE_MS = 10_000;
/** Life of a share while other runs wait for their turn. */
const TURN_MS = 5_000;
/** Time after a share's life in which its last calls may still be in flight. */
const LAST_CALLS_MS = 30_000;
/** A waiting run that has not asked again for this time is dead. */
const WAITING_MS = 5_000;
/** A run that waits for another's share asks again after this time, or later if many wait. */
const ASK_AGAIN_MS = 1_000;
/** A run that waits because calls are reserved for other tenants asks again after this time. */
const RESERVED_MS = 60_000;
/** The tenant of every run at a target that tenants do not share. */
const OWN = "";
/** The id of the row that belongs to no run. */
const RATE = "";

/** A run that has a share or waits for one. */
interface Held {
  instanceId: string;
  tenantId: string;
  number: number;
  concurrent: number;
  inFlight: number;
  calls: number | null;
  waitsSinceMs: number | null;
  isRecalled: boolean;
  untilMs: number;
}

/** A share that its runner is asked to return before it lapses. */
export interface RecalledShare {
  deploymentId: string;
  instanceId: string;
  number: number;
}

interface KeptRate extends Rate {
  /** The number of the last share, report of calls, or end of a share. */
  lastNumber: number;
  /**
   * `had`: calls since the last reset. `served`: the number of the tenant's last share; for a new tenant, the number of
   * the last share before it came.
   */
  tenants: Record<string, { had: number; served: number }>;
}

interface Kept {
  rate: KeptRate;
  held: Map<string, Held>;
}

/** The runs of a tenant. */
interface Line {
  runs: number;
  concurrent: number;
  waits: boolean;
}

export class CallShares {
  readonly #sql: SqlStorage;
  readonly #now: () => number;
  #memory: Kept | undefined;

  constructor(sql: SqlStorage, now: () => number) {
    this.#sql = sql;
    this.#now = now;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS calls (id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID",
    );
  }

  /** A transaction was rolled back. */
  forget(): void {
    this.#memory = undefined;
  }

  /**
   * The next share of this run. `recall`: shares of other runs, of which this run should get a part. Only inside a
   * transaction.
   */
  next(who: Caller, request: ShareRequest): { share: CallShare; recall: RecalledShare[] } {
    const { deploymentId, instanceId, tenantId = OWN } = who;
    const { concurrency, inFlight } = request;
    const nowMs = this.#now();
    this.#drop((one, id) => one.untilMs < nowMs && id !== deploymentId);
    this.#countUse(deploymentId, request, nowMs);
    const { rate, held } = this.#kept;
    const throttledForMs = spanOf(request.throttledForMs);
    if (throttledForMs !== undefined)
      rate.heldUntilMs = Math.max(rate.heldUntilMs, nowMs + Math.min(throttledForMs, MAX_HOLD_MS));
    const tenant = (rate.tenants[tenantId] ??= { had: 0, served: rate.lastNumber });
    const waitsSinceMs = held.get(deploymentId)?.waitsSinceMs ?? nowMs;
    const lines = this.#lines(deploymentId, tenantId);
    const ahead = this.#ahead(deploymentId, tenantId, { lines, waitsSinceMs });
    const { runs: ownRuns, concurrent: own } = lines.get(tenantId) ?? { runs: 1, concurrent: 0 };
    const part = concurrency / lines.size;
    const fair = Math.floor(part / ownRuns);
    // The runs of a tenant together have at most its part, rounded up.
    const most = Math.min(
      Math.max(1, Math.floor(Math.ceil(part) / ownRuns)),
      Math.ceil(part) - own,
      request.places ?? concurrency,
    );
    const free = [...lines.values()].reduce((left, line) => left - line.concurrent, concurrency);
    const places = Math.max(0, Math.min(most, free - ahead));
    const reserve = tenantId === OWN ? 0 : reserveOf(rate, tenant.had, nowMs);
    const isHeld = rate.heldUntilMs > nowMs;
    const calls = isHeld || places === 0 ? 0 : callsOf(rate, ahead + reserve, lines.size * ownRuns);
    let wait: CallShare["wait"];
    if (isHeld) wait = { forMs: rate.heldUntilMs - nowMs, for: "rate" };
    else if (places === 0)
      wait = { forMs: ASK_AGAIN_MS * Math.ceil((1 + ahead) / concurrency), for: "turn" };
    else if (calls === 0) {
      // Other runs may return unused calls.
      const isShared = this.#openCalls(deploymentId) > 0;
      const againMs = isShared ? 2 * ASK_AGAIN_MS : reserve > 0 ? RESERVED_MS : Infinity;
      wait = { forMs: Math.min(Math.max(1, rate.resetMs - nowMs), againMs), for: "rate" };
    } else {
      rate.lastNumber += 1;
      tenant.served = rate.lastNumber;
      tenant.had += calls ?? 0;
      if (rate.remaining !== null) rate.remaining -= calls ?? 0;
    }
    const share: CallShare = {
      number: rate.lastNumber,
      concurrent: wait === undefined ? places : 0,
      calls,
      forMs: fair < 1 ? TURN_MS : calls === null ? SHARE_MS : COUNTED_SHARE_MS,
      ...(wait && { wait }),
    };
    const callsForMs = share.concurrent + inFlight === 0 ? 0 : share.forMs + LAST_CALLS_MS;
    this.#hold(deploymentId, {
      instanceId,
      tenantId,
      number: share.number,
      concurrent: share.concurrent,
      inFlight,
      calls,
      waitsSinceMs: wait === undefined ? null : waitsSinceMs,
      isRecalled: false,
      untilMs: nowMs + Math.max(callsForMs, (wait?.forMs ?? 0) + WAITING_MS),
    });
    this.#saveRate();
    // Recalls shares that are larger or longer than a turn: shares of tenants with more calls if this tenant lacks its
    // part, its own otherwise.
    const lacks = own < Math.floor(part);
    const isWanted = (one: Held) => {
      const line = lines.get(one.tenantId) ?? { runs: 1, concurrent: 0 };
      if ((one.tenantId === tenantId) === lacks || (lacks && line.concurrent <= part)) return false;
      const its = Math.max(1, Math.floor(part / line.runs));
      return one.concurrent > its || one.untilMs > nowMs + TURN_MS + LAST_CALLS_MS;
    };
    const isShort = places < Math.max(1, fair);
    const recall =
      throttledForMs !== undefined || isShort
        ? this.#recall(deploymentId, throttledForMs === undefined ? isWanted : () => true)
        : [];
    return { share, recall };
  }

  /** Takes the share back, if it is still the run's current one. */
  giveBack(deploymentId: string, used: UsedShare): void {
    const one = this.#kept.held.get(deploymentId);
    if (one === undefined || one.number !== used.share) return;
    this.#countUse(deploymentId, used, this.#now());
    const { inFlight } = used;
    this.#hold(deploymentId, { ...one, calls: 0, concurrent: 0, inFlight, waitsSinceMs: null });
    this.#saveRate();
  }

  /**
   * Ends the share of a run that has ended or is unknown to its runner. `number`: only a share with this number.
   */
  remove(deploymentId: string, number?: number): void {
    this.#drop((one, id) => id === deploymentId && one.number === (number ?? one.number));
  }

  /**
   * Nobody reports the calls made from these shares, so all of their calls count as made. One more call is allowed: its
   * answer tells the rest of the budget.
   */
  #drop(isOver: (one: Held, deploymentId: string) => boolean): void {
    const { rate, held } = this.#kept;
    for (const [deploymentId, one] of held) {
      if (!isOver(one, deploymentId)) continue;
      held.delete(deploymentId);
      this.#sql.exec("DELETE FROM calls WHERE id = ?", deploymentId);
      if (rate.remaining === null) continue;
      if ((one.calls ?? 0) > 0) rate.remaining = Math.max(rate.remaining, 1);
      rate.lastNumber += 1;
      this.#saveRate();
    }
  }

  /** Counts the run's use of its last share, and takes over the budget from the cloud's answer. */
  #countUse(deploymentId: string, { share, made, seen }: UsedShare, nowMs: number): void {
    const { rate, held } = this.#kept;
    if (rate.remaining !== null && nowMs >= rate.resetMs) {
      rate.remaining = null;
      for (const tenant of Object.values(rate.tenants)) tenant.had = 0;
    }
    const one = held.get(deploymentId);
    if (one !== undefined && (one.calls ?? 0) > 0) {
      // The share is from an earlier life of the runner: its use is unknown.
      const unused = one.number === share ? (one.calls ?? 0) - made : undefined;
      if (rate.remaining !== null)
        rate.remaining =
          unused === undefined ? Math.max(rate.remaining, 1) : rate.remaining + unused;
      const tenant = rate.tenants[one.tenantId];
      if (tenant !== undefined) tenant.had = Math.max(0, tenant.had - (unused ?? 0));
    }
    if (seen !== undefined)
      hear(rate, seen, {
        shared: this.#openCalls(deploymentId),
        nowMs,
        raises: seen.since === rate.lastNumber,
      });
    // Answers to other runs so far are older than these calls.
    if (made > 0 || (one?.inFlight ?? 0) > 0) rate.lastNumber += 1;
  }

  /** Calls of other runs that may still arrive at the cloud. */
  #openCalls(exceptId: string): number {
    let open = 0;
    for (const [id, { calls, concurrent, inFlight }] of this.#kept.held)
      if (id !== exceptId) open += (calls ?? concurrent) + inFlight;
    return open;
  }

  /** The tenants with runs, this run's tenant included. This run's own calls do not count. */
  #lines(deploymentId: string, tenantId: string): Map<string, Line> {
    const lines = new Map([[tenantId, { runs: 1, concurrent: 0, waits: false }]]);
    for (const [id, one] of this.#kept.held) {
      if (id === deploymentId) continue;
      const line = lines.get(one.tenantId) ?? { runs: 0, concurrent: 0, waits: false };
      line.runs += 1;
      line.concurrent += Math.max(one.concurrent, one.inFlight);
      line.waits ||= one.waitsSinceMs !== null;
      lines.set(one.tenantId, line);
    }
    return lines;
  }

  /**
   * The number of runs that come before this one: runs of its tenant that have waited longer, and one run of each
   * waiting tenant that makes fewer concurrent calls. At equal numbers, the tenant served longer ago comes first.
   */
  #ahead(
    deploymentId: string,
    tenantId: string,
    { lines, waitsSinceMs }: { lines: Map<string, Line>; waitsSinceMs: number },
  ): number {
    const { rate, held } = this.#kept;
    let ahead = 0;
    for (const [id, one] of held)
      if (one.tenantId === tenantId && id !== deploymentId && one.waitsSinceMs !== null)
        if (
          one.waitsSinceMs < waitsSinceMs ||
          (one.waitsSinceMs === waitsSinceMs && id < deploymentId)
        )
          ahead += 1;
    const heldBy = (id: string) => lines.get(id)?.concurrent ?? 0;
    const servedAt = (id: string) => rate.tenants[id]?.served ?? 0;
    for (const [id, { waits }] of lines) {
      const fewer = heldBy(id) - heldBy(tenantId) || servedAt(id) - servedAt(tenantId);
      if (waits && id !== tenantId && fewer < 0) ahead += 1;
    }
    return ahead;
  }

  /** Each share is recalled once. */
  #recall(exceptId: string, isWanted: (one: Held) => boolean): RecalledShare[] {
    const recalled: RecalledShare[] = [];
    for (const [deploymentId, one] of this.#kept.held) {
      const { instanceId, number, concurrent, isRecalled } = one;
      if (deploymentId === exceptId || instanceId === "" || isRecalled || concurrent === 0)
        continue;
      if (!isWanted(one)) continue;
      recalled.push({ deploymentId, instanceId, number });
      this.#hold(deploymentId, { ...one, isRecalled: true });
    }
    return recalled;
  }

  get #kept(): Kept {
    if (this.#memory !== undefined) return this.#memory;
    const untold = { remaining: null, whole: 0, resetMs: 0, heldUntilMs: 0 };
    this.#memory = { rate: { ...untold, lastNumber: 0, tenants: {} }, held: new Map() };
    for (const { id, body } of this.#sql
      .exec<{ id: string; body: string }>("SELECT id, body FROM calls")
      .toArray()) {
      const kept: unknown = JSON.parse(body);
      if (id === RATE) this.#memory.rate = kept as KeptRate;
      else this.#memory.held.set(id, kept as Held);
    }
    return this.#memory;
  }

  #hold(deploymentId: string, one: Held): void {
    this.#kept.held.set(deploymentId, one);
    this.#save(deploymentId, one);
  }

  /** Forgets tenants without runs, if no budget counts their calls. */
  #saveRate(): void {
    const { rate, held } = this.#kept;
    const calling = new Set([...held.values()].map(({ tenantId }) => tenantId));
    if (rate.remaining === null)
      for (const id of Object.keys(rate.tenants)) if (!calling.has(id)) delete rate.tenants[id];
    this.#save(RATE, rate);
  }

  #save(id: string, body: object): void {
    this.#sql.exec("INSERT OR REPLACE INTO calls VALUES (?, ?)", id, JSON.stringify(body));
  }
}

/**
 * Limits concurrent deployments per target and the calls of those that run, and decides which instance manages each of
 * its cloud objects. One object per target: it grants the target's `maxConcurrentDeployments` slots and the claims of
 * objects, first come, first served, and spreads the calls that the cloud takes over the runs.
 *
 * Guarantee: it never grants a slot beyond the capacity, and no run waits forever. Each request carries the
 * capacity, and so does each change of the target; the newest version of the target wins. A slot is a lease that its
 * runner renews; a place in the queue is a lease that the runner renews by asking again. A claim is no lease: it stays
 * until the instance gives the object up, deletes it, or is deleted (decision 0050).
 *
 * Leases are counted by this object's clock alone, so a caller whose clock is wrong ends no other's lease. A request
 * costs the same however many wait: slots and places are found by index.
 *
 * If a runner dies, its lease lapses. If this object dies, its storage still holds the slots, the queue and the claims.
 * Repeating a request gives the same answer, and releasing what is not held does nothing.
 */
import { DurableObject } from "cloudflare:workers";
import type { Bindings } from "#kernel/bindings.ts";
import { describeError, log } from "#platform/log.ts";
import type { CallShare, ShareRequest, UsedShare } from "./call-share.ts";
import { type Caller, CallShares, type RecalledShare } from "./call-shares.ts";
import { type Claimant, ClaimsTable, type CloudObject, type RefusedClaim } from "./claims-table.ts";
import { PLACE_LEASE_MS } from "./place-lease.ts";
import { SLOT_LEASE_MS } from "./slot-lease.ts";

export interface SlotRequest {
  deploymentId: string;
  /** The instance whose runner is notified when a slot is free. */
  instanceId: string;
  capacity: number;
  /** The target's version that has this capacity; an older one is ignored. Default: 0. */
  targetVersion?: number;
  /** The run's tenant, at a target that tenants share. */
  tenantId?: string;
  /** Asks for a share of calls as well, if the slot is granted. */
  share?: ShareRequest;
}

/** `ticket`: the place in the queue; the lowest is served first. */
export type SlotAnswer = { granted: true; share?: CallShare } | { granted: false; ticket: number };

interface Place {
  ticket: number;
  holds: number;
}

interface Waiting {
  ticket: number;
  deploymentId: string;
  instanceId: string;
}

export class TargetGate extends DurableObject<Bindings> {
  readonly #sql: SqlStorage;
  readonly #claims: ClaimsTable;
  readonly #shares: CallShares;
  /** Epoch milliseconds. A field, so that tests can change the time. */
  now: () => number = Date.now;

  constructor(state: DurableObjectState, env: Bindings) {
    super(state, env);
    this.#sql = state.storage.sql;
    this.#sql.exec(`CREATE TABLE IF NOT EXISTS places (
      ticket INTEGER PRIMARY KEY AUTOINCREMENT,
      deployment_id TEXT NOT NULL UNIQUE,
      instance_id TEXT NOT NULL,
      holds INTEGER NOT NULL,
      lease_until_ms INTEGER NOT NULL
    )`);
    this.#sql.exec("CREATE INDEX IF NOT EXISTS places_in_turn ON places (holds, ticket)");
    this.#sql.exec("CREATE INDEX IF NOT EXISTS places_by_lease ON places (lease_until_ms)");
    this.#sql.exec(`CREATE TABLE IF NOT EXISTS target (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      version INTEGER NOT NULL,
      capacity INTEGER NOT NULL
    )`);
    this.#claims = new ClaimsTable(this.#sql);
    this.#shares = new CallShares(this.#sql, () => this.now());
  }

  /** Changes the capacity. More: the next waiting runner is notified. Less: slots that are held stay held. */
  resize(capacity: number, targetVersion: number): void {
    this.ctx.storage.transactionSync(() => {
      this.#setCapacity(capacity, targetVersion);
      this.#sql.exec("DELETE FROM places WHERE lease_until_ms < ?", this.now());
      this.#notifyNext();
    });
  }

  /** Acquires a slot, or renews the slot or the place in the queue that the deployment has. */
  acquire(request: SlotRequest): SlotAnswer {
    const { deploymentId, instanceId, tenantId, capacity, targetVersion = 0 } = request;
    const nowMs = this.now();
    return this.ctx.storage.transactionSync(() => {
      this.#setCapacity(capacity, targetVersion);
      this.#sql.exec(
        "DELETE FROM places WHERE lease_until_ms < ? AND deployment_id <> ?",
        nowMs,
        deploymentId,
      );
      const { ticket, holds } = this.#place(deploymentId, instanceId);
      const granted =
        holds === 1 || (this.#hasFreeSlot() && this.#firstWaiting()?.ticket === ticket);
      this.#sql.exec(
        "UPDATE places SET holds = ?, lease_until_ms = ? WHERE ticket = ?",
        granted ? 1 : 0,
        nowMs + (granted ? SLOT_LEASE_MS : PLACE_LEASE_MS),
        ticket,
      );
      if (granted && holds === 0) this.#notifyNext();
      if (!granted) return { granted: false, ticket };
      const caller = { deploymentId, instanceId, ...(tenantId !== undefined && { tenantId }) };
      const share = request.share && this.#share(caller, request.share);
      return { granted: true, ...(share === undefined ? {} : { share }) };
    });
  }

  /** The next share of calls, for what needs no slot. */
  shareCalls(caller: Caller, request: ShareRequest): CallShare {
    return this.ctx.storage.transactionSync(() => this.#share(caller, request));
  }

  /** Takes back the rest of a share that its run does not need now. */
  returnCalls(deploymentId: string, used: UsedShare): void {
    this.ctx.storage.transactionSync(() => this.#shares.giveBack(deploymentId, used.share, used));
  }

  /** Ends the share of a caller that makes no more calls. */
  endCalls(callerId: string, used: UsedShare): void {
    this.ctx.storage.transactionSync(() => {
      this.#shares.giveBack(callerId, used.share, used);
      this.#shares.remove(callerId);
    });
  }

  /** Releases a slot, or a place in the queue. */
  release(deploymentId: string): void {
    this.ctx.storage.transactionSync(() => {
      this.#sql.exec("DELETE FROM places WHERE deployment_id = ?", deploymentId);
      this.#sql.exec("DELETE FROM places WHERE lease_until_ms < ?", this.now());
      this.#shares.remove(deploymentId);
      this.#notifyNext();
    });
  }

  /**
   * Claims the objects for the instance, except those that it returns: another instance has them. `only`: these are the
   * objects of its state, and all other claims of the instance end. `unmade`: for creates that are not done.
   */
  claim(
    claimant: Claimant,
    objects: readonly CloudObject[],
    { only, unmade = false }: { only: boolean; unmade?: boolean },
  ): RefusedClaim[] {
    return this.ctx.storage.transactionSync(() => {
      if (only) this.#claims.removeAll(claimant.instanceId);
      const refused = this.#claims.add(claimant, objects, unmade);
      if (only) this.#claims.forgetLetGo(objects.filter((one) => !includes(refused, one)));
      return refused;
    });
  }

  /** Those of the objects that another instance has claimed. */
  claimsOfOthers(instanceId: string, objects: readonly CloudObject[]): RefusedClaim[] {
    return this.#claims.ofOthers(instanceId, objects);
  }

  /** Ends the instance's claim of the object. `lives`: the instance gave it up without a delete. */
  releaseClaim(instanceId: string, object: CloudObject, how: { lives: boolean }): void {
    this.ctx.storage.transactionSync(() => this.#claims.remove(instanceId, object, how));
  }

  /** Whether the tenant was the last to manage the object, and gave it up without a delete. */
  wasLetGo(tenantId: string, object: CloudObject): boolean {
    return this.#claims.wasLetGo(tenantId, object);
  }

  /** Ends all claims of the instance: it was deleted. */
  releaseClaims(instanceId: string): void {
    this.#claims.removeAll(instanceId);
  }

  #share(caller: Caller, request: ShareRequest): CallShare {
    const { share, recall } = this.#shares.next(caller, request);
    for (const one of recall) this.#recall(one);
    return share;
  }

  /** Asks a runner for its share before it lapses. If the request is lost, the share lapses. */
  #recall({ deploymentId, instanceId, number }: RecalledShare): void {
    const runner = this.env.INSTANCE_RUNNER.get(this.env.INSTANCE_RUNNER.idFromName(instanceId));
    const recalled = async () => {
      const used = await runner.recallCalls(deploymentId, number);
      if (used === "newer") return;
      this.ctx.storage.transactionSync(() => this.#shares.giveBack(deploymentId, number, used));
    };
    this.ctx.waitUntil(
      recalled().catch((error: unknown) => {
        log("warn", "A share of calls could not be recalled; it lapses", {
          deploymentId,
          error: describeError(error),
        });
      }),
    );
  }

  /** The newest version of the target wins; within one version, the last call. */
  #setCapacity(capacity: number, version: number): void {
    this.#sql.exec(
      `INSERT INTO target VALUES (1, ?, ?) ON CONFLICT (id) DO UPDATE
        SET version = excluded.version, capacity = excluded.capacity WHERE excluded.version >= version`,
      version,
      capacity,
    );
  }

  /** The deployment's place; at the end of the queue if it had none. */
  #place(deploymentId: string, instanceId: string): Place {
    const [place] = this.#sql
      .exec("SELECT ticket, holds FROM places WHERE deployment_id = ?", deploymentId)
      .toArray();
    const made = () =>
      this.#sql
        .exec(
          `INSERT INTO places (deployment_id, instance_id, holds, lease_until_ms) VALUES (?, ?, 0, 0)
            RETURNING ticket, holds`,
          deploymentId,
          instanceId,
        )
        .one();
    return (place ?? made()) as unknown as Place;
  }

  #hasFreeSlot(): boolean {
    const [target] = this.#sql
      .exec("SELECT (SELECT count(*) FROM places WHERE holds = 1) < capacity AS free FROM target")
      .toArray();
    return target?.["free"] === 1;
  }

  #firstWaiting(): Waiting | undefined {
    const [first] = this.#sql
      .exec(
        `SELECT ticket, deployment_id AS deploymentId, instance_id AS instanceId FROM places
          WHERE holds = 0 ORDER BY ticket LIMIT 1`,
      )
      .toArray() as unknown as Waiting[];
    return first;
  }

  /** Notifies the first runner in the queue of a free slot. If the notification is lost, the runner asks again. */
  #notifyNext(): void {
    if (!this.#hasFreeSlot()) return;
    const next = this.#firstWaiting();
    if (next === undefined) return;
    const runner = this.env.INSTANCE_RUNNER.get(
      this.env.INSTANCE_RUNNER.idFromName(next.instanceId),
    );
    this.ctx.waitUntil(
      runner.wake().catch((error: unknown) => {
        log("warn", "A waiting runner could not be notified; it will ask again", {
          deploymentId: next.deploymentId,
          error: describeError(error),
        });
      }),
    );
  }
}

function includes(objects: readonly CloudObject[], { type, id }: CloudObject): boolean {
  return objects.some((one) => one.type === type && one.id === id);
}

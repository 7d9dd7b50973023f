/**
 * Limits concurrent deployments per target, and decides which instance manages each of its cloud objects. One object
 * per target: it grants the target's `maxConcurrentDeployments` slots and the claims of objects, first come, first
 * served.
 *
 * Guarantee: it never grants a slot beyond the capacity, and no run waits forever. Each request carries the
 * capacity, and so does each change of the target; the newest version of the target wins. A slot is a lease that its
 * runner renews; a place in the queue is a lease that the runner renews by asking again. A claim is no lease: it stays
 * until the instance gives the object up, deletes it, or is deleted (decision 0050).
 *
 * If a runner dies, its lease lapses. If this object dies, its storage still holds the slots, the queue and the claims.
 * Repeating a request gives the same answer, and releasing what is not held does nothing.
 */
import { DurableObject } from "cloudflare:workers";
import type { Bindings } from "#kernel/bindings.ts";
import { describeError, log } from "#platform/log.ts";
import { type Claimant, ClaimsTable, type CloudObject, type RefusedClaim } from "./claims-table.ts";
import { SLOT_LEASE_MS } from "./slot-lease.ts";

/** Lifetime of a place in the queue. A waiting runner asks again well before this. */
const PLACE_LEASE_MS = 60_000;

export interface SlotRequest {
  deploymentId: string;
  /** The instance whose runner is notified when a slot is free. */
  instanceId: string;
  capacity: number;
  /** The target's version that has this capacity; an older one is ignored. Default: 0. */
  targetVersion?: number;
  /** Epoch milliseconds. */
  now: number;
}

/** `ticket`: the place in the queue; the lowest is served first. */
export type SlotAnswer = { granted: true } | { granted: false; ticket: number };

interface Place {
  ticket: number;
  deploymentId: string;
  instanceId: string;
  holds: number;
  leaseUntilMs: number;
}

export class TargetGate extends DurableObject<Bindings> {
  readonly #sql: SqlStorage;
  readonly #claims: ClaimsTable;

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
    this.#sql.exec(`CREATE TABLE IF NOT EXISTS target (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      version INTEGER NOT NULL,
      capacity INTEGER NOT NULL
    )`);
    this.#claims = new ClaimsTable(this.#sql);
  }

  /** Changes the capacity. More: the next waiting runner is notified. Less: slots that are held stay held. */
  resize(capacity: number, targetVersion: number, now: number): void {
    this.ctx.storage.transactionSync(() => {
      this.#setCapacity(capacity, targetVersion);
      this.#sql.exec("DELETE FROM places WHERE lease_until_ms < ?", now);
      this.#notifyNext(this.#countHeld());
    });
  }

  /** Acquires a slot, or renews the slot or the place in the queue that the deployment has. */
  acquire(request: SlotRequest): SlotAnswer {
    const { deploymentId, instanceId, now } = request;
    return this.ctx.storage.transactionSync(() => {
      this.#setCapacity(request.capacity, request.targetVersion ?? 0);
      this.#sql.exec(
        "DELETE FROM places WHERE lease_until_ms < ? AND deployment_id <> ?",
        now,
        deploymentId,
      );
      let places = this.#places();
      if (!places.some((place) => place.deploymentId === deploymentId)) {
        this.#sql.exec(
          "INSERT INTO places (deployment_id, instance_id, holds, lease_until_ms) VALUES (?, ?, 0, ?)",
          deploymentId,
          instanceId,
          now + PLACE_LEASE_MS,
        );
        places = this.#places();
      }
      const mine = places.find((place) => place.deploymentId === deploymentId) as Place;
      const held = places.filter((place) => place.holds === 1).length;
      const first = places.find((place) => place.holds === 0);
      const granted = mine.holds === 1 || (held < this.#capacity() && first === mine);
      this.#sql.exec(
        "UPDATE places SET holds = ?, lease_until_ms = ? WHERE ticket = ?",
        granted ? 1 : 0,
        now + (granted ? SLOT_LEASE_MS : PLACE_LEASE_MS),
        mine.ticket,
      );
      if (granted && mine.holds === 0) this.#notifyNext(held + 1);
      return granted ? { granted: true } : { granted: false, ticket: mine.ticket };
    });
  }

  /** Releases a slot, or a place in the queue. */
  release(deploymentId: string, now: number): void {
    this.#sql.exec(
      "DELETE FROM places WHERE deployment_id = ? OR lease_until_ms < ?",
      deploymentId,
      now,
    );
    this.#notifyNext(this.#countHeld());
  }

  /**
   * Claims the objects for the instance, except those that it returns: another instance has them. `only`: all other
   * claims of the instance end.
   */
  claim(
    claimant: Claimant,
    objects: readonly CloudObject[],
    { only }: { only: boolean },
  ): RefusedClaim[] {
    return this.ctx.storage.transactionSync(() => {
      if (only) this.#claims.removeAll(claimant.instanceId);
      return this.#claims.add(claimant, objects);
    });
  }

  /** Those of the objects that another instance has claimed. */
  claimsOfOthers(instanceId: string, objects: readonly CloudObject[]): RefusedClaim[] {
    return this.#claims.ofOthers(instanceId, objects);
  }

  /** Ends the instance's claim of the object. */
  releaseClaim(instanceId: string, object: CloudObject): void {
    this.#claims.remove(instanceId, object);
  }

  /** Ends all claims of the instance: it was deleted. */
  releaseClaims(instanceId: string): void {
    this.#claims.removeAll(instanceId);
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

  #capacity(): number {
    const [row] = this.#sql.exec("SELECT capacity FROM target").toArray();
    return Number(row?.["capacity"] ?? 0);
  }

  #countHeld(): number {
    return this.#places().filter((place) => place.holds === 1).length;
  }

  #places(): Place[] {
    return this.#sql
      .exec(
        `SELECT ticket, deployment_id AS deploymentId, instance_id AS instanceId, holds,
          lease_until_ms AS leaseUntilMs FROM places ORDER BY ticket`,
      )
      .toArray() as unknown as Place[];
  }

  /** Notifies the first runner in the queue of a free slot. If the notification is lost, the runner asks again. */
  #notifyNext(held: number): void {
    if (held >= this.#capacity()) return;
    const next = this.#places().find((place) => place.holds === 0);
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

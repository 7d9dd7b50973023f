/**
 * Limits a target's concurrent deployments and their cloud calls, and decides which instance manages each of its cloud
 * objects. One object per target: it grants the target's `maxConcurrentDeployments` slots, spreads the cloud's calls
 * over the runs, and grants the claims of objects, first come, first served. Tenants that share the target take turns
 * at slots and calls.
 *
 * Guarantee: it never grants a slot beyond the capacity, and no run waits forever. Each request and each change of the
 * target carry the capacity; the newest version of the target wins. A slot is a lease that its runner
 * renews; a place in the queue is a lease that the runner renews by asking again. A claim is not a lease: it stays
 * until the instance gives the object up, deletes it, or is deleted (decision 0050).
 *
 * Leases are counted by this object's clock alone, so a caller with a wrong clock ends no other lease. A request costs
 * the same however many runs wait: slots and places are found by index.
 *
 * If a runner dies, its lease lapses. If this object dies, its storage still holds the slots, the queue and the claims.
 * A repeated request gets the same answer. The release of a slot that is not held does nothing.
 */
import { DurableObject } from "cloudflare:workers";
import type { Bindings } from "#kernel/bindings.ts";
import { describeError, log } from "#platform/log.ts";
import type { CallShare, ShareRequest, UsedShare } from "./call-share.ts";
import { type Caller, CallShares, type RecalledShare } from "./call-shares.ts";
import { type Claimant, ClaimsTable, type CloudObject, type RefusedClaim } from "./claims-table.ts";
import { PlacesTable } from "./places-table.ts";

export interface SlotRequest {
  deploymentId: string;
  /** The instance whose runner is notified when a slot is free. */
  instanceId: string;
  capacity: number;
  /** The target's version that has this capacity; an older version is ignored. Default: 0. */
  targetVersion?: number;
  /** The run's tenant, at a target that tenants share. */
  tenantId?: string;
  /** Set: the gate also gives a share of calls if it grants the slot. */
  share?: ShareRequest;
}

/** `ticket`: the place in the queue; a tenant's lowest is served first. */
export type SlotAnswer = { granted: true; share?: CallShare } | { granted: false; ticket: number };

export class TargetGate extends DurableObject<Bindings> {
  readonly #sql: SqlStorage;
  readonly #places: PlacesTable;
  readonly #claims: ClaimsTable;
  readonly #shares: CallShares;
  /** Epoch milliseconds. A field, so that tests can change the time. */
  now: () => number = Date.now;

  constructor(state: DurableObjectState, env: Bindings) {
    super(state, env);
    this.#sql = state.storage.sql;
    this.#places = new PlacesTable(this.#sql);
    this.#claims = new ClaimsTable(this.#sql);
    this.#shares = new CallShares(this.#sql, () => this.now());
  }

  /** Changes the capacity. If it rises, the next waiting runner is notified. If it falls, held slots stay held. */
  resize(capacity: number, targetVersion: number): void {
    this.#atomically(() => {
      this.#places.setCapacity(capacity, targetVersion);
      this.#places.dropLapsed(this.now());
      this.#notifyNext();
    });
  }

  /** Acquires a slot, or renews the deployment's slot or place in the queue. */
  acquire(request: SlotRequest): SlotAnswer {
    const { deploymentId, instanceId, tenantId = "", capacity, targetVersion = 0 } = request;
    const nowMs = this.now();
    return this.#atomically(() => {
      this.#places.setCapacity(capacity, targetVersion);
      this.#places.dropLapsed(nowMs, deploymentId);
      const place = this.#places.take({ deploymentId, instanceId, tenantId }, nowMs);
      if (!place.granted) return place;
      if (place.isNew) this.#notifyNext();
      const caller = { deploymentId, instanceId, tenantId };
      const share = request.share && this.#share(caller, request.share);
      return { granted: true, ...(share === undefined ? {} : { share }) };
    });
  }

  /** The next share of calls for a caller that needs no slot. */
  shareCalls(caller: Caller, request: ShareRequest): CallShare {
    return this.#atomically(() => this.#share(caller, request));
  }

  /** Takes back the rest of a share, because its run does not need it now. */
  returnCalls(deploymentId: string, used: UsedShare): void {
    this.#atomically(() => this.#shares.giveBack(deploymentId, used));
  }

  /** Ends the share of a caller that makes no more calls. */
  endCalls(callerId: string, used: UsedShare): void {
    this.#atomically(() => {
      this.#shares.giveBack(callerId, used);
      this.#shares.remove(callerId);
    });
  }

  /** Releases a slot, or a place in the queue. */
  release(deploymentId: string): void {
    this.#atomically(() => {
      this.#places.leave(deploymentId);
      this.#places.dropLapsed(this.now());
      this.#shares.remove(deploymentId);
      this.#notifyNext();
    });
  }

  /**
   * Claims the objects for the instance, and returns the objects that another instance has. `only`: these are all
   * objects of its state, so its other claims end. `unmade`: the claims are for creates that have not happened.
   */
  claim(
    claimant: Claimant,
    objects: readonly CloudObject[],
    { only, unmade = false }: { only: boolean; unmade?: boolean },
  ): RefusedClaim[] {
    return this.#atomically(() => {
      if (only) this.#claims.keepOnly(claimant.instanceId, objects);
      const refused = this.#claims.add(claimant, objects, unmade);
      if (only) this.#claims.forgetLetGo(objects.filter((one) => !includes(refused, one)));
      return refused;
    });
  }

  /** The objects of the list that another instance has claimed. */
  claimsOfOthers(instanceId: string, objects: readonly CloudObject[]): RefusedClaim[] {
    return this.#claims.ofOthers(instanceId, objects);
  }

  /** The domains of the list that contain a domain of another tenant. */
  claimsInside(tenantId: string, domains: readonly CloudObject[]): CloudObject[] {
    return this.#claims.around(tenantId, domains);
  }

  /** Ends the instance's claim of the object. `lives`: the instance gave it up without a delete. */
  releaseClaim(instanceId: string, object: CloudObject, how: { lives: boolean }): void {
    this.#atomically(() => this.#claims.remove(instanceId, object, how));
  }

  /** Whether the tenant was the last to manage the object, and gave it up without a delete. */
  wasLetGo(tenantId: string, object: CloudObject): boolean {
    return this.#claims.wasLetGo(tenantId, object);
  }

  /** Ends all claims of the instance: it was deleted. */
  releaseClaims(instanceId: string): void {
    this.#atomically(() => this.#claims.removeAll(instanceId));
  }

  #atomically<T>(work: () => T): T {
    try {
      return this.ctx.storage.transactionSync(work);
    } catch (error) {
      for (const table of [this.#places, this.#claims, this.#shares]) table.forget();
      throw error;
    }
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
      const used = await runner.recallCalls(deploymentId);
      this.#atomically(() => {
        if (used === null) this.#shares.remove(deploymentId, number);
        else this.#shares.giveBack(deploymentId, used);
      });
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

  /** Notifies the runner whose turn it is of a free slot. If the notification is lost, the runner asks again. */
  #notifyNext(): void {
    const next = this.#places.next();
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

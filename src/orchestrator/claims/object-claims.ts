/**
 * The claims of one run's instance on the objects at its target. A claim comes before the instance manages an object,
 * whether the object is imported, created, or found after a call without an answer. The gate of the target keeps them
 * (decision 0050).
 *
 * Guarantee: an object is in the state of at most one instance of its target. If the runner dies, the gate still has
 * the claims, and a repeated claim changes nothing. Claims of objects that are not in the state end with the run.
 */
import { sql } from "drizzle-orm";
import type { InstanceState } from "#engine/state/state.ts";
import type { Claimant, CloudObject, RefusedClaim } from "#orchestrator/gate/claims-table.ts";
import type { TargetGate } from "#orchestrator/gate/target-gate.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import { type Run, specOf } from "#orchestrator/storage/run.ts";
import { askTwice } from "#platform/ask-twice.ts";
import { runBatch } from "#platform/db/client.ts";
import { describeError, log } from "#platform/log.ts";
import type { NamedObject } from "#providers/provider.ts";
import { withoutVersion } from "#providers/type-name.ts";
import { instances } from "#schema/instances.ts";

/** The most instances that one check names, since each is looked up. */
const MAX_HOLDERS = 20;

/** A sentence that names the object's manager; undefined: no other instance manages it. */
export type RefusalOf = (object: CloudObject) => string | undefined;

export class ObjectClaims {
  readonly #parts: Pick<RunnerParts, "db" | "gate">;
  readonly #run: Run;
  /** Objects claimed in this life of the runner. */
  readonly #held = new Set<string>();
  /**
   * Objects that a step of this run took over, with their resource. Another step that gives up the object must not end
   * the claim.
   */
  readonly #adopted = new Map<string, string>();
  readonly #releases = new Map<string, Promise<void>>();
  /** Objects claimed for an unfinished create. An object with such an id may be anybody's. */
  readonly #unmade = new Set<string>();
  #loaded = false;

  constructor(parts: Pick<RunnerParts, "db" | "gate">, run: Run) {
    this.#parts = parts;
    this.#run = run;
  }

  /**
   * Claims every object of the state, and ends all other claims of the instance. No step may be in progress. Returns
   * the holders of the objects that could not be claimed.
   */
  async match(state: InstanceState): Promise<RefusalOf> {
    return this.#keep(state, true);
  }

  /** Claims every object of the state, once in a life of the runner. */
  async resume(state: InstanceState): Promise<void> {
    if (!this.#loaded) await this.#keep(state, false);
  }

  /** Claims the object. Undefined: the instance has it. Otherwise a sentence that names its manager. */
  async claim(object: CloudObject, { unmade = false } = {}): Promise<string | undefined> {
    const key = keyOf(object);
    await this.#releases.get(key);
    if (this.#held.has(key)) return undefined;
    const refusal = (await this.#add([object], { only: false, unmade }))(object);
    if (refusal === undefined) this.#held.add(key);
    return refusal;
  }

  /** As `claim`, for an object that a step takes over or has created. Only one resource of a run can adopt it. */
  async adopt(
    object: CloudObject,
    resource: string,
    { unmade = false } = {},
  ): Promise<string | undefined> {
    const key = keyOf(object);
    const holder = this.#adopted.get(key);
    if (holder !== undefined && holder !== resource)
      return `${holder} of the same instance has the object ${object.id}`;
    this.#adopted.set(key, resource);
    const refusal = await this.claim(object, { unmade });
    if (refusal !== undefined) this.#adopted.delete(key);
    return refusal;
  }

  /**
   * As `adopt`, for the id of the object that a create will make. Until `made`, the claim proves nothing about the
   * object.
   */
  async adoptUnmade(object: CloudObject, resource: string): Promise<string | undefined> {
    if (!this.#held.has(keyOf(object))) this.#unmade.add(keyOf(object));
    return this.adopt(object, resource, { unmade: true });
  }

  /** The create of the object is done. */
  made(object: CloudObject): void {
    this.#unmade.delete(keyOf(object));
  }

  /**
   * The reason against an import of the object at a target that tenants share; undefined: the tenant manages it, or was
   * the last to manage it and gave it up.
   */
  async importRefusal(object: CloudObject): Promise<string | undefined> {
    if (this.#isManaged(object)) return undefined;
    if (await this.#ask((gate) => gate.wasLetGo(this.#run.tenantId, object))) return undefined;
    // The claim itself tells its holder and its release.
    if (await this.isOwnTenants(object)) return undefined;
    return notOfTenant(object);
  }

  /** As `importRefusal`, for each of the objects. */
  async importRefusals(objects: readonly CloudObject[]): Promise<RefusalOf> {
    const asked = objects.map(async (one) => [keyOf(one), await this.importRefusal(one)] as const);
    const reasons = new Map(await Promise.all(asked));
    return (object) => reasons.get(keyOf(object));
  }

  #isManaged(object: CloudObject): boolean {
    const key = keyOf(object);
    return this.#held.has(key) && !this.#unmade.has(key);
  }

  /**
   * Ends the claim of an object that is deleted or, if it `lives`, given up. Never throws: the end of the run repeats
   * it.
   */
  async release(object: CloudObject, how: { lives: boolean }): Promise<void> {
    const key = keyOf(object);
    if (this.#adopted.has(key)) return;
    this.#held.delete(key);
    const { instanceId } = this.#run;
    const released = this.#ask((gate) => gate.releaseClaim(instanceId, object, how)).catch(
      (error: unknown) =>
        log("warn", "A claim could not be released; the end of the run repeats it", {
          instanceId,
          error: describeError(error),
        }),
    );
    this.#releases.set(key, released);
    await released;
    this.#releases.delete(key);
  }

  /** The objects that another instance manages. Claims nothing. */
  async refusals(objects: readonly CloudObject[]): Promise<RefusalOf> {
    if (objects.length === 0) return () => undefined;
    return this.#refused((gate) => gate.claimsOfOthers(this.#run.instanceId, [...objects]));
  }

  /** Whether another instance of the same tenant manages the object. Claims nothing. */
  async isOwnTenants(object: CloudObject): Promise<boolean> {
    const { instanceId, tenantId } = this.#run;
    const held = await this.#ask((gate) => gate.claimsOfOthers(instanceId, [object]));
    return held.some(({ holder, unmade }) => !unmade && holder.tenantId === tenantId);
  }

  /** The first named object that the instance must not name; undefined: none. Claims nothing. */
  async notOwnTenants(named: readonly NamedObject[]): Promise<NamedObject | undefined> {
    const { instanceId, tenantId } = this.#run;
    const isManaged = (object: CloudObject): boolean => this.#isManaged(object);
    const others = named.filter(({ owners, nearest }) =>
      nearest === undefined ? !owners.some(isManaged) : true,
    );
    const asked = new Map(others.flatMap(({ owners }) => owners.map((one) => [keyOf(one), one])));
    const held =
      asked.size === 0
        ? []
        : await this.#ask((gate) => gate.claimsOfOthers(instanceId, [...asked.values()]));
    const holders = new Map(
      held.map((one) => [keyOf(one), !one.unmade && one.holder.tenantId === tenantId]),
    );
    const domains = others.flatMap(({ around }) => around ?? []);
    const inside =
      domains.length === 0 ? [] : await this.#ask((gate) => gate.claimsInside(tenantId, domains));
    const aroundOthers = new Set(inside.map(keyOf));
    const isOwn = (object: CloudObject): boolean =>
      isManaged(object) || holders.get(keyOf(object)) === true;
    const mayBeNamed = ({ owners, nearest, around }: NamedObject): boolean => {
      if (around !== undefined && aroundOthers.has(keyOf(around))) return false;
      if (nearest === undefined) return owners.some(isOwn);
      const first = owners.find((object) => isManaged(object) || holders.has(keyOf(object)));
      if (nearest === "free") return first === undefined;
      return first !== undefined && isOwn(first);
    };
    return others.find((one) => !mayBeNamed(one));
  }

  async #keep({ current, pendingDeletes }: InstanceState, only: boolean): Promise<RefusalOf> {
    const objects = [...current.values(), ...pendingDeletes].flatMap((object) =>
      object.state === "lost" ? [] : [{ type: object.type, id: object.id }],
    );
    const refusalOf = await this.#add(objects, { only });
    if (only) this.#held.clear();
    for (const object of objects) this.made(object);
    for (const object of objects)
      if (refusalOf(object) === undefined) this.#held.add(keyOf(object));
    this.#loaded = true;
    return refusalOf;
  }

  #add(objects: CloudObject[], how: { only: boolean; unmade?: boolean }): Promise<RefusalOf> {
    const { instanceId, tenantId } = this.#run;
    return this.#refused((gate) => gate.claim({ instanceId, tenantId }, objects, how));
  }

  /** The claims that the gate refuses. The message of an instance's deletion can be lost, so its claims end here. */
  async #refused(
    ask: (gate: DurableObjectStub<TargetGate>) => Promise<RefusedClaim[]>,
  ): Promise<RefusalOf> {
    const first = await this.#ask(ask);
    const named = await this.#named(first.map(({ holder }) => holder));
    const gone = [...named].flatMap(([instanceId, name]) => (name === null ? [instanceId] : []));
    for (const id of gone) await this.#ask((gate) => gate.releaseClaims(id));
    const refused = gone.length === 0 ? first : await this.#ask(ask);
    const holders = new Map(refused.map((object) => [keyOf(object), object.holder]));
    return (object) => {
      const holder = holders.get(keyOf(object));
      if (holder === undefined) return undefined;
      if (holder.tenantId !== this.#run.tenantId) return notOfTenant(object);
      const name = named.get(holder.instanceId);
      const who = typeof name === "string" ? `The instance ${name}` : "Another instance";
      return `${who} manages the object ${object.id}. To release it there, set \`retainOnDelete: true\` on its resource, deploy, and then remove the resource`;
    };
  }

  /** The names of the instances; null: the instance no longer exists. */
  async #named(holders: readonly Claimant[]): Promise<Map<string, string | null>> {
    const asked = [...new Map(holders.map((one) => [one.instanceId, one])).values()].slice(
      0,
      MAX_HOLDERS,
    );
    if (asked.length === 0) return new Map();
    const rows = await runBatch(
      this.#parts.db,
      asked.map(({ instanceId, tenantId }) =>
        this.#parts.db
          .select({ name: instances.name })
          .from(instances)
          .where(sql`${instances.id} = ${instanceId} AND ${instances.tenantId} = ${tenantId}`),
      ),
    );
    return new Map(asked.map(({ instanceId }, at) => [instanceId, rows[at]?.[0]?.name ?? null]));
  }

  #ask<T>(ask: (gate: DurableObjectStub<TargetGate>) => Promise<T>): Promise<T> {
    const { id } = specOf(this.#run).inputs.target;
    return askTwice(() => this.#parts.gate(id), ask);
  }
}

/**
 * The same text for another tenant's object and for one that no instance manages, so that guessing ids reveals nothing.
 */
function notOfTenant({ id }: CloudObject): string {
  return `No instance of this tenant manages the object ${id} or released it, so it may be somebody else's. At a target that tenants share, only what the tenant released with \`retainOnDelete: true\` can be imported. Use a target of your own for it`;
}

function keyOf({ type, id }: CloudObject): string {
  return `${withoutVersion(type)}\n${id}`;
}

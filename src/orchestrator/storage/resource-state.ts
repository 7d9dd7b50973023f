/**
 * The instance's resources, in memory and in storage. A change is encoded and sealed first, then written in the
 * transaction of its journal entry.
 */
import { findObject } from "#engine/state/find-object.ts";
import { type InstanceState, objectKey, type StoredResource } from "#engine/state/state.ts";
import type { Sealer } from "#platform/crypto/seal.ts";
import { isJsonMap, readJson } from "#platform/json.ts";
import type { RunnerStore } from "./runner-store.ts";
import { decodeResource, encodeResource } from "./state-codec.ts";

/** A row of the runner's storage holds 2 MB. */
const MAX_RESOURCE_BYTES = 1_900_000;

export class ResourceTooLarge extends Error {
  constructor(bytes: number) {
    super(
      `its properties and outputs take ${bytes} bytes; the limit is ${MAX_RESOURCE_BYTES}. Store large content elsewhere and refer to it`,
    );
  }
}

export class ResourceState {
  readonly #store: RunnerStore;
  readonly #sealer: Sealer;
  readonly #tenantId: string;
  readonly #instanceId: string;
  readonly #current = new Map<string, StoredResource>();
  readonly #pendingDeletes: StoredResource[] = [];
  /** The objects that could not be decoded in a partial load: their keys by name; null: unknown. */
  readonly #unreadable = new Map<string, string | null>();
  #isWhole = true;
  #serial: number;
  #position: number;

  private constructor(
    store: RunnerStore,
    sealer: Sealer,
    owner: { tenantId: string; instanceId: string },
  ) {
    this.#store = store;
    this.#sealer = sealer;
    this.#tenantId = owner.tenantId;
    this.#instanceId = owner.instanceId;
    this.#serial = store.serial();
    this.#position = store.resources.last().position;
  }

  static async load(
    store: RunnerStore,
    sealer: Sealer,
    owner: { tenantId: string; instanceId: string },
  ): Promise<ResourceState> {
    const state = new ResourceState(store, sealer, owner);
    for (const { pendingDelete, body } of store.resources.all())
      state.#add(pendingDelete, await decodeResource(body, sealer, state.#place()));
    return state;
  }

  /** As `load`, without the resources that cannot be decoded. They stay unchanged in storage. */
  static async loadReadable(
    store: RunnerStore,
    sealer: Sealer,
    owner: { tenantId: string; instanceId: string },
  ): Promise<ResourceState> {
    const state = new ResourceState(store, sealer, owner);
    for (const { key, pendingDelete, body } of store.resources.all())
      try {
        state.#add(pendingDelete, await decodeResource(body, sealer, state.#place()));
      } catch {
        state.#isWhole = false;
        if (!pendingDelete) state.#unreadable.set(key, storedKey(body));
      }
    return state;
  }

  #add(pendingDelete: boolean, resource: StoredResource): void {
    if (pendingDelete) this.#pendingDeletes.push(resource);
    else this.#current.set(resource.name, resource);
  }

  /** `key`: of the object that is meant; default: any object with this name. */
  isUnreadable(name: string, key?: string): boolean {
    return this.#unreadable.has(name) && (key === undefined || this.#unreadable.get(name) === key);
  }

  /** Marks an unreadable object whose change may have taken effect. Run inside the transaction. */
  mark(name: string, as: "unsure" | "deleting"): void {
    this.#store.resources.mark(name, as);
    this.#moved();
  }

  /** False: some resources cannot be decoded. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  get view(): InstanceState {
    return { serial: this.#serial, current: this.#current, pendingDeletes: this.#pendingDeletes };
  }

  /**
   * Prepares a write. Call it before the transaction and run the returned function inside it. `replaced`: the replaced
   * object, kept as a pending delete. Throws `ResourceTooLarge`.
   */
  async put(resource: StoredResource, replaced?: StoredResource): Promise<() => void> {
    const body = await this.#encode(resource);
    const old = replaced && (await encodeResource(replaced, this.#sealer, this.#place()));
    return () => {
      this.#setAside(resource.name);
      this.#serial += 1;
      this.#write(resource.name, false, body);
      this.#current.set(resource.name, resource);
      if (replaced !== undefined && old !== undefined) {
        this.#write(pendingDeleteKey(replaced.name, objectKey(replaced)), true, old);
        this.#pendingDeletes.push(replaced);
      }
    };
  }

  /** Removes a resource's current object or a pending delete. Run inside the transaction. */
  remove(object: StoredResource): void {
    const key = objectKey(object);
    const current = this.#current.get(object.name);
    if (current !== undefined && objectKey(current) === key) {
      this.#store.resources.remove(object.name);
      this.#current.delete(object.name);
    } else {
      this.#store.resources.remove(pendingDeleteKey(object.name, key));
      const at = this.#pendingDeletes.findIndex(
        (one) => one.name === object.name && objectKey(one) === key,
      );
      if (at >= 0) this.#pendingDeletes.splice(at, 1);
    }
    this.#moved();
  }

  /**
   * Prepares the state with its names after aliases, in the same order. Run the returned function inside the
   * transaction. Throws `ResourceTooLarge`.
   */
  async rename({ current, pendingDeletes }: InstanceState): Promise<() => void> {
    const encoded = (objects: Iterable<StoredResource>) =>
      Promise.all([...objects].map(async (one) => ({ one, body: await this.#encode(one) })));
    const named = await encoded(current.values());
    const pending = await encoded(pendingDeletes);
    return () => {
      // All at once, since names may be swapped.
      this.#store.resources.clear();
      this.#current.clear();
      this.#pendingDeletes.length = 0;
      for (const { one, body } of named) {
        this.#write(one.name, false, body);
        this.#current.set(one.name, one);
      }
      for (const { one, body } of pending) {
        this.#write(pendingDeleteKey(one.name, objectKey(one)), true, body);
        this.#pendingDeletes.push(one);
      }
      this.#moved();
    };
  }

  /** See `findObject`. */
  find(name: string, key: string | undefined): StoredResource | undefined {
    return findObject(this.view, name, key);
  }

  /** An unreadable object is not overwritten: it becomes a pending delete. */
  #setAside(name: string): void {
    const key = this.#unreadable.get(name);
    if (key === undefined) return;
    this.#position += 1;
    const pendingKey = pendingDeleteKey(name, key ?? `unreadable-${this.#position}`);
    this.#store.resources.setAside(name, pendingKey, this.#position);
    this.#unreadable.delete(name);
  }

  async #encode(resource: StoredResource): Promise<string> {
    const body = await encodeResource(resource, this.#sealer, this.#place());
    const { byteLength } = new TextEncoder().encode(body);
    if (byteLength > MAX_RESOURCE_BYTES) throw new ResourceTooLarge(byteLength);
    return body;
  }

  #write(key: string, pendingDelete: boolean, body: string): void {
    this.#position += 1;
    const place = { pendingDelete, position: this.#position, serial: this.#serial };
    this.#store.resources.put(key, place, body);
  }

  /** A change that writes no resource. */
  #moved(): void {
    this.#serial += 1;
    this.#store.facts.set("serial", String(this.#serial));
  }

  #place() {
    return {
      table: "instance_state",
      tenantId: this.#tenantId,
      row: this.#instanceId,
      column: "resource",
    };
  }
}

function pendingDeleteKey(name: string, key: string): string {
  return `${name}\n${key}`;
}

/** The key of a stored object whose values cannot be decrypted; null: the text is not JSON. */
function storedKey(body: string): string | null {
  const object = readJson(body);
  if (!isJsonMap(object)) return null;
  const key = object["id"] ?? object["token"];
  return typeof key === "string" ? key : null;
}

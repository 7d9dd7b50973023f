import { expect, it } from "vitest";
import type { KnownResource } from "#engine/state/state.ts";
import type { Sealer } from "#platform/crypto/seal.ts";
import { Random } from "#test/simulation/random.ts";
import { Sqlite, sqlStorageOver } from "#test/simulation/sqlite.ts";
import { asLost } from "#test/support/stored-resource.ts";
import { ResourceState } from "./resource-state.ts";
import { RunnerStore } from "./runner-store.ts";

const owner = { tenantId: "t", instanceId: "i" };
/** Nothing is secret, so that nothing is sealed. */
const sealer = {} as Sealer;
const objectOf = (name: string, state: KnownResource["state"] = "ready"): KnownResource => ({
  name,
  type: "mock:Server",
  state,
  id: `id of ${name}`,
  objectName: name,
  inputs: {},
  outputs: {},
  dependsOn: [],
  protect: false,
  retainOnDelete: false,
  deleteSeconds: null,
});

async function storeWith(...objects: Parameters<ResourceState["put"]>[0][]) {
  const sql = sqlStorageOver(new Sqlite(() => new Random(1)), () => undefined);
  const storage = { sql, transactionSync: (work: () => unknown) => work() };
  const store = new RunnerStore(storage as unknown as DurableObjectStorage);
  const state = await ResourceState.load(store, sealer, owner);
  for (const object of objects) (await state.put(object))();
  return { store, state };
}

it("the state serial rises when the newest resource is removed", async () => {
  const { store, state } = await storeWith(objectOf("a"), objectOf("b"));
  const before = store.serial();
  state.remove(objectOf("b"));
  expect(store.serial()).toBeGreaterThan(before);
  const loaded = await ResourceState.load(store, sealer, owner);
  expect(loaded.view.serial).toBe(store.serial());
  expect([...loaded.view.current.keys()]).toEqual(["a"]);
});

it("marks an object as stored, but none that is looked for or replaced anyway", async () => {
  const lost = asLost(objectOf("lost"));
  const { store, state } = await storeWith(objectOf("a"), objectOf("b", "tainted"), lost);
  for (const name of ["a", "b", "lost"]) state.mark(name, "deleting");
  const { current } = (await ResourceState.load(store, sealer, owner)).view;
  expect([...current.values()].map((one) => one.state)).toEqual(["deleting", "tainted", "lost"]);
});

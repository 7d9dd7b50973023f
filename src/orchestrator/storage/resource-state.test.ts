import { expect, it } from "vitest";
import type { StoredResource } from "#engine/state/state.ts";
import type { Sealer } from "#platform/crypto/seal.ts";
import { Random } from "#test/simulation/random.ts";
import { Sqlite, sqlStorageOver } from "#test/simulation/sqlite.ts";
import { ResourceState } from "./resource-state.ts";
import { RunnerStore } from "./runner-store.ts";

const owner = { tenantId: "t", instanceId: "i" };
const objectOf = (name: string): StoredResource => ({
  name,
  type: "mock:Server",
  id: `id of ${name}`,
  objectName: name,
  inputs: {},
  outputs: {},
  dependsOn: [],
  protect: false,
  retainOnDelete: false,
  deleteSeconds: null,
  state: "ready",
});

it("the state serial rises when the newest resource is removed", async () => {
  const sql = sqlStorageOver(new Sqlite(() => new Random(1)), () => undefined);
  const storage = { sql, transactionSync: (work: () => unknown) => work() };
  const store = new RunnerStore(storage as unknown as DurableObjectStorage);
  // No value is secret, so the sealer is not used.
  const state = await ResourceState.load(store, {} as Sealer, owner);
  for (const name of ["a", "b"]) (await state.put(objectOf(name)))();
  const before = store.serial();
  state.remove(objectOf("b"));
  expect(store.serial()).toBeGreaterThan(before);
  const loaded = await ResourceState.load(store, {} as Sealer, owner);
  expect(loaded.view.serial).toBe(store.serial());
  expect([...loaded.view.current.keys()]).toEqual(["a"]);
});

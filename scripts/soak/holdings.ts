/** The objects at the clouds, and the resources of the instances. */
import type { FakeCloud } from "#test/support/fake-cloud/fake-cloud.ts";
import { everyItem } from "../client/client.ts";
import type { Caller } from "./caller.ts";
import type { CloudObjectFact, ResourceFact, SoakHoldings } from "./evidence.ts";
import type { SoakTenant } from "./soak-tenants.ts";
import { rowsOfObjects } from "./stored-rows.ts";

export async function mockObjects(stateDir: string): Promise<CloudObjectFact[]> {
  const rows = await rowsOfObjects(stateDir, "MockCloud", {
    table: "objects",
    query: "SELECT kind, id, name FROM objects",
  });
  return rows.map(({ kind, id, name }) => ({
    cloud: "mock",
    kind: String(kind),
    id: String(id),
    name: String(name),
  }));
}

export function fakeObjects(fake: FakeCloud): CloudObjectFact[] {
  return fake.living().map(({ collection, key, shown }) => ({
    cloud: "digitalocean",
    kind: collection,
    id: key,
    name: typeof shown["name"] === "string" ? shown["name"] : key,
  }));
}

/** The resources of all instances of the tenants, at rest. */
export async function holdings(
  place: { stateDir: string; fake: FakeCloud },
  tenants: readonly SoakTenant[],
): Promise<SoakHoldings> {
  const resources: ResourceFact[] = [];
  for (const { admin } of tenants)
    for (const { id, name } of await itemsOf<{ id: string; name: string }>(admin, "/instances"))
      resources.push(...(await resourcesOf(admin, id, name)));
  return {
    objects: [...(await mockObjects(place.stateDir)), ...fakeObjects(place.fake)],
    resources,
  };
}

async function resourcesOf(
  admin: Caller,
  instanceId: string,
  instanceName: string,
): Promise<ResourceFact[]> {
  const { status, body } = await admin.get(`/instances/${instanceId}/resources`);
  if (status !== 200)
    throw new Error(
      `The resources of ${instanceId} were answered ${status}: ${JSON.stringify(body)}`,
    );
  return (body["data"] as Omit<ResourceFact, "instanceId" | "instanceName">[]).map(
    ({ name, type, id, state }) => ({
      instanceId,
      instanceName,
      name,
      type,
      id,
      state,
    }),
  );
}

export async function itemsOf<Item>(caller: Caller, path: string): Promise<Item[]> {
  return everyItem(path, async (page) => {
    const { status, body } = await caller.get(page);
    if (status !== 200)
      throw new Error(`GET ${path} was answered ${status}: ${JSON.stringify(body)}`);
    const { data, nextCursor = null } = body as unknown as {
      data: Item[];
      nextCursor?: string | null;
    };
    return { data, nextCursor };
  });
}

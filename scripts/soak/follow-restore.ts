/**
 * An operator's steps after a restore of the database (docs/operations.md): reconcile every instance, repeat the
 * deletes since then, and create lost instances again, with `import` of each object.
 */
import { setTimeout as wait } from "node:timers/promises";
import { clientOf } from "../client/client.ts";
import { compareInstallation } from "../operator/compare-installation.ts";
import type { Book } from "./book.ts";
import type { CloudObjectFact } from "./evidence.ts";
import { itemsOf, mockObjects } from "./holdings.ts";
import { idOf, type SoakTenant } from "./soak-tenants.ts";
import { untilIdle } from "./until-idle.ts";

const PAUSE_MS = 2_000;
const typeOf: Readonly<Record<string, string>> = {
  networks: "mock:Network",
  servers: "mock:Server",
  databases: "mock:Database",
  records: "mock:Record",
};

/** `npm run reconcile -- <address> --write`. Returns what was written again. */
export async function reconcile(address: string, operatorKey: string): Promise<readonly string[]> {
  const client = clientOf(address, operatorKey);
  const { differing, failed } = await compareInstallation(client, {
    write: true,
    pause: () => wait(PAUSE_MS),
  });
  return [
    ...differing.map(({ instanceId, what }) => `${instanceId}: written again ${what}`),
    ...failed.map(({ instanceId, why }) => `${instanceId}: not compared: ${why}`),
  ];
}

/** Deletes again the rows that clients deleted and a restore brought back. */
export async function deleteAgain(book: Book, tenants: readonly SoakTenant[]): Promise<number> {
  let count = 0;
  for (const { admin } of tenants)
    for (const path of ["/webhooks", "/templates"])
      for (const { id } of await itemsOf<{ id: string }>(admin, path)) {
        if (!book.deleted.has(id)) continue;
        await admin.change({ method: "DELETE", path: `${path}/${id}` });
        count += 1;
      }
  return count;
}

/**
 * For each instance that the clients know and D1 has lost: a new instance that imports each of its objects. Returns the
 * imported objects, by the old instance's name. Nothing else runs meanwhile.
 */
export async function takeOverOrphans(
  book: Book,
  stateDir: string,
  tenants: readonly SoakTenant[],
): Promise<readonly string[]> {
  const taken: string[] = [];
  const objects = await mockObjects(stateDir);
  for (const tenant of tenants) {
    const there = new Set(
      (await itemsOf<{ id: string }>(tenant.admin, "/instances")).map(({ id }) => id),
    );
    for (const instance of tenant.instances.filter(({ id }) => !there.has(id))) {
      const own = objects.filter(({ name }) => name.startsWith(`${instance.name}-`));
      tenant.instances.splice(tenant.instances.indexOf(instance), 1);
      if (own.length === 0) continue;
      const { id, error } = await takeOver(tenant, instance.name, own);
      tenant.instances.push({ id, name: instance.name, cloud: "mock" });
      if (error === undefined) taken.push(`${instance.name}: ${own.length} objects`);
      else
        book.wrongly(
          `The objects of ${instance.name} (${instance.id}, lost with D1) could not be imported by ${id}: ${error}`,
        );
    }
  }
  return taken;
}

async function takeOver(
  { admin, slug, targets }: SoakTenant,
  name: string,
  own: readonly CloudObjectFact[],
): Promise<{ id: string; error: string | undefined }> {
  const resources = Object.fromEntries(
    own.map((object) => [
      object.name.slice(name.length + 1),
      {
        type: typeOf[object.kind],
        properties: {
          name: object.name,
          ...(object.kind === "databases" ? { engine: "pg" } : {}),
          ...(object.kind === "servers" ? { image: "debian-13" } : {}),
          ...(object.kind === "networks" ? { cidr: "10.0.0.0/16" } : {}),
        },
        options: { import: object.id },
      },
    ]),
  );
  const source = JSON.stringify({ name: "taken-over", runtime: "yaml", resources });
  const templateId = idOf(
    await admin.change({
      method: "POST",
      path: "/templates",
      body: { name: `${slug} ${name} taken over`, source },
    }),
    "A template of imports",
  );
  const id = idOf(
    await admin.change({
      method: "POST",
      path: "/instances",
      body: { name, templateId, targetId: targets.mock, variables: {} },
    }),
    "An instance of imports",
  );
  const deploymentId = idOf(
    await admin.change({ method: "POST", path: `/instances/${id}/deploy` }),
    "The deploy of imports",
  );
  await untilIdle([admin], 60_000);
  const { body } = await admin.get(`/deployments/${deploymentId}`);
  return {
    id,
    error:
      body["state"] === "SUCCEEDED"
        ? undefined
        : `${String(body["state"])} ${JSON.stringify(body["error"])}`,
  };
}

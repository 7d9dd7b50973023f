/** Clients of a whole tenant: one reads, and tries foreign objects; one makes and deletes short-lived objects. */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { Unanswered } from "./caller.ts";
import {
  addInstance,
  addWebhook,
  mockTemplate,
  type SoakPlace,
  type SoakTenant,
} from "./soak-tenants.ts";

const MAX_PAUSE_MS = 2_500;
const MAX_PAGES = 30;
/** Short-lived instances per tenant. Those that a restore of D1 removes must be created again by hand. */
const MAX_EXTRA_INSTANCES = 6;

async function repeat(
  { book, random }: SoakPlace,
  until: AbortSignal,
  act: () => Promise<void>,
): Promise<void> {
  while (!until.aborted) {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Unanswered)) book.wrongly(`A client failed: ${String(error)}`);
    }
    await wait(random.below(MAX_PAUSE_MS));
  }
}

/** Reads lists to their ends, and asks for objects of the stranger. */
export async function readAll(
  place: SoakPlace,
  tenant: SoakTenant,
  stranger: SoakTenant,
  until: AbortSignal,
): Promise<void> {
  const { book, random } = place;
  const lists = [
    "/instances",
    "/deployments",
    "/templates",
    "/webhooks",
    `/webhooks/${tenant.webhooks[0]?.id}/deliveries`,
  ];
  const readList = async (path: string): Promise<void> => {
    const seen = new Set<string>();
    let cursor: string | null = null;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const query = `limit=${5 + random.below(20)}${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
      const { status, body } = await tenant.viewer.get(`${path}?${query}`);
      if (status !== 200)
        return book.wrongly(`GET ${path}?${query} answered ${status}: ${JSON.stringify(body)}`);
      for (const item of body["data"] as { id: string; tenantId?: string }[]) {
        if (seen.has(item.id)) book.wrongly(`GET ${path} showed ${item.id} twice`);
        seen.add(item.id);
        if (item.tenantId !== undefined && item.tenantId !== tenant.id)
          book.wrongly(`GET ${path} showed ${item.id} of ${item.tenantId} to ${tenant.id}`);
      }
      cursor = (body["nextCursor"] ?? null) as string | null;
      if (cursor === null) return;
    }
  };
  const reachOut = async (): Promise<void> => {
    const id = stranger.instances[random.below(stranger.instances.length)]?.id ?? "";
    const attempts = [
      { method: "GET", path: `/instances/${id}` },
      { method: "GET", path: `/instances/${id}/resources` },
      { method: "POST", path: `/instances/${id}/deploy` },
      { method: "DELETE", path: `/webhooks/${stranger.webhooks[0]?.id}` },
    ] as const;
    const attempt = attempts[random.below(attempts.length)] ?? attempts[0];
    const { status } = await tenant.admin.ask(attempt);
    if (status !== 404)
      book.wrongly(`${attempt.method} ${attempt.path} of another tenant was answered ${status}`);
    const own = tenant.instances[0]?.id ?? "";
    const forbidden = await tenant.viewer.ask({
      method: "POST",
      path: `/instances/${own}/destroy`,
    });
    if (forbidden.status !== 403)
      book.wrongly(`A viewer's destroy of ${own} was answered ${forbidden.status}`);
  };
  await repeat(place, until, async () => {
    if (random.chance(0.3)) return reachOut();
    await readList(lists[random.below(lists.length)] ?? "/instances");
  });
}

/** Makes and deletes templates and webhooks, asks for deliveries again, changes the cloud's weather, adds instances. */
export async function churn(
  place: SoakPlace,
  tenant: SoakTenant,
  until: AbortSignal,
): Promise<void> {
  const { book, random } = place;
  const { admin } = tenant;
  let extra = 0;
  const makeTemplate = async (): Promise<void> => {
    const { body, status } = await admin.change({
      method: "POST",
      path: "/templates",
      body: {
        name: `extra ${randomUUID()}`,
        source: mockTemplate(1),
        labels: { call: randomUUID() },
      },
    });
    if (status !== 201)
      return book.wrongly(`A template was answered ${status}: ${JSON.stringify(body)}`);
    const id = String(body["id"]);
    book.acknowledge({ id, kind: "template", tenantId: tenant.id });
    if (!random.chance(0.5)) return;
    book.deleted.add(id);
    const gone = await admin.change({ method: "DELETE", path: `/templates/${id}` });
    if (![204, 404].includes(gone.status))
      book.wrongly(`DELETE of the template ${id} was answered ${gone.status}`);
  };
  const makeWebhook = async (): Promise<void> => {
    const webhook = await addWebhook(place, tenant, "good", ["deployment.*", "template.created"]);
    await wait(random.below(3_000));
    book.deleted.add(webhook.id);
    const gone = await admin.change({ method: "DELETE", path: `/webhooks/${webhook.id}` });
    if (![204, 404].includes(gone.status))
      book.wrongly(`DELETE of the webhook ${webhook.id} was answered ${gone.status}`);
  };
  const redeliver = async (): Promise<void> => {
    const webhook = tenant.webhooks[random.below(tenant.webhooks.length)];
    if (webhook === undefined || book.deleted.has(webhook.id)) return;
    const { body } = await admin.get(`/webhooks/${webhook.id}/deliveries?limit=20`);
    const deliveries = (body["data"] ?? []) as { id: string }[];
    const delivery = deliveries[random.below(deliveries.length)];
    if (delivery === undefined) return;
    const path = `/webhooks/${webhook.id}/deliveries/${delivery.id}/redeliver`;
    const { status, body: answer } = await admin.change({ method: "POST", path });
    if (![202, 404, 409].includes(status))
      book.wrongly(`POST ${path} was answered ${status}: ${JSON.stringify(answer)}`);
  };
  const changeWeather = async (): Promise<void> => {
    const kinds = ["networks", "servers", "databases", "records"];
    const verbs = ["create", "read", "update", "delete"];
    const faults = Array.from({ length: 1 + random.below(4) }, () => ({
      kind: kinds[random.below(kinds.length)],
      on: verbs[random.below(verbs.length)],
      times: 1 + random.below(3),
      status: [0, 429, 500, 503][random.below(4)],
      effect: random.chance(0.5) ? "after" : "before",
    })).map((fault) => (fault.on === "read" ? { ...fault, effect: "before" } : fault));
    const path = `/cloud/targets/${tenant.targets.mock}`;
    const { status, body } = await admin.change({
      method: "PATCH",
      path,
      body: { config: { faults } },
    });
    if (status !== 200)
      book.wrongly(`PATCH ${path} was answered ${status}: ${JSON.stringify(body)}`);
  };
  const makeInstance = async (): Promise<void> => {
    if (extra >= MAX_EXTRA_INSTANCES) return;
    extra += 1;
    const instance = await addInstance(place, tenant, `${tenant.slug}-extra${extra}`, "mock");
    tenant.instances.push(instance);
    const { status, body } = await admin.change({
      method: "POST",
      path: `/instances/${instance.id}/deploy`,
    });
    if (status === 202)
      book.acknowledge({
        id: String(body["id"]),
        kind: "deployment",
        tenantId: tenant.id,
        instanceId: instance.id,
      });
    else if (status !== 404)
      book.wrongly(`The deploy of ${instance.id} was answered ${status}: ${JSON.stringify(body)}`);
  };
  await repeat(place, until, async () => {
    const roll = random.next();
    if (roll < 0.25) return makeTemplate();
    if (roll < 0.45) return makeWebhook();
    if (roll < 0.7) return redeliver();
    if (roll < 0.9) return changeWeather();
    return makeInstance();
  });
}

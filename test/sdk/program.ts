/**
 * A client that knows the service by its document alone: types by openapi-typescript (types.test.ts writes them),
 * requests by openapi-fetch. It does the main job from an empty installation to outputs and verified events.
 */
import createClient, { type Client, type Middleware } from "openapi-fetch";
import { Webhook } from "standardwebhooks";
import type { components, paths } from "../../dist/sdk/api.ts";
import type { ProgramParts, ProgramResult } from "./program-parts.ts";

type Deployment = components["schemas"]["Deployment"];
type Event = components["schemas"]["Event"];
type Problem = components["schemas"]["Problem"];
type Api = Client<paths>;

const source = `name: shop
runtime: yaml
config:
  size: { type: string, default: small }
resources:
  net: { type: "mock:Network", properties: { name: shop } }
  web: { type: "mock:Server", properties: { name: shop-web, size: "\${size}", net: "\${net.id}" } }
outputs:
  networkName: \${net.name}
  serverId: \${web.id}
`;

export async function runProgram(parts: ProgramParts): Promise<ProgramResult> {
  const operator = clientOf(parts, parts.operatorKey);
  const tenant = must(
    await operator.POST("/api/v1/tenants", {
      body: { name: "Acme", slug: `acme-${crypto.randomUUID().slice(0, 8)}` },
    }),
  );
  const { key } = must(
    await operator.POST("/api/v1/api-keys", {
      body: { name: "deployer", scopes: ["*"], tenantId: tenant.id },
    }),
  );
  const deployer = clientOf(parts, key);
  const approver = clientOf(parts, await parts.keyOfAdmin(tenant.id));

  const webhook = must(
    await deployer.POST("/api/v1/webhooks", {
      body: { url: parts.webhookUrl, events: ["deployment.*", "instance.created"] },
    }),
  );
  const target = must(
    await deployer.POST("/api/v1/cloud/targets", {
      body: {
        provider: "mock",
        name: "sandbox",
        config: {},
        allowedRegions: ["local-1"],
        defaultRegion: "local-1",
      },
    }),
  );
  const byId = (id: string) => ({ params: { path: { id } } });
  const { ok } = must(await deployer.POST("/api/v1/cloud/targets/{id}/verify", byId(target.id)));
  if (!ok) throw new Error("The target's credential does not work");
  const template = must(
    await deployer.POST("/api/v1/templates", { body: { name: "shop", source } }),
  );
  const instance = must(
    await deployer.POST("/api/v1/instances", {
      body: {
        name: "shop",
        templateId: template.id,
        targetId: target.id,
        variables: { size: "medium" },
        approvalMode: "always",
        labels: { team: "web" },
      },
    }),
  );

  const found = must(
    await deployer.GET("/api/v1/instances", {
      params: {
        query: { state: ["ACTIVE", "INITIALIZED"], label: ["team=web"], include: ["template"] },
      },
    }),
  );

  const planned = must(await deployer.POST("/api/v1/instances/{id}/plan", byId(instance.id)));
  await until(deployer, parts, planned.id, ["SUCCEEDED"]);
  const plan = must(await deployer.GET("/api/v1/deployments/{id}/plan", byId(planned.id)));

  const deploy = () =>
    deployer.POST("/api/v1/instances/{id}/deploy", {
      params: { path: { id: instance.id }, header: { "Idempotency-Key": "first-deploy" } },
    });
  const asked = must(await deploy());
  if (must(await deploy()).id !== asked.id) throw new Error("The repeated request was not known");
  await until(deployer, parts, asked.id, ["AWAITING_APPROVAL"]);
  const refusals = [
    codeOf(await deployer.POST("/api/v1/deployments/{id}/approve", byId(asked.id))),
    codeOf(await deployer.GET("/api/v1/instances/{id}", byId("nothing"))),
  ];
  must(await approver.POST("/api/v1/deployments/{id}/approve", byId(asked.id)));
  const log = await followLog(deployer, asked.id);
  await until(deployer, parts, asked.id, ["SUCCEEDED"]);
  const { outputs } = must(await deployer.GET("/api/v1/instances/{id}/outputs", byId(instance.id)));

  // Null where the webhook signs with its own key.
  const events = await eventsUntil(parts, webhook.secret ?? "", (event) => {
    return event.type === "deployment.succeeded" && event.data.resource.id === asked.id;
  });
  return {
    plannedActions: plan.changes.map(({ action, resource }) => `${action} ${resource}`),
    found: found.data.map(({ name, template }) => [name, template?.latestVersion]),
    log,
    outputs,
    deploymentEvents: events
      .filter(({ data }) => data.resource.id === asked.id)
      .toSorted((a, b) => a.sequence - b.sequence)
      .map(({ type }) => type),
    refusals,
  };
}

function clientOf(parts: ProgramParts, key: string): Api {
  const authorize: Middleware = {
    onRequest: ({ request }) => {
      request.headers.set("authorization", `Bearer ${key}`);
    },
  };
  const client = createClient<paths>({ baseUrl: parts.baseUrl, fetch: parts.fetch });
  client.use(authorize);
  return client;
}

/** What was answered, or a failure that says why. */
function must<T>(answer: { data?: T; error?: Problem }): T {
  if (answer.error !== undefined)
    throw new Error(`${answer.error.code}: ${answer.error.detail} (${answer.error.requestId})`);
  if (answer.data === undefined) throw new Error("The answer has no body");
  return answer.data;
}

function codeOf(answer: { error?: { code: string } | undefined }): string {
  if (answer.error === undefined) throw new Error("That should have been refused");
  return answer.error.code;
}

async function until(
  client: Api,
  parts: ProgramParts,
  id: string,
  states: readonly Deployment["state"][],
): Promise<Deployment> {
  for (let tries = 0; tries < 500; tries += 1) {
    const deployment = must(
      await client.GET("/api/v1/deployments/{id}", { params: { path: { id } } }),
    );
    if (states.includes(deployment.state)) return deployment;
    if (deployment.error !== null) throw new Error(deployment.error.message);
    await parts.pause(20);
  }
  throw new Error(`The deployment does not become ${states.join(" or ")}`);
}

/** The log as it is written, to its end. */
async function followLog(client: Api, id: string): Promise<string[]> {
  const { data } = await client.GET("/api/v1/deployments/{id}/log", {
    params: { path: { id } },
    headers: { accept: "text/event-stream" },
    parseAs: "stream",
  });
  const messages: string[] = [];
  if (data === undefined || data === null) throw new Error("There is no log");
  const reader = data.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return messages;
    text += value;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      if (block.includes("event: end")) return messages;
      const line = /^data: (.+)$/m.exec(block)?.[1];
      if (line !== undefined)
        messages.push((JSON.parse(line) as components["schemas"]["LogEntry"]).message);
    }
  }
}

/** Every event that arrived and whose signature is good, once one of them is the one that was waited for. */
async function eventsUntil(
  parts: ProgramParts,
  secret: string,
  last: (event: Event) => boolean,
): Promise<Event[]> {
  const verifier = new Webhook(secret);
  for (let tries = 0; tries < 500; tries += 1) {
    const events = parts
      .received()
      .map(({ body, headers }) => verifier.verify(body, headers) as Event);
    if (events.some(last)) return events.map(checked);
    await parts.pause(20);
  }
  throw new Error("The last event did not arrive");
}

/** The kind decides what an event's `data` has: whoever asks for `type` knows it. */
function checked(event: Event): Event {
  if (event.type === "deployment.planned" && event.data.summary.create !== 2)
    throw new Error("Two resources were to be made");
  if (event.type === "deployment.failed") throw new Error(event.data.error.message);
  return event;
}

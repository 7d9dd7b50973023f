/**
 * Secrets in answers, found by their look: what a declaration says of them (`secretAnswer`) is compared with what was
 * shown.
 */
import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { endpoints } from "#app.ts";
import { takesIdempotencyKey } from "#http/endpoint.ts";
import type { JsonMap } from "#platform/json.ts";
import { type Answer, OPERATOR_KEY } from "#test/support/api.ts";
import { ask } from "#test/support/declared.ts";
import {
  answerEveryReceiver,
  deletesLast,
  makeWorld,
  pathIn,
  sampleBody,
} from "#test/support/world.ts";

answerEveryReceiver();
const world = await makeWorld();

/** Written by hand: the endpoints that show a secret, which nobody can read again. */
const showing = [
  "createApiKey",
  "createInstanceTrigger",
  "createInvitation",
  "createWebhook",
  "rotateApiKey",
  "rotateInstanceTrigger",
  "rotateWebhookSecret",
];

/**
 * API keys, tokens of invitations, signing secrets, and the URLs of hooks and their keys, which are 43 characters of
 * base64url without a mark. A digest has 64 characters, a cursor a dot, and a signature
 * ends with `=`. The record that proves an e-mail domain is public.
 */
const secretShape =
  /cpk_\w{40,}|cpi_[\w-]{40,}|wh(?:sec|sk)_[A-Za-z0-9+/=]{40,}|(?<![\w.-]|control-api=)[\w-]{43}(?![\w.=-])/g;

const endpointOf = (operationId: string) => {
  const endpoint = endpoints.find((it) => it.operationId === operationId);
  if (endpoint === undefined) throw new Error(`There is no endpoint ${operationId}`);
  return endpoint;
};

/** The secrets that each endpoint's answers showed. */
const shown = new Map<string, string[]>();

async function hear(
  operationId: string,
  path: string,
  body: JsonMap | undefined,
): Promise<Answer["body"]> {
  const endpoint = endpointOf(operationId);
  const { access } = endpoint;
  const isOperators = access !== "public" && access.role === "operator";
  const { text, body: answer } = await ask(endpoint, path, {
    key: isOperators ? OPERATOR_KEY : world.tenant.key,
    body: body === undefined ? undefined : JSON.stringify(body),
    headers: takesIdempotencyKey(endpoint) ? { "idempotency-key": crypto.randomUUID() } : {},
  });
  const found = text.match(secretShape) ?? [];
  if (found.length > 0) shown.set(operationId, [...(shown.get(operationId) ?? []), ...found]);
  return answer;
}

beforeAll(async () => {
  const triggers = `/instances/${world.instanceId}/triggers`;
  for (const condition of [{}, { signature: "github" }, { signature: "standard" }]) {
    const hook = { kind: "inbound_webhook", condition };
    const { id } = await hear("createInstanceTrigger", triggers, hook);
    await hear("rotateInstanceTrigger", `${triggers}/${id}/rotate`, undefined);
    await hear("getInstanceTrigger", `${triggers}/${id}`, undefined);
    await hear("updateInstanceTrigger", `${triggers}/${id}`, { enabled: false });
  }
  for (const endpoint of deletesLast(endpoints).filter(({ method }) => method !== "DELETE"))
    await hear(endpoint.operationId, pathIn(world, endpoint), sampleBody(world, endpoint));
});

it("are shown by these endpoints only, and declared by them", () => {
  expect([...shown.keys()].toSorted()).toEqual(showing);
  const declared = endpoints.filter(({ secretAnswer }) => secretAnswer === true);
  expect(declared.map(({ operationId }) => operationId).toSorted()).toEqual(showing);
});

it("are not stored in clear text, also not for a repeated request", async () => {
  const secrets = [...shown.values()].flat();
  // Three hooks show a URL each time they are made and rotated; two of them show a key too.
  expect(secrets.length).toBeGreaterThanOrEqual(showing.length - 2 + 10);
  const tables = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'",
  ).all<{ name: string }>();
  expect(tables.results.length).toBeGreaterThan(20);
  for (const { name } of tables.results) {
    const { results } = await env.DB.prepare(`SELECT * FROM ${name}`).all();
    const text = JSON.stringify(results);
    expect(
      secrets.filter((secret) => text.includes(secret.slice(-43))),
      name,
    ).toEqual([]);
  }
});

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { endpoints } from "#app.ts";
import { type Endpoint, takesIdempotencyKey } from "#http/endpoint.ts";
import { makeKey as inventKey, parseKey } from "#kernel/authn/api-key.ts";
import { forgetAnswers } from "#kernel/call/forget-answers.ts";
import { roundTripsOf } from "#test/support/answers.ts";
import { type Answer, OPERATOR_KEY } from "#test/support/api.ts";
import { ask } from "#test/support/declared.ts";
import { countFor, inTurns } from "#test/support/depth.ts";
import {
  answerEveryReceiver,
  deletesLast,
  makeKey,
  makeWorld,
  MISSING_ID,
  nothingToDo,
  pathIn,
  pathWith,
  sampleBody,
  titleOf,
  untilNothingDeployed,
  type World,
} from "#test/support/world.ts";

answerEveryReceiver();
const world = await makeWorld();
const second = await makeKey(world.tenantId);
/** For the tests that come after the tenant of `world` was deleted. */
const another = await makeWorld();

/** Why these endpoints are skipped: they change nothing in this world, or never. */
const left: Readonly<Record<string, string>> = {
  ...nothingToDo,
  validateTemplate: "it changes nothing",
};
/** Repeated with an expired key, these succeed and change nothing more. */
const once = new Set(["approveEmailDomain", "deprecateTemplateVersion"]);
const changing = endpoints.filter(
  (endpoint) => takesIdempotencyKey(endpoint) && !Object.hasOwn(left, endpoint.operationId),
);
const titled = (list: readonly Endpoint[]) =>
  list.map((endpoint): [string, Endpoint] => [titleOf(endpoint), endpoint]);

const byOperator = ({ access }: Endpoint) => access !== "public" && access.role === "operator";
// A tenant's keys end with it: repeating its deletion with one is refused.
const keyFor = (endpoint: Endpoint) =>
  byOperator(endpoint) || endpoint.operationId === "deleteTenant" ? OPERATOR_KEY : world.tenant.key;
/** A PUT creates a missing object. */
const needsObject = ({ method }: Endpoint) => method !== "PUT";
const textOf = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value));
const replayed = (answer: Answer) => answer.headers.get("idempotent-replayed");

interface Repeat {
  idempotencyKey: string;
  body?: string | undefined;
  key?: string;
  path?: string;
  requestId?: string;
  /** Unknown names are not refused: only the idempotency key can refuse the request. */
  isLenient?: true;
}

const repeat = (endpoint: Endpoint, of: World, r: Repeat): Promise<Answer> =>
  ask(endpoint, r.path ?? pathIn(of, endpoint), {
    key: r.key ?? keyFor(endpoint),
    body: r.body,
    headers: {
      "idempotency-key": r.idempotencyKey,
      ...(r.isLenient === true ? { prefer: "handling=lenient" } : {}),
      ...(r.requestId === undefined ? {} : { "x-request-id": r.requestId }),
    },
  });

/** The number of changes by requests whose id has this prefix. */
async function changes(requestId: string): Promise<number> {
  const row = await env.DB.prepare(
    "SELECT count(DISTINCT request_id) AS n FROM audit_events WHERE request_id LIKE ?",
  )
    .bind(`${requestId}-%`)
    .first<{ n: number }>();
  return row?.n ?? 0;
}

/** Of what is asked of every endpoint alike, most is asked of it in turn. */
const isDue = inTurns(3);
const AT_ONCE = countFor({ ordinary: 4, deep: 20 });

async function allAtOnce(endpoint: Endpoint, r: Repeat, requestId: string): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: AT_ONCE }, (_, at) =>
      repeat(endpoint, world, { ...r, requestId: `${requestId}-${at}` }),
    ),
  );
}

describe("a change that has nothing to change, with an Idempotency-Key", () => {
  it("gets the stored answer, and its key cannot be used for another request", async () => {
    const endpoint = endpoints.find(({ operationId }) => operationId === "updateTemplate");
    if (endpoint === undefined) throw new Error("There is no such endpoint");
    const idempotencyKey = crypto.randomUUID();
    const nothing = { idempotencyKey, body: "{}" };
    const answers = await Promise.all([1, 2, 3].map(() => repeat(endpoint, world, nothing)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.filter((answer) => replayed(answer) === "true")).toHaveLength(2);
    const other = { idempotencyKey, body: JSON.stringify({ name: "another name" }) };
    const refused = await repeat(endpoint, world, other);
    expect([refused.status, refused.body.code]).toEqual([409, "idempotency_key_reused"]);
    const now = await repeat(endpoint, world, nothing);
    expect(now.text).toBe(answers[0]?.text);
  });
});

it("an Idempotency-Key counts at one path: at another object it is another request", async () => {
  const idempotencyKey = crypto.randomUUID();
  const body = textOf({ description: idempotencyKey });
  const endpoint = changing.find(({ operationId }) => operationId === "updateTemplate") as Endpoint;
  const ids = [world.templateId, world.spare.templateId];
  for (const id of ids) {
    const path = pathWith(id, world, endpoint);
    const answer = await repeat(endpoint, world, { idempotencyKey, path, body });
    expect([answer.status, answer.body.id, replayed(answer)]).toEqual([200, id, null]);
  }
});

describe.each(titled(deletesLast(changing)))("%s with an Idempotency-Key", (_, endpoint) => {
  const idempotencyKey = crypto.randomUUID();
  const name = endpoint.operationId;

  it("executes simultaneous requests once, and answers all alike", async () => {
    const body = textOf(sampleBody(world, endpoint));
    if (endpoint.operationId === "deleteTenant") await untilNothingDeployed(world);
    const answers = await allAtOnce(endpoint, { idempotencyKey, body }, name);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([endpoint.answer.status]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    for (const header of ["location", "etag"])
      expect(new Set(answers.map(({ headers }) => headers.get(header))).size).toBe(1);
    expect(answers.filter((answer) => replayed(answer) === "true")).toHaveLength(AT_ONCE - 1);
    expect(await changes(name)).toBe(1);

    const again = await repeat(endpoint, world, { idempotencyKey, body });
    expect([again.text, replayed(again)]).toEqual([answers[0]?.text ?? "", "true"]);
    // Two: a change that reads nothing tries its commit first, then reads the stored answer that it conflicts
    // with.
    expect(roundTripsOf(again)).toBeLessThanOrEqual(2);
  });

  if (endpoint.body !== undefined)
    it("rejects another body with the same key", async () => {
      const answer = await repeat(endpoint, world, {
        idempotencyKey,
        isLenient: true,
        body: textOf({ ...sampleBody(world, endpoint), unknown: 1 }),
      });
      expect([answer.status, answer.body.code]).toEqual([409, "idempotency_key_reused"]);
    });

  it("rejects another query with the same key", async () => {
    const answer = await repeat(endpoint, world, {
      idempotencyKey,
      isLenient: true,
      path: `${pathIn(world, endpoint)}?${endpoint.query === undefined ? "x" : "overlapSeconds"}=0`,
      body: textOf(sampleBody(world, endpoint)),
    });
    expect([answer.status, answer.body.code]).toEqual([409, "idempotency_key_reused"]);
  });

  if (endpoint.method === "DELETE" || once.has(name))
    it("answers a request alike that has nothing left to change, with a key of its own", async () => {
      const body = textOf(sampleBody(world, endpoint));
      const of = { idempotencyKey: crypto.randomUUID(), body };
      const [first, again] = [await repeat(endpoint, world, of), await repeat(endpoint, world, of)];
      expect([again.status, again.body?.code]).toEqual([first.status, first.body?.code]);
      if (first.status >= 300) expect([401, 404, 409]).toContain(first.status);
      else expect([again.text, replayed(again)]).toEqual([first.text, "true"]);
    });

  if (endpoint.path.includes("{") && needsObject(endpoint))
    it("does not store a 404", async () => {
      const path = pathWith(MISSING_ID, world, endpoint);
      const body = textOf(sampleBody(world, endpoint));
      const failed = await repeat(endpoint, world, { idempotencyKey, path, body });
      expect([failed.status, replayed(failed)]).toEqual([404, null]);
      const stored = await env.DB.prepare(
        "SELECT count(*) AS n FROM idempotency_keys WHERE operation = ? AND key = ?",
      )
        .bind(`${endpoint.method} /api/v1${path}`, idempotencyKey)
        .first();
      expect(stored).toEqual({ n: 0 });
    });

  // A public endpoint has no callers.
  if (!byOperator(endpoint) && endpoint.method !== "DELETE" && endpoint.access !== "public")
    it("separates equal keys of different callers", async () => {
      const answer = await repeat(endpoint, world, {
        idempotencyKey,
        key: second.key,
        body: textOf(sampleBody(world, endpoint)),
      });
      expect(replayed(answer)).toBeNull();
      expect(answer.body?.code).not.toBe("idempotency_key_reused");
    });

  if (endpoint.method !== "DELETE" && !once.has(name))
    it.runIf(isDue())("forgets the key after a day, also for simultaneous requests", async () => {
      await env.DB.prepare("UPDATE idempotency_keys SET expires_at_ms = 1 WHERE key = ?")
        .bind(idempotencyKey)
        .run();
      const body = textOf(sampleBody(world, endpoint));
      const answers = await allAtOnce(endpoint, { idempotencyKey, body }, `${name}.2`);
      expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1);
      expect(await changes(`${name}.2`)).toBe(1);
    });
});

const secret = changing.filter(({ secretAnswer }) => secretAnswer === true);
/** A body whose answer has a secret. */
const secretBody = (of: World, endpoint: Endpoint) =>
  endpoint.operationId === "createInstanceTrigger"
    ? { kind: "inbound_webhook" }
    : sampleBody(of, endpoint);

describe.each(titled(secret))("the secret that %s answers", (_, endpoint) => {
  it("is replayed, and is not stored in clear text", async () => {
    const key = byOperator(endpoint) ? OPERATOR_KEY : another.tenant.key;
    const r = { idempotencyKey: "secret", key, body: textOf(secretBody(another, endpoint)) };
    const first = await repeat(endpoint, another, r);
    const again = await repeat(endpoint, another, r);
    expect([again.text, replayed(again)]).toEqual([first.text, "true"]);
    const shown: string = first.body.key ?? first.body.secret ?? first.body.token ?? first.body.url;
    expect(shown).toMatch(/^(cpk_|whsec_|cpi_|\/api\/v1\/hooks\/).{40,}/);
    const hidden = shown.slice(-43);
    const tables = await env.DB.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'",
    ).all<{ name: string }>();
    expect(tables.results.length).toBeGreaterThan(5);
    for (const { name } of tables.results) {
      const { results } = await env.DB.prepare(`SELECT * FROM ${name}`).all();
      expect(JSON.stringify(results).includes(hidden), name).toBe(false);
    }
  });
});

it("deletes expired answers once an hour", async () => {
  const hourMs = 60 * 60 * 1000;
  const onTheHourMs = Date.UTC(2040, 0, 1);
  const keys = ["expired", "kept"].map((name) => `forget-${name}`);
  await env.DB.batch(
    keys.map((key, at) =>
      env.DB.prepare(
        "INSERT INTO idempotency_keys (principal, operation, key, body_digest, status, headers, body, expires_at_ms) VALUES ('p', 'o', ?, '', 204, '{}', '', ?)",
      ).bind(key, onTheHourMs + at),
    ),
  );
  const left = async () =>
    (
      await env.DB.prepare(
        "SELECT key FROM idempotency_keys WHERE key LIKE 'forget-%' ORDER BY key",
      ).all()
    ).results.map(({ key }) => key);
  await forgetAnswers(env, onTheHourMs - 1);
  await forgetAnswers(env, onTheHourMs - hourMs);
  expect(await left()).toEqual(keys);
  await forgetAnswers(env, onTheHourMs);
  expect(await left()).toEqual(["forget-kept"]);
});

it("gets no stored answer with a wrong secret of the key", async () => {
  const createKey = changing.find(({ operationId }) => operationId === "createApiKey") as Endpoint;
  const body = textOf(sampleBody(another, createKey));
  const idempotencyKey = "theft";
  expect(
    (await repeat(createKey, another, { idempotencyKey, body, key: another.tenant.key })).status,
  ).toBe(201);
  const keyId = parseKey(another.tenant.key)?.keyId ?? "";
  const forged = await repeat(createKey, another, {
    idempotencyKey,
    body,
    key: inventKey(keyId, false),
  });
  expect([forged.status, replayed(forged)]).toEqual([401, null]);
});

it("is not replayed to a caller whose key was revoked meanwhile", async () => {
  const createKey = changing.find(({ operationId }) => operationId === "createApiKey") as Endpoint;
  const leaving = await makeKey(another.tenantId);
  const r = {
    idempotencyKey: "leaving",
    key: leaving.key,
    body: textOf(sampleBody(another, createKey)),
  };
  expect((await repeat(createKey, another, r)).status).toBe(201);
  expect((await another.tenant.delete(`/api-keys/${leaving.id}`)).status).toBe(204);
  expect((await repeat(createKey, another, r)).status).toBe(401);
});

/**
 * Detours by keys: to live longer than what made a key, to come by another person's secret, and to be the other person
 * whom `always` asks for. Each way is tried by every kind of caller.
 */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { MAX_ANCESTORS } from "#kernel/authn/key-lineage.ts";
import {
  type Answer,
  type Client,
  clientOf,
  makeTenant,
  operator,
  send,
  type TestTenant,
} from "#test/support/api.ts";
import { appWith } from "#test/support/app-with.ts";
import { makeInstance, makeTarget, makeTemplate, untilOver } from "#test/support/cloud.ts";
import { operatorIdentity } from "#test/support/operator-identity.ts";
import { headersOf, makeMembership, makeSession, makeUser } from "#test/support/sessions.ts";
import { SOURCE } from "#test/support/templates.ts";

type Post = Pick<Client, "post">;
interface Key extends Client {
  id: string;
  key: string;
}

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const inTheDatabase = async (change: string, ...values: unknown[]) =>
  env.DB.prepare(change)
    .bind(...values)
    .run();
/** Asks D1, whatever the cache says. */
const works = async ({ key }: { key: string }): Promise<boolean> =>
  (await clientOf(key).post("/templates/none/validate", {})).status !== 401;

async function keyBy(by: Post, more: object = {}): Promise<Key> {
  const made = await by.post("/api-keys", { name: "k", scopes: ["*"], ...more });
  expect(made.status, made.text).toBe(201);
  return { id: made.body.id, key: made.body.key, ...clientOf(made.body.key) };
}

function inSession(token: Awaited<ReturnType<typeof makeSession>>): Client {
  const ask =
    (method: string) =>
    (path: string, body?: unknown): Promise<Answer> =>
      send(method, path, {
        headers: {
          ...headersOf(token),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
  const bare = (method: string) => (path: string) => ask(method)(path);
  return {
    get: bare("GET"),
    delete: bare("DELETE"),
    post: ask("POST"),
    put: ask("PUT"),
    patch: ask("PATCH"),
  };
}

async function member(tenantId: string): Promise<Client & { userId: string }> {
  const userId = await makeUser();
  await makeMembership(userId, tenantId, "CustomerOwner");
  return { userId, ...inSession(await makeSession(userId)) };
}

async function operatorInSession(): Promise<Client> {
  return inSession(await makeSession(await makeUser(operatorIdentity), { operator: true }));
}

/** Every kind of key, and what it is to name as the tenant of keys that it creates. */
const kinds: Record<string, (more: object) => Promise<{ key: Key; tenantId?: string }>> = {
  "that the bootstrap key made for a tenant": async (more) => {
    const { tenantId } = await makeTenant();
    return { key: await keyBy(operator, { tenantId, ...more }) };
  },
  "of a member": async (more) => {
    const { tenantId } = await makeTenant();
    return { key: await keyBy(await member(tenantId), more) };
  },
  "of a member's key": async (more) => {
    const { tenantId } = await makeTenant();
    return { key: await keyBy(await keyBy(await member(tenantId)), more) };
  },
  "of an operator": async (more) => ({ key: await keyBy(operator, more) }),
  "of an operator, for a tenant's": async (more) => ({
    key: await keyBy(operator, more),
    tenantId: (await makeTenant()).tenantId,
  }),
  "of an operator in a session": async (more) => ({
    key: await keyBy(await operatorInSession(), more),
  }),
};

describe.each(Object.entries(kinds))("a key %s", (_, make) => {
  it("that expires makes neither itself nor another one last longer", async () => {
    const expiresAt = inSeconds(25);
    const { key, tenantId } = await make({ expiresAt });
    const to = tenantId === undefined ? {} : { tenantId };
    const child = await keyBy(key, to);
    for (const later of [inSeconds(3_600), null]) {
      const body = { expiresAt: later };
      const refused = [
        await key.patch(`/api-keys/${key.id}`, body),
        await key.patch(`/api-keys/${child.id}`, body),
        ...(later === null
          ? []
          : [await key.post("/api-keys", { name: "k", scopes: ["*"], ...to, ...body })]),
      ];
      for (const answer of refused)
        expect([answer.status, answer.body.code], answer.text).toEqual([403, "forbidden"]);
    }
    const shown = await key.get(`/api-keys/${child.id}`);
    expect(shown.body).toMatchObject({ expiresAt, creatorKeyId: key.id, endedByKeyId: null });
    const rotated = await key.post(`/api-keys/${key.id}/rotate`);
    expect(rotated.body.expiresAt).toBe(expiresAt);
    const shorter = await key.patch(`/api-keys/${child.id}`, { expiresAt: inSeconds(10) });
    expect(shorter.status, shorter.text).toBe(200);
  });

  const ends: Record<string, (key: Key) => Promise<unknown>> = {
    "is revoked": async ({ id }) => operator.delete(`/api-keys/${id}`),
    "is removed": async ({ id }) => inTheDatabase("DELETE FROM api_keys WHERE id = ?", id),
    expires: async ({ id }) =>
      inTheDatabase("UPDATE api_keys SET expires_at_ms = 1 WHERE id = ?", id),
    "is rotated at once": async ({ id, post }) => post(`/api-keys/${id}/rotate?overlapSeconds=0`),
  };
  it.each(Object.entries(ends))("takes all keys below along when it %s", async (_, end) => {
    const { key, tenantId } = await make({});
    const child = await keyBy(key, tenantId === undefined ? {} : { tenantId });
    const grandchild = await keyBy(child);
    // Known to the cache, too.
    expect([await works(child), await works(grandchild)]).toEqual([true, true]);
    await end(key);
    expect([await works(child), await works(grandchild)]).toEqual([false, false]);
    const shown = await operator.get(`/api-keys/${grandchild.id}`);
    expect(shown.body).toMatchObject({ endedByKeyId: key.id, creatorKeyId: child.id });
  });

  it("narrows the keys below when its scopes are narrowed", async () => {
    const { key, tenantId } = await make({});
    const child = await keyBy(key, tenantId === undefined ? {} : { tenantId });
    expect((await child.get("/templates")).status).toBe(200);
    const scopes = ["profiles:write", "api_keys:write"];
    expect((await key.patch(`/api-keys/${key.id}`, { scopes })).status).toBe(200);
    const refused = await child.post("/templates", { name: "web" });
    expect([refused.status, refused.body.code]).toEqual([403, "forbidden"]);
    const made = await child.post("/api-keys", { name: "k", scopes: ["templates:read"] });
    expect(made.status).toBe(403);
    expect((await child.post("/profiles", { name: "p" })).status).not.toBe(403);
  });
});

it("gives a chain of keys an end", async () => {
  const { tenantId } = await makeTenant();
  let key = await keyBy(operator, { tenantId });
  for (let depth = 0; depth < MAX_ANCESTORS; depth += 1) key = await keyBy(key);
  expect(await works(key)).toBe(true);
  const refused = await key.post("/api-keys", { name: "k", scopes: ["*"] });
  expect([refused.status, refused.body.code]).toEqual([403, "forbidden"]);
});

it("does not let a child live longer than its parent by a person's PATCH either", async () => {
  const { tenantId } = await makeTenant();
  const person = await member(tenantId);
  const parent = await keyBy(person, { expiresAt: inSeconds(600) });
  const child = await keyBy(parent);
  const refused = await person.patch(`/api-keys/${child.id}`, { expiresAt: null });
  expect([refused.status, refused.body.code]).toEqual([403, "forbidden"]);
  expect((await person.patch(`/api-keys/${parent.id}`, { expiresAt: null })).status).toBe(200);
  expect((await person.patch(`/api-keys/${child.id}`, { expiresAt: null })).status).toBe(200);
});

describe("the secret of a key", () => {
  it("is only for who created it: in a session, by the key itself and by a key above it", async () => {
    const { tenantId } = await makeTenant();
    const [one, two] = [await member(tenantId), await member(tenantId)];
    const [key, sibling] = [await keyBy(one), await keyBy(one)];
    const child = await keyBy(key);
    const others: Client[] = [
      two,
      await keyBy(two),
      sibling,
      operator,
      await operatorInSession(),
      await keyBy(operator, { tenantId }),
    ];
    for (const other of others)
      for (const of of [key, child]) {
        const refused = await other.post(`/api-keys/${of.id}/rotate`);
        expect([refused.status, refused.body.code]).toEqual([403, "forbidden"]);
        expect(refused.text).not.toContain("cpk_");
      }
    expect((await child.post(`/api-keys/${key.id}/rotate`)).status).toBe(403);
    const ways: ((key: Key, child: Key) => [Client, Key])[] = [
      (parent) => [one, parent],
      (_, below) => [one, below],
      (parent) => [parent, parent],
      (parent, below) => [parent, below],
      (_, below) => [below, below],
    ];
    for (const way of ways) {
      const parent = await keyBy(one);
      const [by, of] = way(parent, await keyBy(parent));
      const rotated = await by.post(`/api-keys/${of.id}/rotate`);
      expect(rotated.status, rotated.text).toBe(200);
    }
    // Whoever has its rights may end it.
    expect((await two.delete(`/api-keys/${key.id}`)).status).toBe(204);
  });

  it("that a key could widen for itself is refused, since that one would go on without it", async () => {
    const { tenantId } = await makeTenant();
    const person = await member(tenantId);
    const wide = await keyBy(person, { expiresAt: inSeconds(600) });
    const narrow = await keyBy(person, { scopes: ["templates:read"] });
    const widened = await wide.patch(`/api-keys/${narrow.id}`, { scopes: ["templates:write"] });
    expect([widened.status, widened.body.code]).toEqual([403, "forbidden"]);
    const brief = await keyBy(person, { scopes: ["templates:read"], expiresAt: inSeconds(60) });
    const longer = await wide.patch(`/api-keys/${brief.id}`, { expiresAt: inSeconds(300) });
    expect([longer.status, longer.body.code]).toEqual([403, "forbidden"]);
    const narrower = await wide.patch(`/api-keys/${brief.id}`, { expiresAt: inSeconds(30) });
    expect(narrower.status, narrower.text).toBe(200);
  });
});

it("an operator's keys for tenants end when the person is no operator any more", async () => {
  const { tenantId } = await makeTenant();
  const session = await operatorInSession();
  const ofTenant = await keyBy(session, { tenantId });
  const below = await keyBy(ofTenant);
  const platform = await keyBy(session);
  const belowPlatform = await keyBy(platform, { tenantId });
  const keys = [ofTenant, below, platform, belowPlatform];
  const statuses = async (settings: object) => {
    const ask = appWith(settings);
    const answers = keys.map(({ key }) =>
      ask("POST", "/templates/none/validate", { headers: { authorization: `Bearer ${key}` } }),
    );
    return (await Promise.all(answers)).map(({ status }) => status === 401);
  };
  expect(await statuses({})).toEqual([false, false, false, false]);
  expect(await statuses({ OPERATORS: "" })).toEqual([true, true, true, true]);
});

describe("`always` asks for another person, and is not passed", () => {
  let tenant: TestTenant;
  const deployed = async (by: Client, id: string) => {
    const started = await by.post(`/instances/${id}/deploy`);
    expect(started.status, started.text).toBe(202);
    return untilOver(tenant, started.body.id);
  };
  let tenantId: string;
  /** Every way of each person to send a request. */
  let persons: Record<string, Record<string, Client>>;
  let instance: () => Promise<string>;

  beforeAll(async () => {
    tenant = await makeTenant();
    tenantId = tenant.tenantId;
    // None of those who ask and approve has written what they deploy.
    const author = (await member(tenantId)) as unknown as TestTenant;
    const templateId = await makeTemplate(author, SOURCE);
    const targetId = await makeTarget(author);
    const variables = { password: "correct horse battery" };
    const settings = { approvalMode: "always", variables };
    instance = () => makeInstance(author, templateId, targetId, settings);
    const waysOf = async (session: Client, to: object) => {
      const key = await keyBy(session, to);
      return { session, key, another: await keyBy(session, to), child: await keyBy(key) };
    };
    const signedIn = await operatorInSession();
    const [platform, ofOperator] = [await keyBy(operator), await keyBy(signedIn)];
    persons = {
      bootstrap: {
        ...(await waysOf(operator, { tenantId })),
        platform,
        minted: await keyBy(platform, { tenantId }),
      },
      operator: {
        ...(await waysOf(signedIn, { tenantId })),
        platform: ofOperator,
        minted: await keyBy(ofOperator, { tenantId }),
      },
      member: await waysOf(await member(tenantId), { tenantId }),
      other: await waysOf(await member(tenantId), { tenantId }),
    };
  });

  it.each(["bootstrap", "operator", "member"])(
    "by any two credentials of the same %s, but by those of others",
    async (who) => {
      for (const [asked, requester] of Object.entries(persons[who] ?? {})) {
        const { body } = await deployed(requester, await instance());
        expect(body.state, asked).toBe("AWAITING_APPROVAL");
        const path = `/deployments/${body.id}`;
        for (const [way, approver] of Object.entries(persons[who] ?? {})) {
          expect((await approver.get(path)).body.actions, way).not.toContain("approve");
          const refused = await approver.post(`${path}/approve`);
          expect([refused.status, refused.body.code], `${asked}, ${way}`).toEqual([
            403,
            "forbidden",
          ]);
        }
        const others = Object.entries(persons).filter(([name]) => name !== who);
        const [first] = others.flatMap(([, ways]) => Object.values(ways));
        expect((await first?.post(`${path}/approve`))?.status).toBe(202);
      }
    },
  );

  it("by a trigger that a key of the same hand has set up", async () => {
    const { key, another } = persons["bootstrap"] ?? {};
    const instanceId = await instance();
    const hook = await key?.post(`/instances/${instanceId}/triggers`, { kind: "inbound_webhook" });
    expect(hook?.status, hook?.text).toBe(201);
    const row = await env.DB.prepare("SELECT set_by_person AS person FROM triggers WHERE id = ?")
      .bind(hook?.body.id)
      .first<{ person: string }>();
    const own = await env.DB.prepare("SELECT person FROM api_keys WHERE id = ?")
      .bind((another as Key).id)
      .first<{ person: string }>();
    expect(row).toEqual(own);
  });
});

describe("a change whose body is still arriving when its key ends", () => {
  /** Begins to send the body, does something, and sends the rest. */
  const slowly = async (key: string, meanwhile: () => Promise<unknown>): Promise<Answer> => {
    const parts = ['{"name":', '"late"}'].map((part) => new TextEncoder().encode(part));
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const part = parts.shift();
        if (part === undefined) return controller.close();
        if (parts.length === 0) {
          await scheduler.wait(20);
          await meanwhile();
        }
        controller.enqueue(part);
      },
    });
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    return send("POST", "/profiles", { headers, body });
  };

  it("is refused once the key, or one above it, is revoked or expires, however long ago it began", async () => {
    const tenant = await makeTenant();
    const above = await keyBy(tenant);
    const below = await keyBy(above);
    const other = await keyBy(tenant);
    // Verified in this isolate just now, too.
    for (const { get } of [below, other]) expect((await get("/profiles")).status).toBe(200);
    for (const [{ key }, revoked] of [
      [other, other],
      [below, above],
    ] as const) {
      const late = await slowly(key, async () => tenant.delete(`/api-keys/${revoked.id}`));
      expect([late.status, late.body.code], late.text).toEqual([401, "unauthenticated"]);
    }
    const short = await keyBy(tenant, { expiresAt: inSeconds(1) });
    const over = await slowly(short.key, async () => scheduler.wait(1_200));
    expect([over.status, over.body.code], over.text).toEqual([401, "unauthenticated"]);
    const taken = await slowly(tenant.key, async () => scheduler.wait(1_200));
    expect(taken.status, taken.text).toBe(201);
    // The platform's profiles are in every tenant's list.
    const { data } = (await tenant.get("/profiles")).body;
    expect(data.filter(({ name }: { name: string }) => name === "late")).toHaveLength(1);
  });
});

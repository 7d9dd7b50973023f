/**
 * Answers that outlast the moment in which the caller was authorized ask again at each heart beat. The endpoints are
 * those whose declarations say so: the next one fails here until it has a way to be tried.
 */
import { env, exports } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "#app.ts";
import { eventStream } from "#http/long-answers/event-stream.ts";
import { heartbeat } from "#http/long-answers/renewal.ts";
import { ApiError } from "#kernel/errors.ts";
import { readLog } from "#orchestrator/client/ask-runner.ts";
import { newId } from "#platform/ids.ts";
import { clientOf, makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, untilState } from "#test/support/cloud.ts";
import { makeMember } from "#test/support/members.ts";
import { start } from "#test/support/runner.ts";
import { makeMembership, makeSession, makeUser, SESSION_COOKIE } from "#test/support/sessions.ts";
import { SOURCE } from "#test/support/templates.ts";

const BEAT_MS = 300;
const usual = heartbeat.intervalMs;
beforeAll(() => {
  heartbeat.intervalMs = BEAT_MS;
});
afterAll(() => {
  heartbeat.intervalMs = usual;
});

const variables = { password: "correct horse battery" };

/** An instance of a new tenant whose runs take longer than any test here. */
async function slowInstance(more = {}): Promise<{ tenant: TestTenant; instanceId: string }> {
  const tenant = await makeTenant();
  const templateId = await makeTemplate(tenant, SOURCE);
  const targetId = await makeTarget(tenant, { readyAfterMs: 3_600_000 });
  return {
    tenant,
    instanceId: await makeInstance(tenant, templateId, targetId, { variables, ...more }),
  };
}

type Credential = Record<string, string>;

/** The ways in which a credential stops being enough, each with the code of the problem. */
const losses: Record<
  string,
  (
    tenant: TestTenant,
  ) => Promise<{ credential: Credential; lose: () => Promise<unknown>; code: string }>
> = {
  "its key is revoked": async ({ tenantId }) => {
    const { body } = await keyOf(tenantId);
    const lose = async () => operator.delete(`/api-keys/${body.id}`);
    return { credential: bearer(body.key), lose, code: "unauthenticated" };
  },
  "its key expires": async ({ tenantId }) => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const { body } = await keyOf(tenantId, { expiresAt });
    const lose = async () =>
      operator.patch(`/api-keys/${body.id}`, {
        expiresAt: new Date(Date.now() + 200).toISOString(),
      });
    return { credential: bearer(body.key), lose, code: "unauthenticated" };
  },
  "its key is rotated without an overlap": async ({ tenantId }) => {
    const { body } = await keyOf(tenantId);
    const lose = async () => operator.post(`/api-keys/${body.id}/rotate?overlapSeconds=0`);
    return { credential: bearer(body.key), lose, code: "unauthenticated" };
  },
  "its key loses the scope": async ({ tenantId }) => {
    const { body } = await keyOf(tenantId);
    const lose = async () => operator.patch(`/api-keys/${body.id}`, { scopes: ["members:read"] });
    return { credential: bearer(body.key), lose, code: "forbidden" };
  },
  "the key's creator is removed": async ({ tenantId }) => {
    const member = await makeMember(tenantId, "CustomerAdmin");
    const lose = async () => operator.delete(`/tenants/${tenantId}/members/${member.userId}`);
    return { credential: bearer(member.key), lose, code: "unauthenticated" };
  },
  "the member is removed": async ({ tenantId }) => {
    const { userId, credential } = await sessionOf(tenantId);
    const lose = async () => operator.delete(`/tenants/${tenantId}/members/${userId}`);
    return { credential, lose, code: "forbidden" };
  },
  "the member is of another tenant alone": async ({ tenantId }) => {
    const { userId, credential } = await sessionOf(tenantId);
    await makeMembership(userId, (await makeTenant()).tenantId, "CustomerOwner");
    const lose = async () => operator.delete(`/tenants/${tenantId}/members/${userId}`);
    return { credential, lose, code: "not_found" };
  },
  "the session is ended": async ({ tenantId }) => {
    const { userId, sessionId, credential } = await sessionOf(tenantId);
    const other = await makeSession(userId);
    const lose = async () =>
      clientOf(undefined).delete(`/auth/sessions/${sessionId}`, cookie(other.token));
    return { credential, lose, code: "unauthenticated" };
  },
  "the session was idle for too long": async ({ tenantId }) => {
    const { sessionId, credential } = await sessionOf(tenantId);
    const lose = async () =>
      env.DB.prepare("UPDATE sessions SET last_seen_at_ms = 1 WHERE id = ?").bind(sessionId).run();
    return { credential, lose, code: "unauthenticated" };
  },
  "the tenant's rows are gone": async ({ tenantId, key }) => {
    const lose = async () =>
      env.DB.prepare("DELETE FROM api_keys WHERE tenant_id = ?").bind(tenantId).run();
    return { credential: bearer(key), lose, code: "unauthenticated" };
  },
};

const keyOf = async (tenantId: string, more = {}) =>
  operator.post("/api-keys", { name: "follower", scopes: ["*"], tenantId, ...more });
const bearer = (key: string): Credential => ({ authorization: `Bearer ${key}` });
const cookie = (token: string): Credential => ({
  cookie: `${SESSION_COOKIE}=${token}`,
  "x-service-csrf": "1",
  origin: "https://control.test",
});
async function sessionOf(tenantId: string) {
  const userId = await makeUser();
  await makeMembership(userId, tenantId, "CustomerAdmin");
  const { sessionId, token } = await makeSession(userId);
  return { userId, sessionId, credential: cookie(token) };
}

const fetchWith = async (method: string, path: string, headers: Credential) =>
  exports.default.fetch(new Request(`https://control.test/api/v1${path}`, { method, headers }));

describe("an event stream", () => {
  const streams = endpoints.filter(
    ({ answer }) => answer.otherMediaTypes?.includes("text/event-stream") === true,
  );
  const paths: Record<string, (deploymentId: string) => string> = {
    getDeploymentLog: (id) => `/deployments/${id}/log`,
  };

  it("is tried here, whichever endpoint answers it", () => {
    expect(streams.map(({ operationId }) => operationId)).toEqual(Object.keys(paths));
  });

  describe.each(Object.entries(paths))("of %s", (_, pathOf) => {
    it.each(Object.entries(losses))("ends within a heart beat once %s", async (_, prepare) => {
      const { tenant, instanceId } = await slowInstance();
      const { credential, lose, code } = await prepare(tenant);
      const deploymentId = await start(tenant, instanceId);
      await untilState(tenant, deploymentId, (state) => state === "APPLYING");
      const response = await fetchWith("GET", pathOf(deploymentId), {
        ...credential,
        accept: "text/event-stream",
      });
      expect(response.status).toBe(200);
      const reader = (response.body as ReadableStream<Uint8Array>)
        .pipeThrough(new TextDecoderStream())
        .getReader();
      let text = "";
      while (!text.includes(": still here")) text += (await reader.read()).value ?? "";
      await lose();
      const lostMs = Date.now();
      text = "";
      for (let next = await reader.read(); !next.done; next = await reader.read())
        text += next.value;
      // The loss of the expiring key comes a little later than its request.
      expect(Date.now() - lostMs).toBeLessThan(10 * BEAT_MS);
      const last = text.trimEnd().split("\n\n").at(-1) ?? "";
      expect(last).toMatch(/^event: problem\ndata: /);
      const problem = JSON.parse(last.split("\ndata: ")[1] ?? "");
      expect(problem).toMatchObject({ code, instance: `/api/v1${pathOf(deploymentId)}` });
    });
  });

  it("goes on while the right holds, and does not count as a use of its session", async () => {
    const { tenant, instanceId } = await slowInstance();
    const { sessionId, credential } = await sessionOf(tenant.tenantId);
    const deploymentId = await start(tenant, instanceId);
    const response = await fetchWith("GET", `/deployments/${deploymentId}/log`, {
      ...credential,
      accept: "text/event-stream",
    });
    const idleMs = Date.now() - 3_600_000;
    await env.DB.prepare("UPDATE sessions SET last_seen_at_ms = ? WHERE id = ?")
      .bind(idleMs, sessionId)
      .run();
    const reader = (response.body as ReadableStream<Uint8Array>)
      .pipeThrough(new TextDecoderStream())
      .getReader();
    let text = "";
    while (text.split(": still here").length < 4) text += (await reader.read()).value ?? "";
    await reader.cancel();
    const seen = await env.DB.prepare("SELECT last_seen_at_ms AS atMs FROM sessions WHERE id = ?")
      .bind(sessionId)
      .first<{ atMs: number }>();
    expect(seen?.atMs).toBe(idleMs);
  });

  it("of an ended deployment ends for a waiting reader, even if its runner was never notified", async () => {
    const { instanceId } = await slowInstance();
    const of = { deploymentId: newId(), instanceId };
    const stream = eventStream<boolean>(
      {
        open: async () => true,
        read: async (over, after, waitMs) => {
          const { entries, ended } = await readLog(env, of, after, { waitMs, over });
          return {
            events: entries.map((entry) => ({ id: entry.seq, data: entry })),
            end: ended ? {} : undefined,
          };
        },
      },
      {
        subject: false,
        renew: async () => undefined as never,
        afterId: 0,
        at: { path: "/", requestId: "request" },
      },
    );
    expect(await new Response(stream).text()).toBe(": still here\n\nevent: end\ndata: {}\n\n");
  });

  it("sends nothing more that it read before the loss showed", async () => {
    const stream = eventStream<number>(
      {
        open: async () => {
          throw new ApiError("not_found", "There is no such deployment.");
        },
        read: async (_, __, waitMs) => {
          await scheduler.wait(waitMs + 5);
          return { events: [{ id: 1, data: "secret" }], end: undefined };
        },
      },
      {
        subject: 1,
        renew: async () => undefined as never,
        afterId: 0,
        at: { path: "/", requestId: "request" },
      },
    );
    const text = await new Response(stream).text();
    expect(text).not.toContain("secret");
    expect(text).toMatch(/^event: problem\n/);
  });
});

describe("an answer that `Prefer: wait` holds", () => {
  it("tells nothing newer to a caller who lost the right, and ends within a heart beat", async () => {
    const { tenant, instanceId } = await slowInstance();
    const { body } = await keyOf(tenant.tenantId);
    const startedMs = Date.now();
    const answering = fetchWith("POST", `/instances/${instanceId}/deploy`, {
      ...bearer(body.key),
      prefer: "wait=20",
    });
    await scheduler.wait(BEAT_MS / 2);
    await operator.delete(`/api-keys/${body.id}`);
    const answer = await answering;
    expect(Date.now() - startedMs).toBeLessThan(10_000);
    expect(answer.status).toBe(202);
    expect(answer.headers.get("preference-applied")).toBeNull();
    expect(await answer.json()).toMatchObject({ state: "QUEUED" });
  });
});

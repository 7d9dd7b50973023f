import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { tenantRoles } from "#schema/lists/roles.ts";
import { faultsOf, problemOf, roundTripsOf } from "#test/support/answers.ts";
import { type Answer, clientOf, makeTenant, operator, send, stranger } from "#test/support/api.ts";
import { makeMember } from "#test/support/members.ts";
import { headersOf, makeSession, makeUser, type TestSession } from "#test/support/sessions.ts";
import { together } from "#test/support/together.ts";

const MISSING = "01890000-0000-7000-8000-000000000000";
const emailOf = () => `e-${crypto.randomUUID().slice(0, 13)}@example.com`;
const roles = ["CustomerViewer", "CustomerDeveloper", "CustomerAdmin", "CustomerOwner"] as const;
const beneath = ["CustomerViewer", "CustomerDeveloper"] as const;

const as =
  (session: TestSession) =>
  (method: string, path: string): Promise<Answer> =>
    send(method, path, { headers: headersOf(session) });

async function told(tenantId: string): Promise<{ events: unknown[]; actions: string[] }> {
  const [events, audit] = await env.DB.batch<{ type: string; payload: string; action: string }>([
    env.DB.prepare(
      "SELECT type, payload FROM events WHERE tenant_id = ? AND resource_type = 'member' ORDER BY id",
    ).bind(tenantId),
    env.DB.prepare(
      "SELECT action FROM audit_events WHERE tenant_id = ? AND resource_type IN ('member', 'invitation') ORDER BY id",
    ).bind(tenantId),
  ]);
  return {
    events: (events?.results ?? []).map(({ type, payload }) => {
      const { sequence, data } = JSON.parse(payload);
      return [type, sequence, data.role];
    }),
    actions: (audit?.results ?? []).map(({ action }) => action),
  };
}

describe("adding a member", () => {
  it("invites the person, who becomes a member by accepting", async () => {
    const mine = await makeTenant();
    const path = `/tenants/${mine.tenantId}/members`;
    const email = emailOf();
    const added = await mine.post(path, {
      email: email.toUpperCase(),
      role: "CustomerDeveloper",
    });
    expect(added.status, added.text).toBe(201);
    expect(added.body).toEqual({
      id: expect.any(String),
      tenantId: mine.tenantId,
      email,
      role: "CustomerDeveloper",
      expiresAt: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: added.body.createdAt,
    });
    const invitation = `/tenants/${mine.tenantId}/invitations/${added.body.id}`;
    expect(added.headers.get("location")).toBe(`/api/v1${invitation}`);
    expect(roundTripsOf(added)).toBe(2);
    expect((await mine.get(invitation)).body).toEqual(added.body);
    expect((await mine.get(path)).body.data).toEqual([]);

    const userId = await makeUser(undefined, email);
    const accepted = await as(await makeSession(userId))(
      "POST",
      `/auth/invitations/${added.body.id}/accept`,
    );
    expect(accepted.status, accepted.text).toBe(201);
    expect(accepted.body).toEqual({
      id: expect.any(String),
      tenantId: mine.tenantId,
      userId,
      email,
      name: null,
      role: "CustomerDeveloper",
      createdAt: expect.any(String),
      updatedAt: accepted.body.createdAt,
    });
    expect(accepted.headers.get("location")).toBe(`/api/v1${path}/${userId}`);
    const etag = accepted.headers.get("etag");
    expect(etag).toMatch(/^"1\.1-\w{8}"$/);
    const read = await mine.get(`${path}/${userId}`);
    expect([read.body, read.headers.get("etag"), roundTripsOf(read)]).toEqual([
      accepted.body,
      etag,
      1,
    ]);
    const again = await mine.post(path, { email, role: "CustomerViewer" });
    expect([again.status, again.body.code]).toEqual([409, "invalid_state"]);
    expect(await told(mine.tenantId)).toEqual({
      events: [["member.added", 1, "CustomerDeveloper"]],
      actions: ["invitation.create", "invitation.accept", "member.add"],
    });
  });

  it.each([
    ["/email", { email: "nobody" }],
    ["/email", { email: `${"a".repeat(243)}@example.com` }],
    ["/email", { email: undefined }],
    ["/role", { role: "Owner" }],
    ["/role", { role: undefined }],
    ["/role", { role: "constructor" }],
  ])("rejects %s in %j", async (pointer, more) => {
    const mine = await makeTenant();
    for (const list of ["members", "invitations"]) {
      const refused = await mine.post(`/tenants/${mine.tenantId}/${list}`, {
        email: "a@example.com",
        role: "CustomerViewer",
        ...more,
      });
      expect([refused.status, refused.body.code]).toEqual([400, "validation_failed"]);
      expect(faultsOf(refused)).toEqual([pointer]);
    }
  });

  it("answers a repeated request with the invitation it made", async () => {
    const mine = await makeTenant();
    const path = `/tenants/${mine.tenantId}/members`;
    const body = { email: emailOf(), role: "CustomerViewer" };
    const first = await mine.post(path, body, { "idempotency-key": "one" });
    const again = await mine.post(path, body, { "idempotency-key": "one" });
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  });

  it("gives a member who returns a new membership, so that events stay in order", async () => {
    const mine = await makeTenant();
    const path = `/tenants/${mine.tenantId}/members`;
    const member = await makeMember(mine.tenantId, "CustomerViewer");
    const first = await mine.get(`${path}/${member.userId}`);
    expect((await mine.delete(`${path}/${member.userId}`)).status).toBe(204);
    const { id } = (await mine.post(path, { email: member.email, role: "CustomerViewer" })).body;
    const session = await makeSession(member.userId);
    const second = await as(session)("POST", `/auth/invitations/${id}/accept`);
    expect(second.body.userId).toBe(member.userId);
    expect(second.body.id).not.toBe(first.body.id);
  });

  it("has another version once a person's name has changed", async () => {
    const mine = await makeTenant();
    const { userId } = await makeMember(mine.tenantId, "CustomerViewer");
    const member = `/tenants/${mine.tenantId}/members/${userId}`;
    const known = { "if-none-match": (await mine.get(member)).headers.get("etag") ?? "" };
    expect((await mine.get(member, known)).status).toBe(304);
    // As a sign-in does (areas/sign-in/store.ts): the membership does not change.
    await env.DB.prepare("UPDATE users SET name = 'New', version = version + 1 WHERE id = ?")
      .bind(userId)
      .run();
    const read = await mine.get(member, known);
    expect([read.status, read.body?.name]).toEqual([200, "New"]);
  });
});

describe("authority over members", () => {
  it("is developers and viewers for an admin, everyone for owners and operators, nobody for others", async () => {
    const mine = await makeTenant();
    const path = `/tenants/${mine.tenantId}/members`;
    const clients = await Promise.all(roles.map((role) => makeMember(mine.tenantId, role)));
    const allowed: Record<string, readonly string[]> = {
      CustomerViewer: [],
      CustomerDeveloper: [],
      CustomerAdmin: beneath,
      CustomerOwner: roles,
      operator: roles,
    };
    for (const [actor, client] of [
      ...roles.map((role, at) => [role, clients[at] ?? stranger] as const),
      ["operator", operator] as const,
    ])
      for (const role of roles) {
        const may = allowed[actor]?.includes(role) === true;
        const tried = [
          await client.post(path, { email: emailOf(), role }),
          await client.post(`/tenants/${mine.tenantId}/invitations`, { email: emailOf(), role }),
          await client.delete(`${path}/${(await makeMember(mine.tenantId, role)).userId}`),
        ];
        expect([actor, role, ...tried.map(({ status }) => status)]).toEqual(
          may ? [actor, role, 201, 201, 204] : [actor, role, 403, 403, 403],
        );
      }
  });

  it("covers both the current and the new role", async () => {
    const mine = await makeTenant();
    const path = `/tenants/${mine.tenantId}/members`;
    const admin = await makeMember(mine.tenantId, "CustomerAdmin");
    await makeMember(mine.tenantId, "CustomerOwner");
    for (const from of roles)
      for (const role of roles) {
        const { userId } = await makeMember(mine.tenantId, from);
        const changed = await admin.patch(`${path}/${userId}`, { role });
        const may = [from, role].every((one) => (beneath as readonly string[]).includes(one));
        expect([from, role, changed.status]).toEqual([from, role, may ? 200 : 403]);
        expect(/Only an owner/.test(changed.body.detail ?? "")).toBe(!may);
        const byOwner = await mine.patch(`${path}/${userId}`, { role });
        expect([from, role, byOwner.status, byOwner.body.role]).toEqual([from, role, 200, role]);
      }
  });

  it("lets nobody raise their own role", async () => {
    const mine = await makeTenant();
    const admin = await makeMember(mine.tenantId, "CustomerAdmin");
    const path = `/tenants/${mine.tenantId}/members/${admin.userId}`;
    expect((await admin.patch(path, { role: "CustomerOwner" })).status).toBe(403);
  });
});

describe("changing a role", () => {
  it("answers the member, sends one event, and costs two round trips", async () => {
    const mine = await makeTenant();
    const { userId } = await makeMember(mine.tenantId, "CustomerViewer");
    const path = `/tenants/${mine.tenantId}/members/${userId}`;
    const read = { "if-match": (await mine.get(path)).headers.get("etag") ?? "" };
    const changed = await mine.patch(path, { role: "CustomerAdmin" }, read);
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body).toMatchObject({ userId, role: "CustomerAdmin" });
    const etag = changed.headers.get("etag");
    expect([etag, roundTripsOf(changed)]).toEqual([expect.stringMatching(/^"2\.1-\w{8}"$/), 2]);
    expect((await mine.get(path)).body).toEqual(changed.body);
    const same = await mine.patch(path, { role: "CustomerAdmin" });
    expect([same.status, same.headers.get("etag")]).toEqual([200, etag]);
    expect((await mine.patch(path, { role: "CustomerViewer" }, read)).status).toBe(412);
    expect(await told(mine.tenantId)).toEqual({
      events: [["member.role_changed", 2, "CustomerAdmin"]],
      actions: ["member.change_role"],
    });
  });

  it.each(tenantRoles)("takes %s", async (role) => {
    const mine = await makeTenant();
    const { userId } = await makeMember(mine.tenantId, "CustomerViewer");
    const changed = await mine.patch(`/tenants/${mine.tenantId}/members/${userId}`, { role });
    expect([changed.status, changed.body.role]).toEqual([200, role]);
  });

  it.each([[{}], [{ role: "customerowner" }], [{ role: null }], [{ role: ["CustomerOwner"] }]])(
    "refuses %j",
    async (body) => {
      const mine = await makeTenant();
      const { userId } = await makeMember(mine.tenantId, "CustomerViewer");
      const refused = await mine.patch(`/tenants/${mine.tenantId}/members/${userId}`, body);
      expect([refused.status, faultsOf(refused)]).toEqual([400, ["/role"]]);
    },
  );

  it("limits the keys that the member created", async () => {
    const mine = await makeTenant();
    const admin = await makeMember(mine.tenantId, "CustomerAdmin");
    const made = await admin.post("/api-keys", { name: "child", scopes: ["*"] });
    expect(made.body.creatorUserId).toBe(admin.userId);
    const child = clientOf(made.body.key);
    expect((await child.post("/api-keys", { name: "a", scopes: ["*"] })).status).toBe(201);
    const path = `/tenants/${mine.tenantId}/members/${admin.userId}`;
    await mine.patch(path, { role: "CustomerDeveloper" });
    const refused = await child.post("/api-keys", { name: "b", scopes: ["*"] });
    expect([refused.status, refused.body.detail]).toEqual([
      403,
      "This needs the role CustomerAdmin.",
    ]);
    expect((await child.post("/templates", { name: "developers may" })).status).toBe(201);
    await mine.delete(path);
    const gone = await child.post("/templates", { name: "nobody" });
    expect([gone.status, gone.body.code]).toEqual([401, "unauthenticated"]);
  });
});

describe("the last owner", () => {
  it("cannot be demoted or removed by anybody", async () => {
    const mine = await makeTenant();
    const owner = await makeMember(mine.tenantId, "CustomerOwner");
    const path = `/tenants/${mine.tenantId}/members/${owner.userId}`;
    for (const client of [owner, mine, operator]) {
      for (const role of ["CustomerAdmin", "CustomerViewer"]) {
        const demoted = await client.patch(path, { role });
        expect([demoted.status, demoted.body.code]).toEqual([409, "last_owner"]);
      }
      const removed = await client.delete(path);
      expect([removed.status, removed.body.code]).toEqual([409, "last_owner"]);
    }
    expect((await owner.patch(path, { role: "CustomerOwner" })).status).toBe(200);
    await makeMember(mine.tenantId, "CustomerOwner");
    expect((await owner.patch(path, { role: "CustomerViewer" })).status).toBe(200);
  });

  it("is counted per tenant", async () => {
    const [mine, other] = [await makeTenant(), await makeTenant()];
    await makeMember(other.tenantId, "CustomerOwner");
    const owner = await makeMember(mine.tenantId, "CustomerOwner");
    const removed = await mine.delete(`/tenants/${mine.tenantId}/members/${owner.userId}`);
    expect(removed.body.code).toBe("last_owner");
  });

  it("remains when two owners demote each other at the same time", async () => {
    const mine = await makeTenant();
    const one = await makeMember(mine.tenantId, "CustomerOwner");
    const two = await makeMember(mine.tenantId, "CustomerOwner");
    const path = `/tenants/${mine.tenantId}/members`;
    const body = { role: "CustomerViewer" };
    const answers = await together(
      mine.tenantId,
      () => one.patch(`${path}/${two.userId}`, body),
      () => two.patch(`${path}/${one.userId}`, body),
    );
    expect(answers.map(({ body: { code, role } }) => code ?? role).toSorted(byText)).toEqual([
      "CustomerViewer",
      "last_owner",
    ]);
    expect((await mine.get(`${path}?role=CustomerOwner`)).body.data).toHaveLength(1);
  });

  it("remains when ten owners are removed at the same time", async () => {
    const mine = await makeTenant();
    const owners = [];
    for (let at = 0; at < 10; at += 1)
      owners.push(await makeMember(mine.tenantId, "CustomerOwner"));
    const path = `/tenants/${mine.tenantId}/members`;
    const answers = await together(
      mine.tenantId,
      ...owners.map(
        ({ userId }) =>
          () =>
            mine.delete(`${path}/${userId}`),
      ),
    );
    const codes = answers.filter(({ status }) => status !== 204).map(({ body }) => body.code);
    expect(codes).toEqual(["last_owner"]);
    expect((await mine.get(path)).body.data).toHaveLength(1);
  });

  it("remains when one is removed and another demoted at the same time", async () => {
    const mine = await makeTenant();
    const one = await makeMember(mine.tenantId, "CustomerOwner");
    const two = await makeMember(mine.tenantId, "CustomerOwner");
    const path = `/tenants/${mine.tenantId}/members`;
    const answers = await together(
      mine.tenantId,
      () => mine.delete(`${path}/${one.userId}`),
      () => mine.patch(`${path}/${two.userId}`, { role: "CustomerAdmin" }),
    );
    expect(answers.filter(({ body }) => body?.code === "last_owner")).toHaveLength(1);
  });
});

const byText = (a: string, b: string): number => a.localeCompare(b);

describe("access to members", () => {
  it("is limited to the tenant: others get 404", async () => {
    const [mine, other] = [await makeTenant(), await makeTenant()];
    const { userId } = await makeMember(mine.tenantId, "CustomerViewer");
    const body = { email: emailOf(), role: "CustomerViewer" };
    const at = (tenantId: string, user: string) => `/tenants/${tenantId}/members/${user}`;
    for (const ask of [
      (tenantId: string, user: string) => other.get(at(tenantId, user)),
      (tenantId: string, user: string) => other.patch(at(tenantId, user), { role: body.role }),
      (tenantId: string, user: string) => other.delete(at(tenantId, user)),
      (tenantId: string) => other.get(`/tenants/${tenantId}/members`),
      (tenantId: string) => other.post(`/tenants/${tenantId}/members`, body),
      (tenantId: string) => other.get(`/tenants/${tenantId}/invitations`),
      (tenantId: string) => other.post(`/tenants/${tenantId}/invitations`, body),
    ]) {
      const [foreign, missing] = [await ask(mine.tenantId, userId), await ask(MISSING, MISSING)];
      expect(foreign.status).toBe(404);
      expect(problemOf(foreign)).toEqual(problemOf(missing));
    }
    expect((await mine.get(at(mine.tenantId, MISSING))).status).toBe(404);
    expect((await operator.get("/tenants/platform/members")).status).toBe(404);
  });

  it("requires a key, the scope and JSON", async () => {
    const mine = await makeTenant();
    const path = `/tenants/${mine.tenantId}/members`;
    const body = { email: emailOf(), role: "CustomerViewer" };
    expect((await stranger.post(path, body)).status).toBe(401);
    const reader = await makeMember(mine.tenantId, "CustomerOwner", ["members:read"]);
    expect((await reader.get(path)).status).toBe(200);
    expect((await reader.post(path, body)).body.detail).toContain("members:write");
    const viewer = await makeMember(mine.tenantId, "CustomerViewer");
    expect((await viewer.get(path)).status).toBe(200);
    const text = await send("POST", path, {
      headers: { authorization: `Bearer ${mine.key}`, "content-type": "text/plain" },
      body: JSON.stringify(body),
    });
    expect(text.status).toBe(415);
  });

  it("lists them newest first, filters by role and pages, in one round trip", async () => {
    const mine = await makeTenant();
    const made = [];
    for (const role of roles) made.unshift((await makeMember(mine.tenantId, role)).userId);
    const path = `/tenants/${mine.tenantId}/members`;
    const first = await mine.get(`${path}?limit=3`);
    expect(roundTripsOf(first)).toBe(1);
    const rest = await mine.get(`${path}?limit=3&cursor=${first.body.nextCursor}`);
    const all = [...first.body.data, ...rest.body.data];
    expect(all.map(({ userId }: { userId: string }) => userId)).toEqual(made);
    expect(rest.body.nextCursor).toBeNull();
    const admins = await mine.get(`${path}?role=CustomerAdmin`);
    expect(admins.body.data.map(({ role }: { role: string }) => role)).toEqual(["CustomerAdmin"]);
    expect((await mine.get(`${path}?role=Admin`)).status).toBe(400);
    expect((await mine.get(`${path}?limit=101`)).status).toBe(400);
  });
});

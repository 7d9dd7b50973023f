import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { TenantRole } from "#schema/lists/roles.ts";
import { idOf, roundTripsOf } from "#test/support/answers.ts";
import { type Answer, makeTenant, operator, send } from "#test/support/api.ts";
import { makeMember } from "#test/support/members.ts";
import {
  headersOf,
  makeSession,
  makeUser,
  signedIn,
  type TestSession,
} from "#test/support/sessions.ts";
import { overtaken } from "#test/support/together.ts";

const emailOf = () => `e-${crypto.randomUUID().slice(0, 13)}@example.com`;
const byText = (a: string, b: string): number => a.localeCompare(b);

const as =
  (session: TestSession) =>
  (method: string, path: string, body?: unknown): Promise<Answer> =>
    send(method, path, {
      headers: {
        ...headersOf(session),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

/** The audit actions of the tenant's invitations and members. */
async function actionsIn(tenantId: string): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "SELECT action FROM audit_events WHERE tenant_id = ? AND resource_type IN ('member', 'invitation') ORDER BY id",
  )
    .bind(tenantId)
    .all<{ action: string }>();
  return results.map(({ action }) => action);
}

describe("inviting", () => {
  it("shows the token once and stores only its digest", async () => {
    const mine = await makeTenant();
    const path = `/tenants/${mine.tenantId}/invitations`;
    const email = emailOf();
    const invited = await mine.post(path, { email, role: "CustomerAdmin" });
    expect(invited.status, invited.text).toBe(201);
    const { token, ...shown } = invited.body;
    expect(token).toMatch(/^cpi_[A-Za-z0-9_-]{43}$/);
    expect(shown).toEqual({
      id: expect.any(String),
      tenantId: mine.tenantId,
      email,
      role: "CustomerAdmin",
      expiresAt: new Date(Date.parse(shown.createdAt) + 7 * 24 * 3_600_000).toISOString(),
      createdAt: expect.any(String),
      updatedAt: shown.createdAt,
    });
    expect(invited.headers.get("location")).toBe(`/api/v1${path}/${shown.id}`);
    expect(roundTripsOf(invited)).toBe(2);
    const read = await mine.get(`${path}/${shown.id}`);
    expect([read.body, roundTripsOf(read)]).toEqual([shown, 1]);
    const listed = await mine.get(path);
    expect([listed.body.data, roundTripsOf(listed)]).toEqual([[shown], 1]);
    const row = await env.DB.prepare("SELECT * FROM invitations WHERE id = ?")
      .bind(shown.id)
      .first();
    expect(JSON.stringify(row)).not.toContain(token);
    expect(await actionsIn(mine.tenantId)).toEqual(["invitation.create"]);
  });

  it("answers a repeated request with the same token, which is stored sealed", async () => {
    const mine = await makeTenant();
    const path = `/tenants/${mine.tenantId}/invitations`;
    const body = { email: emailOf(), role: "CustomerViewer" };
    const first = await mine.post(path, body, { "idempotency-key": "one" });
    const again = await mine.post(path, body, { "idempotency-key": "one" });
    expect(again.text).toBe(first.text);
    const kept = await env.DB.prepare(
      "SELECT group_concat(body) AS bodies FROM idempotency_keys",
    ).first<{ bodies: string }>();
    expect(kept?.bodies).not.toContain(first.body.token);
  });

  it("replaces an earlier invitation of the address, also for simultaneous requests", async () => {
    const mine = await makeTenant();
    const path = `/tenants/${mine.tenantId}/invitations`;
    const email = emailOf();
    const first = await mine.post(path, { email, role: "CustomerViewer" });
    const second = await mine.post(path, { email, role: "CustomerDeveloper" });
    expect((await mine.get(`${path}/${first.body.id}`)).status).toBe(404);
    await Promise.all([1, 2, 3].map(() => mine.post(path, { email, role: "CustomerViewer" })));
    expect((await mine.get(path)).body.data).toHaveLength(1);
    expect((await mine.get(`${path}/${second.body.id}`)).status).toBe(404);
    const actions = await actionsIn(mine.tenantId);
    expect(actions.filter((action) => action === "invitation.delete")).toHaveLength(4);
  });

  it("does not let an admin replace or delete an invitation that only an owner can create", async () => {
    const mine = await makeTenant();
    const path = `/tenants/${mine.tenantId}/invitations`;
    const admin = await makeMember(mine.tenantId, "CustomerAdmin");
    const email = emailOf();
    const owners = await mine.post(path, { email, role: "CustomerOwner" });
    expect((await admin.post(path, { email, role: "CustomerViewer" })).status).toBe(403);
    expect((await admin.delete(`${path}/${owners.body.id}`)).status).toBe(403);
    expect((await mine.get(`${path}/${owners.body.id}`)).status).toBe(200);
  });

  it("is valid as long as its creator could still make it", async () => {
    const mine = await makeTenant();
    const path = `/tenants/${mine.tenantId}/invitations`;
    await makeMember(mine.tenantId, "CustomerOwner");
    const [byKey, person] = [
      await makeMember(mine.tenantId, "CustomerOwner"),
      await signedIn([mine.tenantId, "CustomerOwner"]),
    ];
    const ways: [userId: string, headers: Record<string, string>][] = [
      [byKey.userId, { authorization: `Bearer ${byKey.key}` }],
      [person.userId, headersOf(person)],
    ];
    const kept = await mine.post(path, { email: emailOf(), role: "CustomerOwner" });
    const open = async () => (await mine.get(path)).body.data.map(idOf).sort(byText);
    const seats = async () => (await mine.get(`/tenants/${mine.tenantId}/usage`)).body.members.used;
    const guest = await signedIn();
    const found = async ({ body }: Answer) =>
      (await as(guest)("GET", `/auth/invitations?token=${body.token}`)).body.data[0];
    const accept = ({ body: { id, token } }: Answer) =>
      as(guest)("POST", `/auth/invitations/${id}/accept`, { token });
    for (const [userId, headers] of ways) {
      const invite = (email: string, role: TenantRole) =>
        send("POST", path, {
          headers: { ...headers, "content-type": "application/json" },
          body: JSON.stringify({ email, role }),
        });
      const email = emailOf();
      const owner = await invite(email, "CustomerOwner");
      const viewer = await invite(emailOf(), "CustomerViewer");
      expect([owner.status, viewer.status]).toEqual([201, 201]);
      expect((await found(owner)).role).toBe("CustomerOwner");
      const before = await seats();
      const maker = `/tenants/${mine.tenantId}/members/${userId}`;
      expect((await mine.patch(maker, { role: "CustomerAdmin" })).status).toBe(200);
      expect(await open()).toEqual([kept, viewer].map(({ body }) => body.id).sort(byText));
      expect(await found(owner)).toBeUndefined();
      expect((await accept(owner)).status).toBe(404);
      expect((await mine.delete(maker)).status).toBe(204);
      expect([await open(), await seats()]).toEqual([[kept.body.id], before - 3]);
      expect((await mine.get(`${path}/${viewer.body.id}`)).status).toBe(404);
      expect(await found(viewer)).toBeUndefined();
      const again = await mine.post(path, { email, role: "CustomerViewer" });
      expect(again.status, again.text).toBe(201);
      await mine.delete(`${path}/${again.body.id}`);
    }
    expect(await found(kept)).toBeDefined();
  });

  it("is refused for a member, and ends when it is deleted or expires", async () => {
    const mine = await makeTenant();
    const path = `/tenants/${mine.tenantId}/invitations`;
    const member = await makeMember(mine.tenantId, "CustomerViewer");
    const refused = await mine.post(path, { email: member.email, role: "CustomerViewer" });
    expect([refused.status, refused.body.code]).toEqual([409, "invalid_state"]);
    const one = await mine.post(path, { email: emailOf(), role: "CustomerViewer" });
    expect((await mine.delete(`${path}/${one.body.id}`, { "if-match": '"2"' })).status).toBe(412);
    const withdrawn = await mine.delete(`${path}/${one.body.id}`);
    expect([withdrawn.status, roundTripsOf(withdrawn)]).toEqual([204, 2]);
    expect((await mine.delete(`${path}/${one.body.id}`)).status).toBe(404);
    const two = await mine.post(path, { email: emailOf(), role: "CustomerViewer" });
    await env.DB.prepare("UPDATE invitations SET expires_at_ms = 1 WHERE id = ?")
      .bind(two.body.id)
      .run();
    expect((await mine.get(`${path}/${two.body.id}`)).status).toBe(404);
    expect((await mine.get(path)).body.data).toEqual([]);
    await mine.post(path, { email: emailOf(), role: "CustomerViewer" });
    const rows = await env.DB.prepare("SELECT id FROM invitations WHERE tenant_id = ?")
      .bind(mine.tenantId)
      .all();
    expect(rows.results).toHaveLength(1);
  });
});

describe("an invited person", () => {
  const invited = async (role = "CustomerDeveloper") => {
    const mine = await makeTenant();
    const email = emailOf();
    const path = `/tenants/${mine.tenantId}/invitations`;
    const made = await mine.post(path, { email, role });
    expect(made.status, made.text).toBe(201);
    const person = await makeSession(await makeUser(undefined, email));
    const own = `/auth/invitations/${made.body.id}`;
    return { mine, email, path, person, own, token: String(made.body.token), id: made.body.id };
  };

  it("sees what their proved address is invited to, accepts in two round trips, and once", async () => {
    const { mine, person, own, path, id } = await invited();
    const listed = await as(person)("GET", "/auth/invitations");
    expect([listed.body, roundTripsOf(listed)]).toEqual([
      {
        data: [
          {
            id,
            tenantId: mine.tenantId,
            tenantName: `Tenant ${mine.slug}`,
            tenantSlug: mine.slug,
            role: "CustomerDeveloper",
            via: "invitation",
            expiresAt: expect.any(String),
            byToken: false,
            createdAt: expect.any(String),
          },
        ],
        nextCursor: null,
      },
      1,
    ]);
    const accepted = await as(person)("POST", `${own}/accept`);
    expect([accepted.status, roundTripsOf(accepted)], accepted.text).toEqual([201, 2]);
    expect((await as(person)("GET", `/tenants/${mine.tenantId}`)).status).toBe(200);
    expect((await as(person)("POST", `${own}/accept`)).status).toBe(404);
    expect((await mine.get(path)).body.data).toEqual([]);
  });

  it("is found whatever the spelling of the address, and by one invitation alone", async () => {
    const mine = await makeTenant();
    const email = emailOf();
    const path = `/tenants/${mine.tenantId}/invitations`;
    const body = { email: email.toUpperCase(), role: "CustomerViewer" };
    const made = await mine.post(path, body);
    expect([made.status, made.body.email], made.text).toEqual([201, email]);
    expect((await mine.post(path, { ...body, email })).status).toBe(201);
    expect((await mine.get(path)).body.data).toHaveLength(1);
    const person = await makeSession(await makeUser(undefined, email));
    const listed = await as(person)("GET", "/auth/invitations");
    expect(listed.body.data).toHaveLength(1);
  });

  it("declines, and the invitation is over", async () => {
    const { mine, person, own, path, token } = await invited();
    const declined = await as(person)("DELETE", own);
    expect([declined.status, roundTripsOf(declined)]).toEqual([204, 2]);
    expect((await mine.get(path)).body.data).toEqual([]);
    expect((await as(person)("POST", `${own}/accept`, { token })).status).toBe(404);
    expect(await actionsIn(mine.tenantId)).toEqual(["invitation.create", "invitation.decline"]);
  });

  it("accepts with a token whatever their address is, and only with the right one", async () => {
    const [one, two] = [await invited(), await invited()];
    const guest = await signedIn();
    for (const body of [undefined, {}, { token: two.token }])
      expect((await as(guest)("POST", `${one.own}/accept`, body)).status).toBe(404);
    expect((await as(guest)("DELETE", one.own)).status).toBe(404);
    for (const token of ["cpi_x", "", `${one.token}x`]) {
      const odd = await as(guest)("POST", `${one.own}/accept`, { token });
      expect([odd.status, odd.body.errors[0].pointer]).toEqual([400, "/token"]);
    }
    expect((await as(guest)("GET", "/auth/invitations")).body.data).toEqual([]);
    const shown = await as(guest)("GET", `/auth/invitations?token=${one.token}`);
    expect(shown.body.data.map(idOf)).toEqual([one.id]);
    expect(shown.body.data[0].byToken).toBe(true);
    for (const [via, count] of [
      ["invitation", 1],
      ["domain", 0],
    ] as const) {
      const only = await as(guest)("GET", `/auth/invitations?token=${one.token}&via=${via}`);
      expect([via, only.body.data.length]).toEqual([via, count]);
    }
    const accepted = await as(guest)("POST", `${one.own}/accept`, { token: one.token });
    expect([accepted.status, accepted.body.userId]).toEqual([201, guest.userId]);
  });

  it("who is a member already is told so, and keeps their role", async () => {
    const { mine, person, own, path, token } = await invited("CustomerViewer");
    await as(person)("POST", `${own}/accept`, { token });
    const again = await mine.post(path, { email: emailOf(), role: "CustomerAdmin" });
    const twice = await as(person)("POST", `/auth/invitations/${again.body.id}/accept`, {
      token: again.body.token,
    });
    expect([twice.status, twice.body.code]).toEqual([409, "invalid_state"]);
    expect(twice.body.detail).toContain(`Tenant ${mine.slug}`);
    const member = await mine.get(`/tenants/${mine.tenantId}/members/${person.userId}`);
    expect(member.body.role).toBe("CustomerViewer");
  });

  it("cannot accept what was withdrawn meanwhile", async () => {
    const { mine, person, own, path, id } = await invited();
    const answers = await overtaken(
      id,
      () => as(person)("POST", `${own}/accept`),
      () => mine.delete(`${path}/${id}`),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 204]);
    expect((await mine.get(`/tenants/${mine.tenantId}/members`)).body.data).toEqual([]);
  });

  it("is told if the tenant is full, and the invitation stays", async () => {
    const { mine, person, own } = await invited();
    await operator.patch(`/tenants/${mine.tenantId}`, { limits: { members: 0 } });
    const full = await as(person)("POST", `${own}/accept`);
    expect([full.status, full.body.code]).toEqual([403, "quota_exceeded"]);
    await operator.patch(`/tenants/${mine.tenantId}`, { limits: { members: 1 } });
    expect((await as(person)("POST", `${own}/accept`)).status).toBe(201);
  });

  it("pages through their invitations", async () => {
    const { person, email, id } = await invited();
    const ids = [id];
    for (let at = 0; at < 2; at += 1) {
      const other = await makeTenant();
      const path = `/tenants/${other.tenantId}/members`;
      ids.unshift((await other.post(path, { email, role: "CustomerViewer" })).body.id);
    }
    const first = await as(person)("GET", "/auth/invitations?limit=2");
    const next = first.body.nextCursor;
    const rest = await as(person)("GET", `/auth/invitations?limit=2&cursor=${next}`);
    expect([...first.body.data, ...rest.body.data].map(idOf)).toEqual(ids);
    expect(rest.body.nextCursor).toBeNull();
  });
});

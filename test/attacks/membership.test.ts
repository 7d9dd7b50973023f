/** Attacks on who is a member of what, by which rights, and on who learns of whom. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import {
  type Answer,
  type Client,
  clientOf,
  makeTenant,
  operator,
  send,
  type TestTenant,
} from "#test/support/api.ts";
import { makeMember } from "#test/support/members.ts";
import {
  headersOf,
  makeMembership,
  makeSession,
  makeUser,
  signedIn,
  type TestSession,
} from "#test/support/sessions.ts";
import { overtaken } from "#test/support/together.ts";

const emailOf = () => `e-${crypto.randomUUID().slice(0, 13)}@example.com`;
const as = (session: TestSession, method: string, path: string, body?: unknown): Promise<Answer> =>
  send(method, path, {
    headers: {
      ...headersOf(session),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const accept = (session: TestSession, id: string) =>
  as(session, "POST", `/auth/invitations/${id}/accept`);

describe("an owner made by less than an owner", () => {
  const keyWith = async (tenantId: string | undefined, scopes: readonly string[]) => {
    const made = await operator.post("/api-keys", { name: "k", scopes, tenantId });
    return clientOf(made.body.key);
  };

  it("through a key that has the scope members:write alone", async () => {
    const tenant = await makeTenant();
    const path = `/tenants/${tenant.tenantId}`;
    const owner = await makeMember(tenant.tenantId, "CustomerOwner");
    const viewer = await makeMember(tenant.tenantId, "CustomerViewer");
    const scopes = ["members:write", "tenants:write"];
    const keys = [await keyWith(tenant.tenantId, scopes), await keyWith(undefined, scopes)];
    for (const key of keys) {
      for (const role of ["CustomerOwner", "CustomerAdmin"])
        for (const tried of [
          await key.post(`${path}/members`, { email: emailOf(), role }),
          await key.post(`${path}/invitations`, { email: emailOf(), role }),
          await key.patch(`${path}/members/${viewer.userId}`, { role }),
        ])
          expect([tried.status, tried.body.detail]).toEqual([
            403,
            expect.stringContaining("lacks the scope *"),
          ]);
      expect((await key.delete(`${path}/members/${owner.userId}`)).status).toBe(403);
      const role = "CustomerDeveloper";
      expect((await key.post(`${path}/members`, { email: emailOf(), role })).status).toBe(201);
      expect((await key.patch(`${path}/members/${viewer.userId}`, { role })).status).toBe(200);
    }
  });

  it("through the only seat that remains for an owner's own key", async () => {
    const tenant = await makeTenant();
    const body = { email: emailOf(), role: "CustomerOwner" };
    const whole = await keyWith(tenant.tenantId, ["*"]);
    expect((await whole.post(`/tenants/${tenant.tenantId}/members`, body)).status).toBe(201);
  });
});

describe("a membership without the person's own word", () => {
  it("by adding somebody who has signed in before", async () => {
    const tenant = await makeTenant();
    const email = emailOf();
    const victim = await makeSession(await makeUser(undefined, email));
    const body = { email, role: "CustomerViewer" };
    expect((await tenant.post(`/tenants/${tenant.tenantId}/members`, body)).status).toBe(201);
    expect((await tenant.get(`/tenants/${tenant.tenantId}/members`)).body.data).toEqual([]);
    expect((await as(victim, "GET", "/auth/session")).body.tenants).toEqual([]);
  });

  it("by a link, a form or a page of another site", async () => {
    const tenant = await makeTenant();
    const email = emailOf();
    const victim = await makeSession(await makeUser(undefined, email));
    const path = `/tenants/${tenant.tenantId}/invitations`;
    const { id, token } = (await tenant.post(path, { email, role: "CustomerViewer" })).body;
    const url = `/auth/invitations/${id}/accept`;
    const { "x-service-csrf": _, ...without } = headersOf(victim);
    const foreign: Record<string, string>[] = [
      without,
      { ...headersOf(victim), "sec-fetch-site": "cross-site" },
      { ...headersOf(victim), "sec-fetch-site": "same-site", origin: "https://evil.test" },
    ];
    for (const headers of foreign)
      expect((await send("POST", url, { headers })).body.code).toBe("csrf_required");
    expect((await send("GET", url, { headers: headersOf(victim) })).status).toBe(405);
    for (const page of ["login", "account"])
      await send("GET", `/../../${page}?invitation=${token}`, { headers: headersOf(victim) });
    expect((await as(victim, "GET", "/auth/session")).body.tenants).toEqual([]);
  });

  it("by a key that accepts for its creator", async () => {
    const tenant = await makeTenant();
    const member = await makeMember((await makeTenant()).tenantId, "CustomerOwner");
    const path = `/tenants/${tenant.tenantId}/members`;
    const { id } = (await tenant.post(path, { email: member.email, role: "CustomerViewer" })).body;
    expect((await member.post(`/auth/invitations/${id}/accept`)).status).toBe(403);
    expect((await member.get("/auth/invitations")).status).toBe(403);
  });

  it("that they cannot end: members of every role leave, the last owner excepted", async () => {
    const tenant = await makeTenant();
    const roles = [
      "CustomerViewer",
      "CustomerDeveloper",
      "CustomerAdmin",
      "CustomerOwner",
    ] as const;
    const last = await signedIn([tenant.tenantId, "CustomerOwner"]);
    const path = `/tenants/${tenant.tenantId}/members`;
    for (const role of roles) {
      const person = await signedIn([tenant.tenantId, role]);
      const left = await as(person, "DELETE", `${path}/${person.userId}`);
      expect([role, left.status]).toEqual([role, 204]);
      expect((await as(person, "GET", `/tenants/${tenant.tenantId}`)).status).toBe(403);
    }
    const refused = await as(last, "DELETE", `${path}/${last.userId}`);
    expect([refused.status, refused.body.code]).toEqual([409, "last_owner"]);
  });

  it("ended by somebody else who has no more than the same role", async () => {
    const tenant = await makeTenant();
    const path = `/tenants/${tenant.tenantId}/members`;
    const roles = ["CustomerViewer", "CustomerDeveloper", "CustomerAdmin"] as const;
    for (const role of roles) {
      const [person, other] = [
        await signedIn([tenant.tenantId, role]),
        await signedIn([tenant.tenantId, role]),
      ];
      expect((await as(person, "DELETE", `${path}/${other.userId}`)).status, role).toBe(403);
      const key = await makeMember(tenant.tenantId, role, ["members:read"]);
      expect((await key.delete(`${path}/${key.userId}`)).status, role).toBe(403);
    }
  });
});

describe("what a tenant learns of a person who is not its member", () => {
  it("is the same for whoever has signed in and for whoever has not", async () => {
    const [tenant, elsewhere] = [await makeTenant(), await makeTenant()];
    const path = `/tenants/${tenant.tenantId}`;
    const [known, unknown] = [emailOf(), emailOf()];
    const userId = await makeUser(undefined, known);
    await env.DB.prepare("UPDATE users SET name = 'Secret Name' WHERE id = ?").bind(userId).run();
    await makeMembership(userId, elsewhere.tenantId, "CustomerOwner");
    for (const list of ["members", "invitations"]) {
      const seen = async (email: string) => {
        const answer = await tenant.post(`${path}/${list}`, { email, role: "CustomerViewer" });
        const {
          id: _,
          email: __,
          token: ___,
          createdAt,
          updatedAt,
          expiresAt,
          ...rest
        } = answer.body;
        const times = [createdAt, updatedAt, expiresAt].map((time) => typeof time);
        const { statements } = spendOf(answer);
        return { status: answer.status, rest, times, statements };
      };
      expect(await seen(known)).toEqual(await seen(unknown));
    }
    for (const list of ["members", "invitations"]) {
      const { text } = await tenant.get(`${path}/${list}`);
      expect(text).not.toContain("Secret Name");
      expect(text).not.toContain(userId);
    }
    expect((await tenant.get(`${path}/members/${userId}`)).status).toBe(404);
  });

  it("is nothing by a claim to their address", async () => {
    const tenant = await makeTenant();
    const claimed = await signedIn([tenant.tenantId, "CustomerViewer"]);
    const email = emailOf();
    await env.DB.prepare("UPDATE users SET email = ? WHERE id = ?")
      .bind(email, claimed.userId)
      .run();
    const body = { email, role: "CustomerViewer" };
    const made = await tenant.post(`/tenants/${tenant.tenantId}/members`, body);
    expect(made.status, "a claim does not keep the owner of the address out").toBe(201);
    expect((await as(claimed, "GET", "/auth/invitations")).body.data).toEqual([]);
    expect((await accept(claimed, made.body.id)).status).toBe(404);
  });

  function spendOf({ headers }: Answer): { statements: string } {
    return { statements: /desc="([^"]+)"/.exec(headers.get("server-timing") ?? "")?.[1] ?? "" };
  }
});

describe("rights that outlive a removal", () => {
  const rejoin = async (tenantId: string, member: { email: string; userId: string }) => {
    const role = "CustomerOwner";
    const made = await operator.post(`/tenants/${tenantId}/members`, { email: member.email, role });
    const joined = await accept(await makeSession(member.userId), made.body.id);
    expect(joined.status, joined.text).toBe(201);
  };

  it("through keys, which stay dead when the member returns", async () => {
    const tenant = await makeTenant();
    await makeMember(tenant.tenantId, "CustomerOwner");
    const member = await makeMember(tenant.tenantId, "CustomerOwner");
    const child = await member.post("/api-keys", { name: "child", scopes: ["*"] });
    expect(child.status).toBe(201);
    const path = `/tenants/${tenant.tenantId}/members/${member.userId}`;
    expect((await tenant.delete(path)).status).toBe(204);
    const keys = (await tenant.get("/api-keys")).body.data.filter(
      (key: { creatorUserId: string }) => key.creatorUserId === member.userId,
    );
    expect(keys.map(({ revokedAt }: { revokedAt: unknown }) => typeof revokedAt)).toEqual([
      "string",
      "string",
    ]);
    await rejoin(tenant.tenantId, member);
    for (const key of [member.key, child.body.key]) {
      const tried = await clientOf(key).post("/templates", { name: "undead" });
      expect([tried.status, tried.body.code]).toEqual([401, "unauthenticated"]);
    }
    const fresh = await as(await makeSession(member.userId), "POST", "/api-keys", {
      name: "fresh",
      scopes: ["*"],
      tenantId: tenant.tenantId,
    });
    expect((await clientOf(fresh.body.key).post("/templates", { name: "alive" })).status).toBe(201);
  });

  it("through a key that was created while the member was removed", async () => {
    const tenant = await makeTenant();
    await makeMember(tenant.tenantId, "CustomerOwner");
    const member = await makeMember(tenant.tenantId, "CustomerOwner");
    const path = `/tenants/${tenant.tenantId}/members/${member.userId}`;
    const session = await makeSession(member.userId);
    const body = { name: "late", scopes: ["*"], tenantId: tenant.tenantId };
    const [made, removed] = await overtaken(
      tenant.tenantId,
      () => as(session, "POST", "/api-keys", body),
      () => tenant.delete(path),
    );
    expect([made?.status, removed?.status]).toEqual([201, 204]);
    await rejoin(tenant.tenantId, member);
    const tried = await clientOf(made?.body.key).post("/templates", { name: "undead" });
    expect([tried.status, tried.body.code]).toEqual([401, "unauthenticated"]);
  });

  it("through a key that was not revoked, in case a membership ends without it", async () => {
    const tenant = await makeTenant();
    const member = await makeMember(tenant.tenantId, "CustomerOwner");
    const tried = async () =>
      [
        await clientOf(member.key).get("/templates?limit=1"),
        await clientOf(member.key).post("/templates", { name: "undead" }),
      ].map(({ status }) => status);
    await env.DB.prepare("DELETE FROM members WHERE tenant_id = ? AND user_id = ?")
      .bind(tenant.tenantId, member.userId)
      .run();
    expect(await tried()).toEqual([401, 401]);
    await makeMembership(member.userId, tenant.tenantId, "CustomerViewer");
    expect(await tried()).toEqual([200, 403]);
  });

  it("through invitations that the member made, also by a key", async () => {
    const tenant = await makeTenant();
    await makeMember(tenant.tenantId, "CustomerOwner");
    const member = await makeMember(tenant.tenantId, "CustomerOwner");
    const session = await makeSession(member.userId);
    const path = `/tenants/${tenant.tenantId}/invitations`;
    const body = () => ({ email: emailOf(), role: "CustomerOwner" });
    const [kept, ticket] = [await tenant.post(path, body()), await tenant.post(path, body())];
    const made = [await member.post(path, body()), await as(session, "POST", path, body())];
    expect(made.map(({ status }) => status)).toEqual([201, 201]);
    await tenant.delete(`/tenants/${tenant.tenantId}/members/${member.userId}`);
    // With an invitation from before: making another one removes those that do not count.
    const { id, token } = ticket.body;
    const back = await as(session, "POST", `/auth/invitations/${id}/accept`, { token });
    expect(back.status, back.text).toBe(201);
    const open = (await tenant.get(path)).body.data.map((one: { id: string }) => one.id);
    expect(open).toEqual([kept.body.id]);
  });
});

describe("an invitation that outlives the key that made it", () => {
  const invite = (key: { post: Client["post"] }, tenantId: string, role: string) =>
    key.post(`/tenants/${tenantId}/invitations`, { email: emailOf(), role });
  const acceptedBy = async ({ id, token }: { id: string; token: string }) => {
    const attacker = await makeSession(await makeUser(undefined, emailOf()));
    const tried = await as(attacker, "POST", `/auth/invitations/${id}/accept`, { token });
    return tried.status;
  };
  const ends: [string, (tenant: TestTenant, keyId: string) => Promise<unknown>][] = [
    ["is revoked", (tenant, id) => tenant.delete(`/api-keys/${id}`)],
    [
      "is rotated at once",
      async (tenant, id) => {
        const path = `/api-keys/${id}/rotate?overlapSeconds=0`;
        const { person = "" } =
          (await env.DB.prepare("SELECT person FROM api_keys WHERE id = ?")
            .bind(id)
            .first<{ person: string }>()) ?? {};
        // Only whose key it is may rotate it.
        const rotated =
          person === "bootstrap"
            ? await tenant.post(path)
            : await as(await makeSession(person), "POST", path);
        expect(rotated.status, rotated.text).toBe(200);
      },
    ],
    [
      "loses its scopes",
      (tenant, id) => tenant.patch(`/api-keys/${id}`, { scopes: ["members:read"] }),
    ],
    [
      "expires",
      (_, id) =>
        env.DB.prepare("UPDATE api_keys SET expires_at_ms = 1 WHERE id = ?").bind(id).run(),
    ],
  ];

  it.each(ends)("does not let its holder in once the key %s", async (_, end) => {
    const tenant = await makeTenant();
    for (const [role, scopes] of [
      ["CustomerOwner", ["*"]],
      ["CustomerDeveloper", ["members:write"]],
    ] as const) {
      const leaked = await makeMember(tenant.tenantId, "CustomerOwner", scopes);
      const [before, made] = [
        await invite(leaked, tenant.tenantId, role),
        await invite(leaked, tenant.tenantId, role),
      ];
      expect(await acceptedBy(before.body), "while the key lives").toBe(201);
      await end(tenant, leaked.keyId);
      expect(await acceptedBy(made.body)).toBe(404);
      const open = (await tenant.get(`/tenants/${tenant.tenantId}/invitations`)).body.data;
      expect(open).toEqual([]);
    }
  });

  it.each(ends)("does not let its holder in once an operator's key %s", async (_, end) => {
    const tenant = await makeTenant();
    const { id, key } = (await operator.post("/api-keys", { name: "k", scopes: ["*"] })).body;
    const leaked = clientOf(key);
    const [before, made] = [
      await invite(leaked, tenant.tenantId, "CustomerOwner"),
      await invite(leaked, tenant.tenantId, "CustomerOwner"),
    ];
    expect(await acceptedBy(before.body), "while the key lives").toBe(201);
    await end({ ...tenant, ...operator }, id);
    expect(await acceptedBy(made.body)).toBe(404);
  });

  it("is not an owner's once the key has members:write alone", async () => {
    const tenant = await makeTenant();
    const leaked = await makeMember(tenant.tenantId, "CustomerOwner");
    const [owner, developer] = [
      await invite(leaked, tenant.tenantId, "CustomerOwner"),
      await invite(leaked, tenant.tenantId, "CustomerDeveloper"),
    ];
    await tenant.patch(`/api-keys/${leaked.keyId}`, { scopes: ["members:write"] });
    expect(await acceptedBy(owner.body)).toBe(404);
    expect(await acceptedBy(developer.body)).toBe(201);
  });

  it("leaves other invitations, and those of a key that is rotated with an overlap", async () => {
    const tenant = await makeTenant();
    const [leaked, regular] = [
      await makeMember(tenant.tenantId, "CustomerOwner"),
      await makeMember(tenant.tenantId, "CustomerOwner"),
    ];
    await invite(leaked, tenant.tenantId, "CustomerOwner");
    const kept = [
      await invite(regular, tenant.tenantId, "CustomerOwner"),
      await invite(operator, tenant.tenantId, "CustomerOwner"),
    ];
    await tenant.post(`/api-keys/${leaked.keyId}/rotate?overlapSeconds=0`);
    await tenant.post(`/api-keys/${regular.keyId}/rotate?overlapSeconds=60`);
    for (const { body } of kept) expect(await acceptedBy(body)).toBe(201);
  });
});

describe("a key with more rights", () => {
  it("is not revoked by an admin, nor by a key with fewer scopes", async () => {
    const tenant = await makeTenant();
    const owner = await makeMember(tenant.tenantId, "CustomerOwner");
    const admin = await makeMember(tenant.tenantId, "CustomerAdmin");
    const few = await makeMember(tenant.tenantId, "CustomerOwner", ["api_keys:write"]);
    for (const weaker of [admin, few])
      expect((await weaker.delete(`/api-keys/${owner.keyId}`)).status).toBe(403);
    const admins = await makeSession(admin.userId);
    expect((await as(admins, "DELETE", `/api-keys/${owner.keyId}`)).status).toBe(403);
    expect((await owner.get("/api-keys")).status).toBe(200);
  });
});

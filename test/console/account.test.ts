/** The account: what it shows of whom, and what of it they may press. In a browser: test/browser/sign-in.test.ts. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createApiKeyEndpoint } from "#areas/api-keys/contract.ts";
import { tenantRoles } from "#schema/lists/roles.ts";
import { makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import {
  allowedTo,
  escapedHostile,
  expectHarmless,
  expectSignInFirst,
  hostile,
  memberOf,
  offersOf,
  openPage,
} from "#test/support/console-pages.ts";
import { makeKeyOf } from "#test/support/members.ts";
import {
  makeMembership,
  makeSession,
  makeUser,
  SESSION_COOKIE,
  signedIn,
  signedInOperator,
} from "#test/support/sessions.ts";

const path = "/account";

async function nameTenant(tenantId: string, name: string): Promise<void> {
  await env.DB.prepare("UPDATE tenants SET name = ? WHERE id = ?").bind(name, tenantId).run();
}

describe("the account page", () => {
  it("asks whoever is not signed in to sign in, and takes a cookie away that is worth nothing", async () => {
    const token = `cpi_${"x".repeat(43)}`;
    for (const place of [path, `${path}?invitation=${token}`]) {
      await expectSignInFirst(place);
      await expectSignInFirst(place, { token: "x".repeat(43) });
    }
    expect((await openPage(path)).headers.getSetCookie()).toEqual([]);
    const { headers } = await openPage(path, { token: "x".repeat(43) });
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(new RegExp(`^${SESSION_COOKIE}=; .*Max-Age=0`)),
    ]);
  });

  it("shows the user's own tenants and sessions only, as text, below the navigation", async () => {
    const [a, b] = [await makeTenant(), await makeTenant()];
    await nameTenant(a.tenantId, hostile);
    const other = await signedIn([b.tenantId, "CustomerOwner"]);
    const here = await memberOf(a.tenantId, "CustomerAdmin");
    await env.DB.prepare("UPDATE users SET name = ?, email = ?, subject = ? WHERE id = ?")
      .bind(hostile, hostile, `${hostile}${here.userId}`, here.userId)
      .run();
    const there = await makeSession(here.userId);
    await env.DB.prepare("UPDATE sessions SET user_agent = ? WHERE id = ?")
      .bind(hostile, there.sessionId)
      .run();
    const page = await openPage(path, here);
    expectHarmless(path, page);
    expect(page.text).toContain(`<title>${escapedHostile} · Control API</title>`);
    expect(page.text).toContain(`<h1>${escapedHostile}</h1>`);
    expect(page.text).toContain(`aria-label="Leave ${escapedHostile}"`);
    expect(page.text).toMatch(/<a href="\/account" aria-current="page">/);
    expect(page.text).toContain(`<a href="/instances">Instances</a>`);
    expect(page.text).toContain(`<span class="tag">admin</span>`);
    expect(page.text.match(/this browser/g)).toHaveLength(1);
    expect(offersOf(page)).toEqual([
      "DELETE /auth/session",
      `DELETE /tenants/${a.tenantId}/members/${here.userId}`,
      "POST /api-keys",
      `DELETE /auth/sessions/${there.sessionId}`,
    ]);
    for (const foreign of [b.tenantId, other.sessionId, here.token, there.token])
      expect(page.text).not.toContain(foreign);
  });

  it("shows this browser's session first, however many newer ones there are", async () => {
    const here = await signedIn();
    const newer = await Promise.all(Array.from({ length: 55 }, () => makeSession(here.userId)));
    const { text } = await openPage(path, here);
    const list = text.slice(text.indexOf('id="sessions"'));
    expect(list.indexOf("this browser")).toBeGreaterThan(0);
    expect(list.indexOf("this browser")).toBeLessThan(list.indexOf("data-path"));
    const shown = [...list.matchAll(/data-path="\/auth\/sessions\/([^"]+)"/g)].map(([, id]) => id);
    expect(shown).toEqual(
      newer
        .map(({ sessionId }) => sessionId)
        .sort()
        .reverse()
        .slice(0, 50),
    );
    expect(text).toContain("the API lists all sessions");
  });

  it.for([...tenantRoles])(
    "offers a %s the form for an API key if they may make one",
    async (role) => {
      const { tenantId } = await makeTenant();
      const page = await openPage(path, await memberOf(tenantId, role));
      const offers = offersOf(page).filter((offer) => offer.startsWith("POST /api-keys"));
      expect(offers).toEqual(allowedTo(role, [["POST /api-keys", createApiKeyEndpoint]]));
    },
  );

  it("offers operators the form for a key, and leads them to the tenants", async () => {
    const page = await openPage(path, await signedInOperator());
    expect(offersOf(page)).toContain("POST /api-keys");
    expect(page.text).toContain(`<a href="/tenants">all of them</a>`);
  });

  it("shows invitations, and that of a link, but accepts none", async () => {
    const [mine, other, admitting] = [await makeTenant(), await makeTenant(), await makeTenant()];
    const domain = `d${crypto.randomUUID()}.example`;
    const email = `i@${domain}`;
    const invite = async (tenant: TestTenant, to: string) => {
      const at = `/tenants/${tenant.tenantId}/invitations`;
      return (await tenant.post(at, { email: to, role: "CustomerDeveloper" })).body;
    };
    for (const { tenantId } of [mine, other, admitting]) await nameTenant(tenantId, hostile);
    const own = await invite(mine, email);
    const linked = await invite(other, "somebody-else@example.com");
    const settings = { allowedEmailDomains: [domain] };
    const named = await operator.patch(`/tenants/${admitting.tenantId}`, settings);
    expect(named.status, named.text).toBe(200);
    const session = await makeSession(await makeUser(undefined, email));
    const shown = async (place: string) => {
      const page = await openPage(place, session);
      expectHarmless(place, page);
      expect(page.text).toContain(escapedHostile);
      return page;
    };
    const invitation = (id: string) => [
      `POST /auth/invitations/${id}/accept`,
      `DELETE /auth/invitations/${id}`,
    ];
    const all = [...invitation(own.id), ...invitation(admitting.tenantId)];
    const isOfOne = (offer: string) => offer.includes("/auth/invitations/");
    expect(offersOf(await shown(path)).filter(isOfOne)).toEqual(all);

    const opened = await shown(`${path}?invitation=${linked.token}`);
    // A token admits; it does not decline for the one who was invited.
    expect(offersOf(opened).filter(isOfOne)).toEqual([
      `POST /auth/invitations/${linked.id}/accept`,
      ...all,
    ]);
    expect(opened.text).toContain(`data-body="{&quot;token&quot;:&quot;${linked.token}&quot;}"`);
    expect(opened.text).not.toContain("no longer valid");
    for (const token of [`cpi_${"x".repeat(43)}`, hostile]) {
      const unknown = await shown(`${path}?invitation=${encodeURIComponent(token)}`);
      expect(unknown.text).toContain("no longer valid");
      expect(unknown.text).not.toContain("&quot;token&quot;");
    }
    const before = await openPage(path, session);
    expect(before.text).toContain("You are a member of no tenant yet. Accept an invitation above.");
    expect(before.text).not.toContain("Ask an owner");
  });

  it("shows the user's own keys that work, with what they may do, whatever their role is now", async () => {
    const tenant = await makeTenant();
    const here = await memberOf(tenant.tenantId, "CustomerViewer");
    const [shown, ended] = [
      await makeKeyOf(tenant.tenantId, here.userId, ["templates:read"]),
      await makeKeyOf(tenant.tenantId, here.userId),
    ];
    const other = await makeKeyOf(tenant.tenantId, await makeUser());
    const late = await makeKeyOf(tenant.tenantId, here.userId);
    await env.DB.prepare("UPDATE api_keys SET expires_at_ms = 1, name = ? WHERE id = ?")
      .bind("late", late.keyId)
      .run();
    await env.DB.prepare("UPDATE api_keys SET name = ? WHERE id = ?")
      .bind(hostile, shown.keyId)
      .run();
    expect((await tenant.delete(`/api-keys/${ended.keyId}`)).status).toBe(204);
    const page = await openPage(path, here);
    expectHarmless(path, page);
    expect(page.text).toContain(`<strong>${escapedHostile}</strong>`);
    const offers = offersOf(page).filter((offer) => offer.includes("/api-keys"));
    expect(offers).toEqual([`DELETE /api-keys/${shown.keyId}`]);
    expect(page.text).toContain(`<span class="whole">templates:read</span>`);
    for (const { key } of [shown, ended, other]) expect(page.text).not.toContain(key);
    await makeMembership(here.userId, (await makeTenant()).tenantId, "CustomerOwner");
    expect(offersOf(await openPage(path, here))).toContain("POST /api-keys");
  });
});

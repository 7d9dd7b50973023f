/** The pages of feature flags: for operators alone. */
import { beforeAll, describe, expect, it } from "vitest";
import { tenantRoles } from "#schema/lists/roles.ts";
import { makeTenant, operator } from "#test/support/api.ts";
import {
  escapedHostile,
  expectHarmless,
  expectSignInFirst,
  hostile,
  memberOf,
  offersOf,
  openPage,
} from "#test/support/console-pages.ts";
import { signedInOperator } from "#test/support/sessions.ts";

const key = `checkout:${crypto.randomUUID()}`;
const page = `/flags/${encodeURIComponent(key)}`;

describe("the pages of feature flags", () => {
  let tenantId: string;

  beforeAll(async () => {
    ({ tenantId } = await makeTenant());
    const made = await operator.put(`/feature-flags/${encodeURIComponent(key)}`, {
      type: "string",
      enabled: true,
      variants: { [hostile]: hostile, plain: "p" },
      defaultVariant: "plain",
      rules: [{ tenantIds: [tenantId], percentage: 10, variant: hostile }],
    });
    expect(made.status, made.text).toBe(200);
  });

  it("ask whoever is not signed in to sign in", async () => {
    for (const path of ["/flags", page]) await expectSignInFirst(path);
  });

  it("are not for members, and not in their navigation", async () => {
    for (const role of tenantRoles) {
      const session = await memberOf(tenantId, role);
      for (const path of ["/flags", page]) {
        const { status, text } = await openPage(path, session);
        expect([path, status, text.includes(key)]).toEqual([path, 403, false]);
        expect(text).not.toContain('href="/flags"');
      }
    }
  });

  it("show and offer everything to operators, as text", async () => {
    const session = await signedInOperator();
    const [list, one] = [await openPage("/flags", session), await openPage(page, session)];
    for (const shown of [list, one]) expectHarmless(page, shown);
    expect(list.text).toContain(`href="${page}"`);
    expect(list.text).toContain('href="/flags" aria-current="page"');
    expect(offersOf(list)).toEqual(["PUT /feature-flags/{key}"]);
    expect(list.text).toContain('data-etag="new"');
    const path = `/feature-flags/${encodeURIComponent(key)}`;
    expect(offersOf(one)).toEqual([`PUT ${path}`, `DELETE ${path}`]);
    expect(one.text).toContain(escapedHostile);
    expect(one.text).toContain("10 %");
    const { headers } = await operator.get(path);
    const etag = (headers.get("etag") ?? "none").replaceAll('"', "&quot;");
    expect(one.text.split(`data-etag="${etag}"`).length - 1).toBe(2);
  });

  it("say what is wrong with the address", async () => {
    const session = await signedInOperator();
    for (const path of ["/flags/none", `/flags/${encodeURIComponent(hostile)}`])
      expect((await openPage(path, session)).status).toBe(404);
    expect((await openPage("/flags?cursor=forged", session)).status).toBe(400);
  });
});

/** The page of tenants, and what the console tells operators of tenants that are not their own. */
import { describe, expect, it } from "vitest";
import { createTenantEndpoint } from "#areas/tenants/contract.ts";
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

describe("the page of tenants", () => {
  it("asks whoever is not signed in to sign in", async () => {
    await expectSignInFirst("/tenants");
  });

  it("lists tenants as text and offers operators another, and members neither others nor the form", async () => {
    const { tenantId } = await makeTenant();
    const other = await makeTenant();
    // By their names, these are on the first page.
    for (const id of [tenantId, other.tenantId])
      await operator.patch(`/tenants/${id}`, { name: `! ${hostile}` });
    const seen = await openPage("/tenants", await signedInOperator());
    expectHarmless("/tenants", seen);
    expect(seen.text).toContain(`<a href="/members?tenantId=${tenantId}">! ${escapedHostile}</a>`);
    expect(seen.text).toContain(other.tenantId);
    expect(offersOf(seen)).toEqual([`${createTenantEndpoint.method} /tenants`]);

    const owner = await openPage("/tenants", await memberOf(tenantId, "CustomerOwner"));
    expect(owner.text).toContain(escapedHostile);
    expect(owner.text).not.toContain(other.tenantId);
    expect(offersOf(owner)).toEqual([]);
    expect(owner.text).not.toContain(`<a href="/tenants"`);
  });

  it.for(["/targets/new?provider=mock", "/templates/new", "/imports/new", "/webhooks", "/keys"])(
    "suggests the tenants to operators at %s, and nobody else's to members",
    async (path) => {
      const { tenantId } = await makeTenant();
      await operator.patch(`/tenants/${tenantId}`, { name: hostile });
      const option = `<option value="${tenantId}">${escapedHostile}</option>`;
      const seen = await openPage(path, await signedInOperator());
      expectHarmless(path, seen);
      expect(seen.text).toContain(option);
      const { tenantId: another } = await makeTenant();
      const stranger = await openPage(path, await memberOf(another, "CustomerOwner"));
      expect(stranger.text).not.toContain(tenantId);
    },
  );
});

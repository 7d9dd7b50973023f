/** The page of the audit log: whose log who may read, and its filters. */
import { beforeAll, describe, expect, it } from "vitest";
import { listAuditEventsEndpoint } from "#areas/audit/contract.ts";
import { tenantRoles } from "#schema/lists/roles.ts";
import { type Answer, makeTenant, type TestTenant } from "#test/support/api.ts";
import {
  allowedTo,
  expectHarmless,
  expectSignInFirst,
  hostile,
  memberOf,
  offersOf,
  openPage,
} from "#test/support/console-pages.ts";
import { signedIn, signedInOperator } from "#test/support/sessions.ts";

/** The object of each entry that the page shows. */
function objectsOf({ text }: Answer): string[] {
  return [...text.matchAll(/<a href="\/webhooks\/([^"]*)"/g)].map(([, id = ""]) => id);
}

describe("the page of the audit log", () => {
  let tenant: TestTenant;
  let webhookId: string;

  beforeAll(async () => {
    tenant = await makeTenant();
    const made = await tenant.post("/webhooks", {
      url: "https://hooks.example.com/in",
      events: ["*"],
    });
    webhookId = made.body.id;
  });

  it("asks whoever is not signed in to sign in", async () => {
    await expectSignInFirst("/audit?actor=me");
  });

  it.for([...tenantRoles])("is shown to a %s if the API lets them read it", async (role) => {
    const page = await openPage("/audit", await memberOf(tenant.tenantId, role));
    const [isShown] = allowedTo(role, [["yes", listAuditEventsEndpoint]]);
    expect([page.status, objectsOf(page)]).toEqual(
      isShown === undefined ? [403, []] : [200, [webhookId]],
    );
    expect(offersOf(page)).toEqual([]);
  });

  it("says who, what, which, when and by which request", async () => {
    const owner = await signedIn([tenant.tenantId, "CustomerOwner"]);
    const changed = await tenant.patch(
      `/webhooks/${webhookId}`,
      { enabled: false },
      { "x-request-id": "request-of-this-test" },
    );
    expect(changed.status).toBe(200);
    const page = await openPage("/audit?action=webhook.update", owner);
    expectHarmless("/audit", page);
    expect(page.text).toContain("request-of-this-test");
    expect(page.text).toMatch(/actor=key%3A[0-9a-f-]+/);
    expect(objectsOf(page)).toEqual([webhookId]);
    expect(page.text).toContain(changed.body.updatedAt.slice(0, 16).replace("T", " "));
  });

  it("takes each filter of the API, and says what is wrong with one", async () => {
    const owner = await memberOf(tenant.tenantId, "CustomerOwner");
    const found = async (query: string) => objectsOf(await openPage(`/audit?${query}`, owner));
    expect(await found(`resourceType=webhook&resourceId=${webhookId}`)).toContain(webhookId);
    expect(await found("resourceType=instance")).toEqual([]);
    expect(await found("from=2020-01-01T00:00&to=9000-01-01T00:00")).toContain(webhookId);
    expect(await found("to=2020-01-01T00:00")).toEqual([]);
    const strange = await openPage(`/audit?actor=${encodeURIComponent(hostile)}`, owner);
    expectHarmless("/audit", strange);
    for (const query of ["from=then", "cursor=forged", "tenantId=none"])
      expect((await openPage(`/audit?${query}`, owner)).status).toBe(400);
  });

  it("shows one tenant at a time, and the platform's log to operators", async () => {
    const [other, viewed] = [await makeTenant(), await makeTenant()];
    const both = await signedIn(
      [viewed.tenantId, "CustomerViewer"],
      [other.tenantId, "CustomerOwner"],
      [tenant.tenantId, "CustomerOwner"],
    );
    const own = await openPage(`/audit?tenantId=${tenant.tenantId}`, both);
    expect(objectsOf(own)).toContain(webhookId);
    expect(own.text).toContain(`<h1>Audit log of Tenant ${tenant.slug}</h1>`);
    expect((await openPage("/audit", both)).status).toBe(200);
    const unread = await openPage(`/audit?tenantId=${viewed.tenantId}`, both);
    expect([objectsOf(unread), unread.text.includes("<tbody>")]).toEqual([[], false]);
    const stranger = await memberOf(other.tenantId, "CustomerOwner");
    const refused = await openPage(`/audit?tenantId=${tenant.tenantId}`, stranger);
    expect([refused.status, objectsOf(refused)]).toEqual([200, []]);
    const operator = await signedInOperator();
    expect((await openPage("/audit", operator)).text).toContain("<h1>Audit log of the platform");
    const seen = await openPage(`/audit?tenantId=${tenant.tenantId}`, operator);
    expect(objectsOf(seen)).toContain(webhookId);
  });
});

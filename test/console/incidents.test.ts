/** The pages of incidents: who sees what of them, and what of it they may press. */
import { beforeAll, describe, expect, it } from "vitest";
import { addIncidentUpdateEndpoint, createIncidentEndpoint } from "#areas/incidents/contract.ts";
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
import { signedInOperator } from "#test/support/sessions.ts";

describe("the pages of incidents", () => {
  let tenant: TestTenant;
  let page: string;
  let platformPage: string;

  beforeAll(async () => {
    tenant = await makeTenant();
    const own = { title: hostile, message: hostile, components: [hostile] };
    page = `/incidents/${(await tenant.post("/incidents", own)).body.id}`;
    const everywhere = { title: "Everywhere", message: "Slow." };
    platformPage = `/incidents/${(await operator.post("/incidents", everywhere)).body.id}`;
  });

  it("ask whoever is not signed in to sign in", async () => {
    for (const path of ["/incidents?status=RESOLVED", page]) await expectSignInFirst(path);
  });

  it.for([...tenantRoles])("offer to a %s what the API lets them do, and no more", async (role) => {
    const session = await memberOf(tenant.tenantId, role);
    const [list, one, platform] = [
      await openPage("/incidents", session),
      await openPage(page, session),
      await openPage(platformPage, session),
    ];
    for (const shown of [list, one]) {
      expectHarmless(page, shown);
      expect(shown.text).toContain(escapedHostile);
    }
    expect(offersOf(list)).toEqual(allowedTo(role, [["POST /incidents", createIncidentEndpoint]]));
    expect(offersOf(one)).toEqual(
      allowedTo(role, [[`POST ${page}/updates`, addIncidentUpdateEndpoint]]),
    );
    expect([platform.status, offersOf(platform)]).toEqual([200, []]);
  });

  it("offer to operators what is the platform's", async () => {
    const shown = await openPage(platformPage, await signedInOperator());
    expect(offersOf(shown)).toEqual([`POST ${platformPage}/updates`]);
  });

  it("ask operators whether an incident is for a tenant or for the whole platform, and choose neither", async () => {
    const { text } = await openPage("/incidents", await signedInOperator());
    const [owner = ""] = /<fieldset name="tenantId".*?<\/fieldset>/s.exec(text) ?? [];
    const radios = [...owner.matchAll(/<input type="radio"[^>]*>/g)].map(([radio]) => radio);
    expect(radios.map((radio) => /value="(\w+)"/.exec(radio)?.[1])).toEqual(["tenant", "platform"]);
    expect(radios.filter((radio) => / required/.test(radio))).toHaveLength(2);
    expect(radios.filter((radio) => / checked/.test(radio))).toEqual([]);
    expect(owner).toContain("every public status page shows it");
    const admin = await memberOf(tenant.tenantId, "CustomerAdmin");
    expect((await openPage("/incidents", admin)).text).not.toContain('data-kind="owner"');
  });

  it("offer for a resolved one what may follow, and send its version along", async () => {
    const { body } = await tenant.post("/incidents", { title: "Slow", message: "It is." });
    const path = `/incidents/${body.id}`;
    await tenant.post(`${path}/updates`, { status: "RESOLVED", message: "No longer." });
    const { headers } = await tenant.get(path);
    const admin = await memberOf(tenant.tenantId, "CustomerAdmin");
    const { text } = await openPage(path, admin);
    const statuses = /<select name="status".*?<\/select>/s.exec(text)?.[0] ?? "";
    expect([...statuses.matchAll(/value="(\w+)"/g)].map(([, status]) => status)).toEqual([
      "INVESTIGATING",
      "RESOLVED",
    ]);
    const etag = (headers.get("etag") ?? "none").replaceAll('"', "&quot;");
    expect(text).toContain(`data-etag="${etag}"`);
    expect(text.indexOf("No longer.")).toBeLessThan(text.indexOf("It is."));
  });

  it("lead to the status page where it is public", async () => {
    const viewer = await memberOf(tenant.tenantId, "CustomerViewer");
    const link = `href="/status/${tenant.slug}"`;
    expect((await openPage(page, viewer)).text).not.toContain(link);
    await operator.patch(`/tenants/${tenant.tenantId}`, { publicStatus: true });
    expect((await openPage(page, viewer)).text).toContain(link);
  });

  it("show nothing of it to another tenant's members, and say what is wrong with the address", async () => {
    const stranger = await memberOf((await makeTenant()).tenantId, "CustomerOwner");
    const list = await openPage("/incidents", stranger);
    expect(list.text).not.toContain(escapedHostile);
    for (const path of [page, "/incidents/none"])
      expect((await openPage(path, stranger)).status).toBe(404);
    for (const query of ["status=NONE", "cursor=forged"])
      expect((await openPage(`/incidents?${query}`, stranger)).status).toBe(400);
  });
});

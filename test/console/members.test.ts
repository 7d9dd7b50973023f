/** The page of members: who sees whom, one tenant at a time, and what of it they may press. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  changeRoleEndpoint,
  createInvitationEndpoint,
  deleteInvitationEndpoint,
  removeMemberEndpoint,
} from "#areas/tenants/contract.ts";
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
import {
  makeMembership,
  makeSession,
  makeUser,
  signedIn,
  signedInOperator,
} from "#test/support/sessions.ts";

describe("the page of members", () => {
  let tenant: TestTenant;
  let invitationId: string;
  let otherUserId: string;

  beforeAll(async () => {
    tenant = await makeTenant();
    await operator.patch(`/tenants/${tenant.tenantId}`, { name: hostile });
    otherUserId = await makeUser(undefined, `${hostile}@people.test`);
    await makeMembership(otherUserId, tenant.tenantId, "CustomerDeveloper");
    const { body } = await tenant.post(`/tenants/${tenant.tenantId}/invitations`, {
      email: "grace@people.test",
      role: "CustomerViewer",
    });
    invitationId = body.id;
  });

  it("asks whoever is not signed in to sign in", async () => {
    await expectSignInFirst("/members");
  });

  it.for([...tenantRoles])(
    "offers to a %s what the API lets them do, and no more",
    async (role) => {
      const scene = await makeTenant();
      const session = await memberOf(scene.tenantId, role);
      const other = await makeUser();
      await makeMembership(other, scene.tenantId, "CustomerDeveloper");
      const path = `/tenants/${scene.tenantId}`;
      const { body } = await scene.post(`${path}/invitations`, {
        email: "ada@people.test",
        role: "CustomerViewer",
      });
      const page = await openPage("/members", session);
      expectHarmless("/members", page);
      // Everybody may remove themselves; for others it takes what a change of their role does.
      const forOthers = changeRoleEndpoint;
      expect(new Set(offersOf(page))).toEqual(
        new Set(
          allowedTo(role, [
            [`PATCH ${path}/members/${session.userId}`, changeRoleEndpoint],
            [`DELETE ${path}/members/${session.userId}`, removeMemberEndpoint],
            [`PATCH ${path}/members/${other}`, changeRoleEndpoint],
            [`DELETE ${path}/members/${other}`, forOthers],
            [`POST ${path}/invitations`, createInvitationEndpoint],
            [`DELETE ${path}/invitations/${body.id}`, deleteInvitationEndpoint],
          ]),
        ),
      );
    },
  );

  it("shows members and invitations as text, to members of the tenant alone", async () => {
    const viewer = await memberOf(tenant.tenantId, "CustomerViewer");
    const page = await openPage("/members", viewer);
    expectHarmless("/members", page);
    expect(page.text).toContain(`Members of ${escapedHostile}`);
    expect(page.text).toContain(`${escapedHostile}@people.test`);
    expect(page.text).toContain("grace@people.test");
    const found = await openPage("/members?role=CustomerOwner", viewer);
    expect(found.text).toContain("Nobody is like that.");
    const stranger = await memberOf((await makeTenant()).tenantId, "CustomerOwner");
    const refused = await openPage(`/members?tenantId=${tenant.tenantId}`, stranger);
    expect(refused.status).toBe(404);
    expect(refused.text).not.toContain(invitationId);
    const nobody = await openPage("/members", await makeSession(await makeUser()));
    expect([nobody.status, nobody.text.includes("member of no tenant")]).toEqual([200, true]);
  });

  it("has a switch for members of several tenants, and for operators", async () => {
    const other = await makeTenant();
    const both = await signedIn(
      [tenant.tenantId, "CustomerViewer"],
      [other.tenantId, "CustomerOwner"],
    );
    for (const session of [both, await signedInOperator()])
      for (const { tenantId } of [tenant, other]) {
        const { status, text } = await openPage(`/members?tenantId=${tenantId}`, session);
        expect(status).toBe(200);
        expect(text).toContain(`<option value="${tenantId}" selected="">`);
        expect(text.includes(invitationId)).toBe(tenantId === tenant.tenantId && session !== both);
      }
    const alone = await memberOf(tenant.tenantId, "CustomerViewer");
    expect((await openPage("/members", alone)).text).not.toContain(`<select name="tenantId"`);
  });

  it("says what is wrong with its address", async () => {
    const owner = await memberOf(tenant.tenantId, "CustomerOwner");
    for (const query of ["role=None", "cursor=forged"])
      expect((await openPage(`/members?${query}`, owner)).status).toBe(400);
    for (const id of ["none", encodeURIComponent(hostile)])
      expect((await openPage(`/members?tenantId=${id}`, owner)).status).toBe(404);
  });
});

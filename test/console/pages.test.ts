/** The pages of the console: who sees what, and what of it they may press. In a browser: test/browser/console.test.ts. */
import { beforeAll, describe, expect, it } from "vitest";
import { actionAccess } from "#areas/deployment-records/contract.ts";
import {
  checkDriftEndpoint,
  deployInstanceEndpoint,
  destroyInstanceEndpoint,
  planInstanceEndpoint,
} from "#areas/deployments/start-contract.ts";
import { deleteInstanceEndpoint, updateInstanceEndpoint } from "#areas/instances/contract.ts";
import {
  createTriggerEndpoint,
  deleteTriggerEndpoint,
  rotateTriggerEndpoint,
  updateTriggerEndpoint,
} from "#areas/triggers/contract.ts";
import { tenantRoles } from "#schema/lists/roles.ts";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import { appWith } from "#test/support/app-with.ts";
import { makeInstance, makeTarget, makeTemplate, run, untilState } from "#test/support/cloud.ts";
import {
  allowedTo,
  CONSOLE_ORIGIN,
  escapedHostile,
  expectHarmless,
  expectSignInFirst,
  hostile,
  memberOf,
  offersOf,
  openInstance,
  openPage,
} from "#test/support/console-pages.ts";
import { makeSession, makeUser, SESSION_COOKIE } from "#test/support/sessions.ts";

const send = appWith({});
const source = `resources:
  net: { type: mock:Network, properties: { name: net, cidr: 10.0.0.0/16 } }
`;

describe("a page of the console", () => {
  let tenant: TestTenant;
  let instanceId: string;
  let deploymentId: string;
  let triggerId: string;
  let pages: readonly string[];

  beforeAll(async () => {
    tenant = await makeTenant();
    const targetId = await makeTarget(tenant);
    const templateId = await makeTemplate(tenant, source);
    instanceId = await makeInstance(tenant, templateId, targetId, {
      name: hostile,
      approvalMode: "always",
      variables: {},
    });
    const started = await tenant.post(`/instances/${instanceId}/deploy`, { message: hostile });
    deploymentId = started.body.id;
    await untilState(tenant, deploymentId, (state) => state === "AWAITING_APPROVAL");
    const trigger = await tenant.post(`/instances/${instanceId}/triggers`, {
      kind: "inbound_webhook",
    });
    triggerId = trigger.body.id;
    pages = ["/instances", `/instances/${instanceId}`, `/deployments/${deploymentId}`];
  });

  it("sends whoever is not signed in to sign in, and back", async () => {
    for (const path of [...pages, "/instances?state=ACTIVE&q=a%26b"])
      for (const session of [undefined, { token: "x".repeat(43) }, { token: "short" }])
        await expectSignInFirst(path, session);
    const home = await openPage("/");
    expect(home.status).toBe(200);
    expect(home.text).toContain(`href="/login"`);
  });

  it("shows a member what there is, as text", async () => {
    const viewer = await memberOf(tenant.tenantId, "CustomerViewer");
    const { text: instance } = await openPage(`/instances/${instanceId}`, viewer);
    expect(instance).toContain("waits for approval.");
    for (const path of ["/", ...pages]) {
      const page = await openPage(path, viewer);
      expectHarmless(path, page);
      expect(page.text).toContain(escapedHostile);
    }
  });

  it("leads from a plan that was made to its instance, and from one that waits to nothing but itself", async () => {
    const targetId = await makeTarget(tenant);
    const another = await makeInstance(tenant, await makeTemplate(tenant, source), targetId);
    const { body } = await run(tenant, another, "plan");
    const session = await memberOf(tenant.tenantId, "CustomerDeveloper");
    const link = (id: string) => `<a class="button" href="/instances/${id}">`;
    expect((await openPage(`/deployments/${body.id}`, session)).text).toContain(link(another));
    const waiting = await openPage(`/deployments/${deploymentId}`, session);
    expect(waiting.text).not.toContain(link(instanceId));
  });

  it("tells whoever may not approve a plan that waits who can", async () => {
    const path = `/deployments/${deploymentId}`;
    const words = "Somebody else has to approve this plan";
    const developer = await memberOf(tenant.tenantId, "CustomerDeveloper");
    expect((await openPage(path, developer)).text).toContain(words);
    const admin = await memberOf(tenant.tenantId, "CustomerAdmin");
    expect((await openPage(path, admin)).text).not.toContain(words);
  });

  it("shows nothing of it to another tenant's members", async () => {
    const other = await makeTenant();
    const owner = await memberOf(other.tenantId, "CustomerAdmin");
    const nobody = await makeSession(await makeUser());
    for (const session of [owner, nobody])
      for (const path of ["/", ...pages]) {
        const { status, text } = await openPage(path, session);
        if (path !== "/" && path !== "/instances") expect(status).toBeGreaterThanOrEqual(403);
        expect(text).not.toContain(instanceId);
        expect(text).not.toContain(escapedHostile);
      }
  });

  it.for([...tenantRoles])(
    "offers to a %s what the API lets them do, and no more",
    async (role) => {
      const session = await memberOf(tenant.tenantId, role);
      const path = `/instances/${instanceId}`;
      const trigger = `${path}/triggers/${triggerId}`;
      // Several change the instance, and there is a form to add each kind of trigger.
      const tabs = await openInstance(instanceId, session);
      expect(new Set(tabs.flatMap(offersOf))).toEqual(
        new Set(
          allowedTo(role, [
            [`POST ${path}/plan`, planInstanceEndpoint],
            [`POST ${path}/deploy`, deployInstanceEndpoint],
            [`POST ${path}/check-drift`, checkDriftEndpoint],
            [`PATCH ${path}`, updateInstanceEndpoint],
            [`POST ${path}/destroy`, destroyInstanceEndpoint],
            [`POST ${path}/triggers`, createTriggerEndpoint],
            [`PATCH ${trigger}`, updateTriggerEndpoint],
            [`POST ${trigger}/rotate`, rotateTriggerEndpoint],
            [`DELETE ${trigger}`, deleteTriggerEndpoint],
            [`DELETE ${path}`, deleteInstanceEndpoint],
          ]),
        ),
      );
      const deployment = `/deployments/${deploymentId}`;
      expect(offersOf(await openPage(deployment, session))).toEqual(
        allowedTo(role, [
          [`POST ${deployment}/approve`, { access: actionAccess.approve }],
          [`POST ${deployment}/discard`, { access: actionAccess.discard }],
        ]),
      );
    },
  );

  it("says what is wrong with its address", async () => {
    const viewer = await memberOf(tenant.tenantId, "CustomerViewer");
    const missing = crypto.randomUUID();
    for (const path of [
      `/instances/${missing}`,
      `/deployments/${missing}`,
      "/deployments/%3Cb%3E",
    ]) {
      const { status, text } = await openPage(path, viewer);
      expect([path, status]).toEqual([path, 404]);
      expect(text).toContain("Not found");
    }
    for (const session of [viewer, undefined]) {
      const nowhere = await openPage("/nowhere/at/all", session);
      expect([nowhere.status, nowhere.headers.get("content-type")]).toEqual([
        404,
        "text/html; charset=UTF-8",
      ]);
      expect(nowhere.text).toContain("There is nothing at this address");
    }
    const unread = await openPage("/audit", viewer);
    expect(unread.text).toContain("This needs the role of an admin of the tenant.");
    const state = await openPage("/instances?state=NONE", viewer);
    expect(state.status).toBe(400);
    expect(state.text).toContain("cannot be shown");
    const cursor = await openPage("/instances?cursor=forged", viewer);
    expect(cursor.status).toBe(400);
  });

  it("is read alone: nothing changes by another method", async () => {
    const admin = await memberOf(tenant.tenantId, "CustomerAdmin");
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      for (const path of pages) {
        const cookie = `${SESSION_COOKIE}=${admin.token}`;
        const { status } = await send(method, `${CONSOLE_ORIGIN}${path}`, { headers: { cookie } });
        expect([method, path, status]).toEqual([method, path, 404]);
      }
  });
});

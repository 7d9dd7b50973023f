/** The pages of the console: who sees what, and what of it they may press. In a browser: test/browser/console.test.ts. */
import { beforeAll, describe, expect, it } from "vitest";
import { actionAccess } from "#areas/deployments/contract.ts";
import {
  checkDriftEndpoint,
  deployInstanceEndpoint,
  destroyInstanceEndpoint,
  planInstanceEndpoint,
} from "#areas/instances/contract.ts";
import { isAtLeast } from "#kernel/access/access.ts";
import { type TenantRole, tenantRoles } from "#schema/lists/roles.ts";
import { type Answer, makeTenant, type TestTenant } from "#test/support/api.ts";
import { appWith } from "#test/support/app-with.ts";
import { makeInstance, makeTarget, makeTemplate, untilState } from "#test/support/cloud.ts";
import {
  makeMembership,
  makeSession,
  makeUser,
  SESSION_COOKIE,
  type TestSession,
} from "#test/support/sessions.ts";

const ORIGIN = "https://control.test";
const send = appWith({});
const hostile = `<img src=x onerror=alert(1)>"'`;
const escapedHostile = "&lt;img src=x onerror=alert(1)&gt;&quot;&#39;";
const source = `resources:
  net: { type: mock:Network, properties: { name: net, cidr: 10.0.0.0/16 } }
`;

function open(path: string, session?: Pick<TestSession, "token">): Promise<Answer> {
  return send("GET", `${ORIGIN}${path}`, {
    redirect: "manual",
    headers: {
      accept: "text/html",
      ...(session && { cookie: `${SESSION_COOKIE}=${session.token}` }),
    },
  });
}

async function memberOf(tenantId: string, role: TenantRole): Promise<TestSession> {
  const userId = await makeUser();
  await makeMembership(userId, tenantId, role);
  return makeSession(userId);
}

/** The paths below the API that the page's buttons send requests to. */
function requestsOf({ text }: Answer): string[] {
  return [...text.matchAll(/data-path="([^"]*)"/g)].map(([, path = ""]) => path);
}

describe("a page of the console", () => {
  let tenant: TestTenant;
  let instanceId: string;
  let deploymentId: string;
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
    pages = ["/instances", `/instances/${instanceId}`, `/deployments/${deploymentId}`];
  });

  it("sends whoever is not signed in to sign in, and back", async () => {
    for (const path of [...pages, "/instances?state=ACTIVE&q=a%26b"])
      for (const session of [undefined, { token: "x".repeat(43) }, { token: "short" }]) {
        const { status, headers, text } = await open(path, session);
        expect([path, status, text]).toEqual([path, 302, ""]);
        const to = new URL(headers.get("location") ?? "", ORIGIN);
        expect([to.pathname, to.searchParams.get("returnTo")]).toEqual(["/login", path]);
      }
    const home = await open("/");
    expect(home.status).toBe(200);
    expect(home.text).toContain(`href="/login"`);
  });

  it("shows a member what there is, as text", async () => {
    const viewer = await memberOf(tenant.tenantId, "CustomerViewer");
    const { text: instance } = await open(`/instances/${instanceId}`, viewer);
    expect(instance).toContain("waits for approval.");
    for (const path of ["/", ...pages]) {
      const { status, headers, text } = await open(path, viewer);
      expect([path, status]).toEqual([path, 200]);
      expect(text).toContain(escapedHostile);
      expect(text).not.toContain("<img");
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain("unsafe");
      expect(headers.get("cache-control")).toBe("no-store");
      const own = text.replaceAll(escapedHostile, "");
      expect(own).not.toMatch(/<(script|style)>|\sstyle=|\son\w+=/);
    }
  });

  it("shows nothing of it to another tenant's members", async () => {
    const other = await makeTenant();
    const owner = await memberOf(other.tenantId, "CustomerAdmin");
    const nobody = await makeSession(await makeUser());
    for (const session of [owner, nobody])
      for (const path of ["/", ...pages]) {
        const { status, text } = await open(path, session);
        if (path !== "/" && path !== "/instances") expect(status).toBeGreaterThanOrEqual(403);
        expect(text).not.toContain(instanceId);
        expect(text).not.toContain(escapedHostile);
      }
  });

  it.for([...tenantRoles])(
    "offers to a %s what the API lets them do, and no more",
    async (role) => {
      const session = await memberOf(tenant.tenantId, role);
      const may = (access: { role: string }) => isAtLeast(role, access.role as TenantRole);
      const instance = requestsOf(await open(`/instances/${instanceId}`, session));
      const expected = [
        [`/instances/${instanceId}/plan`, planInstanceEndpoint.access],
        [`/instances/${instanceId}/deploy`, deployInstanceEndpoint.access],
        [`/instances/${instanceId}/check-drift`, checkDriftEndpoint.access],
        [`/instances/${instanceId}`, deployInstanceEndpoint.access],
        [`/instances/${instanceId}/destroy`, destroyInstanceEndpoint.access],
      ] as [string, { role: string }][];
      expect(instance).toEqual(expected.filter(([, access]) => may(access)).map(([path]) => path));
      const deployment = requestsOf(await open(`/deployments/${deploymentId}`, session));
      const actions = (["approve", "discard"] as const).filter((one) => may(actionAccess[one]));
      expect(deployment).toEqual(actions.map((one) => `/deployments/${deploymentId}/${one}`));
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
      const { status, text } = await open(path, viewer);
      expect([path, status]).toEqual([path, 404]);
      expect(text).toContain("Not found");
    }
    const state = await open("/instances?state=NONE", viewer);
    expect(state.status).toBe(400);
    expect(state.text).toContain("cannot be shown");
    const cursor = await open("/instances?cursor=forged", viewer);
    expect(cursor.status).toBe(400);
  });

  it("is read alone: nothing changes by another method", async () => {
    const admin = await memberOf(tenant.tenantId, "CustomerAdmin");
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      for (const path of pages) {
        const cookie = `${SESSION_COOKIE}=${admin.token}`;
        const { status } = await send(method, `${ORIGIN}${path}`, { headers: { cookie } });
        expect([method, path, status]).toEqual([method, path, 404]);
      }
  });
});

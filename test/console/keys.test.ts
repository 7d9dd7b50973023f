/** The page of API keys: who sees which, and what of it they may press. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  createApiKeyEndpoint,
  listApiKeysEndpoint,
  rotateApiKeyEndpoint,
} from "#areas/api-keys/contract.ts";
import { scopes, tenantRoles } from "#schema/lists/roles.ts";
import { clientOf, makeTenant, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";
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

describe("the page of API keys", () => {
  let tenant: TestTenant;
  let keyId: string;

  beforeAll(async () => {
    tenant = await makeTenant();
    const { body: keys } = await tenant.get("/api-keys");
    await tenant.patch(`/api-keys/${keys.data[0].id}`, { name: hostile });
    keyId = keys.data[0].id;
  });

  it("asks whoever is not signed in to sign in", async () => {
    await expectSignInFirst("/keys");
  });

  it.for([...tenantRoles])(
    "offers to a %s what the API lets them do, and no more",
    async (role) => {
      const session = await memberOf(tenant.tenantId, role);
      const page = await openPage("/keys", session);
      const home = await openPage("/", session);
      const [isShown] = allowedTo(role, [["yes", listApiKeysEndpoint]]);
      expect([page.status, home.text.includes('href="/keys"')]).toEqual(
        isShown === undefined ? [403, false] : [200, true],
      );
      // Everybody may revoke the keys that they created; for others it takes what a rotation does.
      const forOthers = rotateApiKeyEndpoint;
      expect(offersOf(page)).toEqual(
        allowedTo(role, [
          [`POST /api-keys/${keyId}/rotate?overlapSeconds={overlapSeconds}`, rotateApiKeyEndpoint],
          [`DELETE /api-keys/${keyId}`, forOthers],
          ["POST /api-keys", createApiKeyEndpoint],
        ]),
      );
    },
  );

  it("shows names as text and no key", async () => {
    const admin = await memberOf(tenant.tenantId, "CustomerAdmin");
    const page = await openPage("/keys", admin);
    expectHarmless("/keys", page);
    expect(page.text).toContain(escapedHostile);
    expect(page.text).not.toContain(tenant.key);
  });

  it("has a box for each scope, in the group of its area, and none is chosen", async () => {
    const { text } = await openPage("/keys", await memberOf(tenant.tenantId, "CustomerAdmin"));
    const [fieldset = ""] = /<fieldset name="scopes".*?<\/fieldset>/s.exec(text) ?? [];
    const found = fieldset.matchAll(/<summary>([^<]*)|type="checkbox" value="([^"]*)"([^>]*)>/g);
    const boxes: Record<string, string[]> = {};
    let group = "";
    for (const [, area, scope, more] of found) {
      if (area !== undefined) group = area.trim();
      else if (scope !== undefined) (boxes[group] ??= []).push(scope);
      expect(more ?? "").not.toContain("checked");
    }
    expect(Object.values(boxes).flat().sort()).toEqual([...scopes].sort());
    const { "": ungrouped, deployments, ...others } = boxes;
    expect(ungrouped).toEqual(["*"]);
    expect(deployments).toEqual(["deployments:approve", "deployments:read", "deployments:write"]);
    for (const [area, of] of Object.entries(others))
      for (const scope of of) expect(scope.split(":")[0]).toBe(area.replaceAll(" ", "_"));
  });

  it("has presets, which do what they are called", async () => {
    const { text } = await openPage("/keys", await memberOf(tenant.tenantId, "CustomerAdmin"));
    const presets = Object.fromEntries(
      [...text.matchAll(/data-preset="([^"]*)">([^<]*)</g)].map(([, values = "", words = ""]) => [
        words,
        JSON.parse(values.replaceAll("&quot;", '"')) as string[],
      ]),
    );
    const { Deploy: deploy = [], "Read only": read = [], ...everything } = presets;
    expect(everything).toEqual({ "Everything that I may": ["*"] });
    expect(read).toEqual(scopes.filter((scope) => scope.endsWith(":read")));
    expect(deploy).not.toContain("deployments:approve");

    const own = await makeTenant();
    const targetId = await makeTarget(own);
    const templateId = await makeTemplate(own, "resources: {}\n");
    const made = await own.post("/api-keys", { name: "pipeline", scopes: deploy });
    const pipeline = { ...own, ...clientOf(made.body.key) };
    const instanceId = await makeInstance(pipeline, templateId, targetId);
    const deployed = await run(pipeline, instanceId, "deploy");
    expect(deployed.body.state).toBe("NO_CHANGES");
    expect((await pipeline.get(`/deployments/${deployed.body.id}/log`)).status).toBe(200);
    expect((await pipeline.post("/templates", { name: "t", source: "" })).status).toBe(403);
  });

  it("offers nothing for a key that is revoked", async () => {
    const own = await makeTenant();
    const { body } = await own.post("/api-keys", { name: "gone", scopes: ["templates:read"] });
    await own.delete(`/api-keys/${body.id}`);
    const { text } = await openPage("/keys?q=gone", await memberOf(own.tenantId, "CustomerOwner"));
    expect(text).toContain('<span class="tag bad">revoked</span>');
    expect(text).not.toContain(`/api-keys/${body.id}`);
  });

  it("shows nothing of it to another tenant's members, and all keys to operators", async () => {
    const stranger = await memberOf((await makeTenant()).tenantId, "CustomerOwner");
    expect((await openPage("/keys", stranger)).text).not.toContain(escapedHostile);
    const q = encodeURIComponent(hostile);
    const { text } = await openPage(`/keys?q=${q}`, await signedInOperator());
    expect(text).toContain(`/api-keys/${keyId}`);
    const owner = await memberOf(tenant.tenantId, "CustomerOwner");
    expect((await openPage("/keys?cursor=forged", owner)).status).toBe(400);
    expect((await openPage("/keys?q=called-otherwise", owner)).text).toContain(
      "No key is like that.",
    );
  });
});

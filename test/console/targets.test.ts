/** The pages of targets: who sees what of them, and what of it they may press. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  createTargetEndpoint,
  deleteTargetEndpoint,
  updateTargetEndpoint,
  verifyTargetEndpoint,
} from "#areas/cloud-targets/contract.ts";
import { providerNames } from "#schema/lists/provider-names.ts";
import { tenantRoles } from "#schema/lists/roles.ts";
import { makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import { appWith } from "#test/support/app-with.ts";
import {
  allowedTo,
  CONSOLE_ORIGIN,
  escapedHostile,
  expectHarmless,
  expectSignInFirst,
  hostile,
  memberOf,
  offersOf,
  openPage,
} from "#test/support/console-pages.ts";
import { makeIdentityKey } from "#test/support/identity-key.ts";
import { SESSION_COOKIE, signedInOperator } from "#test/support/sessions.ts";

describe("the pages of targets", () => {
  let tenant: TestTenant;
  let page: string;
  let platformPage: string;

  beforeAll(async () => {
    tenant = await makeTenant();
    const made = await tenant.post("/cloud/targets", {
      provider: "mock",
      name: hostile,
      config: { note: hostile, latencyMs: 7 },
      allowedRegions: [hostile, "eu-1"],
      defaultRegion: "eu-1",
    });
    page = `/targets/${made.body.id}`;
    const platform = await operator.post("/cloud/targets", {
      provider: "mock",
      name: `Platform ${crypto.randomUUID()}`,
      config: { note: "for operators alone" },
      allowedRegions: ["*"],
      defaultRegion: "eu-1",
    });
    platformPage = `/targets/${platform.body.id}`;
  });

  it("ask whoever is not signed in to sign in", async () => {
    for (const path of ["/targets", "/targets/new?provider=aws", page])
      await expectSignInFirst(path);
  });

  it.for([...tenantRoles])("offer to a %s what the API lets them do, and no more", async (role) => {
    const session = await memberOf(tenant.tenantId, role);
    for (const path of ["/targets", page]) {
      const answer = await openPage(path, session);
      expectHarmless(path, answer);
      expect(answer.text).toContain(escapedHostile);
    }
    const api = `/cloud${page}`;
    expect(offersOf(await openPage(page, session))).toEqual(
      allowedTo(role, [
        [`POST ${api}/verify`, verifyTargetEndpoint],
        [`PATCH ${api}`, updateTargetEndpoint],
        [`DELETE ${api}`, deleteTargetEndpoint],
      ]),
    );
    const form = await openPage("/targets/new?provider=aws", session);
    expect(offersOf(form)).toEqual(
      allowedTo(role, [["POST /cloud/targets", createTargetEndpoint]]),
    );
    expect(offersOf(await openPage(platformPage, session))).toEqual([]);
  });

  it("has an input for each setting of each provider, which says what it is for", async () => {
    const admin = await memberOf(tenant.tenantId, "CustomerAdmin");
    const { body } = await tenant.get("/cloud/providers");
    for (const { name, config } of body.data) {
      const path = `/targets/new?provider=${name}`;
      const answer = await openPage(path, admin);
      expectHarmless(path, answer);
      const inputs = [...answer.text.matchAll(/name="config\.(\w+)"/g)].map(([, member]) => member);
      expect([name, inputs]).toEqual([name, Object.keys(config.properties)]);
      const hinted = [
        ...answer.text.matchAll(/name="config\.(\w+)"(?:(?!<label).)*?class="soft"/gs),
      ];
      expect([name, hinted.map(([, member]) => member)]).toEqual([name, inputs]);
    }
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual([...providerNames]);
    const aws = await openPage("/targets/new?provider=aws", admin);
    expect(aws.text).toContain(
      `env://TARGET_${tenant.tenantId.replaceAll("-", "").toUpperCase()}_`,
    );
    expect(aws.text).toContain("JSON with accessKeyId, secretAccessKey");
    const unknown = await openPage(`/targets/new?provider=${encodeURIComponent(hostile)}`, admin);
    expectHarmless("/targets/new", unknown);
    expect(offersOf(unknown)).toEqual([]);
  });

  it("shows the trust policy of a target without a stored credential", async () => {
    const { body } = await tenant.post("/cloud/targets", {
      provider: "aws",
      name: "federated",
      config: { roleArn: "arn:aws:iam::123456789012:role/deployer" },
      allowedRegions: ["eu-central-1"],
      defaultRegion: "eu-central-1",
    });
    const member = await memberOf(tenant.tenantId, "CustomerViewer");
    const path = `/targets/${body.id}`;
    expect((await openPage(path, member)).text).toContain(escapedText(body.credentialProblem));
    const send = appWith({
      PUBLIC_URL: CONSOLE_ORIGIN,
      IDENTITY_KEYS: await makeIdentityKey(),
    });
    const headers = { accept: "text/html", cookie: `${SESSION_COOKIE}=${member.token}` };
    const page = await send("GET", `${CONSOLE_ORIGIN}${path}`, { headers });
    const { identity } = (await send("GET", `/cloud${path}`, { headers })).body;
    const { trust, subject } = identity;
    expect(page.text).toContain(escapedText(JSON.stringify(trust.policy, null, 2)));
    for (const words of [...trust.steps, subject]) expect(page.text).toContain(escapedText(words));
  });

  it("shows a platform target's settings to operators alone", async () => {
    const owner = await memberOf(tenant.tenantId, "CustomerOwner");
    const seen = await openPage(platformPage, owner);
    expect([seen.status, seen.text.includes("for operators alone")]).toEqual([200, false]);
    const whole = await openPage(platformPage, await signedInOperator());
    expect(whole.text).toContain("for operators alone");
    expect(offersOf(whole)).toContain(`DELETE /cloud${platformPage}`);
  });

  it("show nothing of it to another tenant's members, and say what is wrong with the address", async () => {
    const other = await makeTenant();
    const stranger = await memberOf(other.tenantId, "CustomerOwner");
    expect((await openPage("/targets", stranger)).text).not.toContain(escapedHostile);
    for (const path of [page, "/targets/none"])
      expect((await openPage(path, stranger)).status).toBe(404);
    for (const query of ["provider=none", "environment=none", "cursor=forged"])
      expect((await openPage(`/targets?${query}`, stranger)).status).toBe(400);
    const none = await openPage("/targets?q=none-is-called-so", stranger);
    expect(none.text).toContain("No target is like that.");
  });
});

function escapedText(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

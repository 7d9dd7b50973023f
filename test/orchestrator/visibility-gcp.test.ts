/** A grant that Google refuses because it does not see the new service account everywhere yet. */
import { runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { GoogleCloud, KEY_FILE } from "#test/providers/gcp/google-cloud.ts";
import { addParents, parents } from "#test/providers/gcp/samples.ts";
import { PROJECT, REGION, ZONE } from "#test/providers/gcp/shown.ts";
import { makeTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";
import { messagesOf, runnerOf } from "#test/support/runner.ts";

let refusals: number;

beforeEach(() => {
  const cloud = new GoogleCloud();
  addParents(cloud);
  const real = globalThis.fetch.bind(globalThis);
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = input instanceof Request ? input : new Request(input, init);
    const { hostname, pathname } = new URL(request.url);
    if (!hostname.endsWith(".googleapis.com")) return real(input, init);
    if (!pathname.endsWith(":setIamPolicy") || refusals === 0) return cloud.fetch(request);
    refusals -= 1;
    const message = "Service account shop@p.iam.gserviceaccount.com does not exist.";
    const error = { code: 400, message, status: "INVALID_ARGUMENT" };
    return Response.json({ error }, { status: 400 });
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

it("waits until a new service account is visible", async () => {
  refusals = 2;
  const tenant = await makeTenant();
  const variable = `TARGET_${tenant.tenantId.replaceAll("-", "").toUpperCase()}_GCP`;
  const at = { provider: "gcp", allowedRegions: [REGION], defaultRegion: REGION };
  const config = { project: PROJECT, zone: ZONE };
  const targetId = await makeTarget(tenant, config, { ...at, credentialRef: `env://${variable}` });
  const templateId = await makeTemplate(
    tenant,
    `resources:
  account: { type: gcp:iam/ServiceAccount, properties: { name: shop-web } }
  right:
    type: gcp:secretmanager/SecretIamMember
    properties:
      secret: ${parents.secret}
      role: roles/secretmanager.secretAccessor
      member: "serviceAccount:\${account.email}"
`,
  );
  const instanceId = await makeInstance(tenant, templateId, targetId);
  await runInDurableObject(runnerOf(instanceId), (runner) => {
    const { env } = runner as unknown as { env: object };
    Object.assign(env, { [variable]: JSON.stringify(KEY_FILE) });
  });
  const { body } = await run(tenant, instanceId, "deploy");
  expect(body.state, JSON.stringify(body.error)).toBe("SUCCEEDED");
  const log = await messagesOf(tenant, body.id);
  const waits = log.filter((one) =>
    one.startsWith("Creating right waits for account to be visible"),
  );
  expect(waits).toHaveLength(2);
}, 60_000);

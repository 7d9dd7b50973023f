/** Replacements at Azure: of objects with unique names, and of objects that contain others. */
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { CLIENT_SECRET } from "#test/providers/azure/arm-cloud.ts";
import { makeUnlimitedTenant, type TestTenant } from "#test/support/api.ts";
import { azureScene, azureTarget } from "#test/support/azure-target.ts";
import { addVersion, makeInstance, makeTemplate, run } from "#test/support/cloud.ts";
import { runnerOf } from "#test/support/runner.ts";

const IDENTITIES = "azure:Microsoft.ManagedIdentity/userAssignedIdentities";
const GRANTS = "azure:Microsoft.Authorization/roleAssignments";
const scene = azureScene();

async function instanceWith(tenant: TestTenant, source: string) {
  const name = `TARGET_${tenant.tenantId.replaceAll("-", "").toUpperCase()}_AZURE`;
  const target = await tenant.post(
    "/cloud/targets",
    azureTarget({ credentialRef: `env://${name}`, allowedRegions: ["westeurope", "northeurope"] }),
  );
  const templateId = await makeTemplate(tenant, source);
  const instanceId = await makeInstance(tenant, templateId, target.body.id);
  await runInDurableObject(runnerOf(instanceId), (runner) => {
    Object.assign((runner as unknown as { env: object }).env, { [name]: CLIENT_SECRET });
  });
  return { templateId, instanceId };
}

/** An identity with a right on it. */
const source = (region: string, name: string) => `resources:
  me: { type: ${IDENTITIES}, properties: { location: ${region}${name} }, options: { deleteBeforeReplace: ${name !== ""} } }
  grant: { type: ${GRANTS}, properties: { scope: "\${me.id}", properties: { principalId: "\${me.properties.principalId}", roleDefinitionId: /providers/Microsoft.Authorization/roleDefinitions/b24988ac-6180-42a0-ab88-20f7382dd24c } } }
`;

it.each([
  ["a name of its own is made after the old one went", ", name: mine", ["delete", "create"]],
  ["a chosen name is made before the old one goes", "", ["create", "delete"]],
])("an object with %s, and what stood in it is there again", async (_, name, order) => {
  const tenant = await makeUnlimitedTenant();
  const { templateId, instanceId } = await instanceWith(tenant, source("westeurope", name));
  const first = await run(tenant, instanceId, "deploy");
  expect(first.body.state, JSON.stringify(first.body.error)).toBe("SUCCEEDED");
  const before = scene.cloud.ledger.length;
  await addVersion(tenant, instanceId, templateId, source("northeurope", name));
  const { body } = await run(tenant, instanceId, "deploy");
  expect(body.state, JSON.stringify(body.error)).toBe("SUCCEEDED");
  const changes = scene.cloud.ledger.slice(before);
  const ofIdentity = changes.filter(({ collection }) => IDENTITIES.endsWith(collection));
  expect(ofIdentity.map(({ verb }) => verb)).toEqual(order);
  const [identity, ...others] = scene.cloud.living(IDENTITIES.replace("azure:", ""));
  expect(others).toEqual([]);
  const grants = scene.cloud.living(GRANTS.replace("azure:", ""));
  expect(grants.map(({ key }) => key.startsWith(`${identity?.key}/`))).toEqual([true]);
  expect((await run(tenant, instanceId, "destroy")).body.state).toBe("SUCCEEDED");
  expect(scene.cloud.living()).toEqual([]);
});

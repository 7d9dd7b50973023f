/** Creates that Azure refuses because it does not see everywhere yet what they stand in. */
import { expect, it } from "vitest";
import { makeTenant } from "#test/support/api.ts";
import { azureScene, deployAtAzure, makeSharedAzure } from "#test/support/azure-target.ts";
import { messagesOf } from "#test/support/runner.ts";

const scene = azureScene();
const identity = "azure:Microsoft.ManagedIdentity/userAssignedIdentities";
const group =
  "group: { type: azure:Microsoft.Resources/resourceGroups, properties: { name: new-group } }";

/** Azure does not find the group for so many creates of an identity. */
function hidesGroup(times: number): void {
  let left = times;
  scene.answer = (request) => {
    if (request.method !== "PUT" || !request.url.includes("/userAssignedIdentities/"))
      return undefined;
    left -= 1;
    const message = "Resource group 'new-group' could not be found.";
    const error = { code: "ResourceGroupNotFound", message };
    return left < 0 ? undefined : Response.json({ error }, { status: 404 });
  };
}

it("waits until a new resource group is visible", async () => {
  hidesGroup(2);
  const tenant = await makeTenant();
  const source = `resources:
  ${group}
  app: { type: ${identity}, properties: { name: app, resourceGroup: "\${group.name}" } }
`;
  const { ended } = await deployAtAzure(tenant, await makeSharedAzure(), source);
  expect(ended.body.state, JSON.stringify(ended.body.error)).toBe("SUCCEEDED");
  const log = await messagesOf(tenant, ended.body.id);
  const waits = log.filter((one) => one.startsWith("Creating app waits for group to be visible"));
  expect(waits).toHaveLength(2);
}, 60_000);

it("takes the refusal for a group that the instance did not make", async () => {
  hidesGroup(1);
  const tenant = await makeTenant();
  const source = `resources:\n  app: { type: ${identity}, properties: { name: other } }\n`;
  const { ended } = await deployAtAzure(tenant, await makeSharedAzure(), source);
  expect(ended.body).toMatchObject({ state: "FAILED", error: { code: "ResourceGroupNotFound" } });
}, 60_000);

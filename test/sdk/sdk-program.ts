/** A program with the functions that hey-api makes of the document: from a template to its outputs. */
import { createClient } from "../../dist/sdk/hey-api/client/index.ts";
import {
  approveDeployment,
  createInstance,
  createTemplate,
  createTenant,
  deployInstance,
  getDeployment,
  getInstanceOutputs,
  listInstances,
} from "../../dist/sdk/hey-api/sdk.gen.ts";
import type {
  CreateInstanceBody,
  Deployment,
  DeploymentState,
} from "../../dist/sdk/hey-api/types.gen.ts";

const final: ReadonlySet<DeploymentState> = new Set([
  "SUCCEEDED",
  "FAILED",
  "CANCELED",
  "NO_CHANGES",
]);

export async function deployTemplate(
  baseUrl: string,
  key: string,
  given: { source: string; targetId: string; variables: CreateInstanceBody["variables"] },
): Promise<Record<string, unknown>> {
  const client = createClient({ baseUrl, auth: () => key });
  const { data: template } = await createTemplate({
    client,
    throwOnError: true,
    body: { name: "shop", source: given.source },
  });
  const { data: instance } = await createInstance({
    client,
    throwOnError: true,
    body: {
      name: "shop",
      templateId: template.id,
      targetId: given.targetId,
      variables: given.variables ?? {},
      approvalMode: "always",
    },
  });
  const path = { id: instance.id };
  const { data: asked } = await deployInstance({ client, throwOnError: true, path });
  let deployment: Deployment = asked;
  while (!final.has(deployment.state)) {
    if (deployment.state === "AWAITING_APPROVAL")
      await approveDeployment({ client, path: { id: deployment.id } });
    const read = await getDeployment({ client, path: { id: deployment.id } });
    if (read.error !== undefined) throw new Error(`${read.error.code}: ${read.error.detail}`);
    deployment = read.data;
  }
  if (deployment.error !== null) throw new Error(deployment.error.message);
  const { data: list } = await listInstances({ client, throwOnError: true, query: { limit: 100 } });
  if (list.nextCursor !== null) console.log(`More after ${list.data.length} instances`);
  const { data } = await getInstanceOutputs({ client, throwOnError: true, path });
  return data.outputs;
}

export async function makeMistakes(baseUrl: string): Promise<void> {
  const client = createClient({ baseUrl });
  // @ts-expect-error -- the slug is missing
  await createTenant({ client, body: { name: "Acme" } });
  // @ts-expect-error -- a list has no pages by number
  await listInstances({ client, query: { page: 2 } });
  // @ts-expect-error -- there is no such state
  const state: DeploymentState = "DONE";
  console.log(state);
}

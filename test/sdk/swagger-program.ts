/** A program with the class that swagger-typescript-api makes of the document. */
import { Api, DeploymentState } from "../../dist/sdk/swagger-typescript-api/api.ts";

export async function deployTemplate(
  baseUrl: string,
  key: string,
  given: { templateId: string; targetId: string },
): Promise<Record<string, unknown>> {
  const { api } = new Api({
    baseUrl,
    baseApiParams: { headers: { authorization: `Bearer ${key}` } },
  });
  const { data: instance } = await api.createInstance({ name: "shop", ...given, variables: {} });
  const { data: asked } = await api.deployInstance(instance.id, {});
  const { data: deployment } = await api.getDeployment(asked.id);
  if (deployment.state === DeploymentState.FAILED)
    throw new Error(deployment.error?.message ?? "It failed");
  const { data } = await api.getInstanceOutputs(instance.id);
  return data.outputs;
}

export async function makeMistakes(baseUrl: string): Promise<void> {
  const { api } = new Api({ baseUrl });
  // @ts-expect-error -- the slug is missing
  await api.createTenant({ name: "Acme" });
  // @ts-expect-error -- a list has no pages by number
  await api.listInstances({ page: 2 });
  // @ts-expect-error -- there is no such state
  console.log(DeploymentState.DONE);
}

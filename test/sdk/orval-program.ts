/** A program with the functions and schemas that orval makes of the document. */
import {
  createInstance,
  createTenant,
  deployInstance,
  type DeploymentState,
  getDeployment,
  listInstances,
} from "../../dist/sdk/orval-fetch/api.ts";
import { GetDeploymentResponse } from "../../dist/sdk/orval-zod/api.ts";

export async function deployTemplate(
  key: string,
  given: { templateId: string; targetId: string },
): Promise<DeploymentState> {
  const options = { headers: { authorization: `Bearer ${key}` } };
  const made = await createInstance({ name: "shop", ...given, variables: {} }, options);
  if (made.status !== 201) throw new Error(`${made.data.code}: ${made.data.detail}`);
  const asked = await deployInstance(made.data.id, {}, options);
  if (asked.status !== 202) throw new Error(asked.data.detail);
  const { data } = await getDeployment(asked.data.id, undefined, options);
  return GetDeploymentResponse.parse(data).state;
}

export async function makeMistakes(): Promise<void> {
  // @ts-expect-error -- the slug is missing
  await createTenant({ name: "Acme" });
  // @ts-expect-error -- a list has no pages by number
  await listInstances({ page: 2 });
  // @ts-expect-error -- there is no such state
  const state: DeploymentState = "DONE";
  console.log(state);
}

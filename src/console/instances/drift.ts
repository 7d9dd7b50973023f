import { getDeploymentPlanEndpoint, listDeploymentsEndpoint } from "#areas/deployments/contract.ts";
import type { PageApi } from "#console/page-api.ts";
import type { Instance } from "./bindings.tsx";

/** What the last drift check found. */
export interface Drift {
  checkId: string;
  at: string;
  /** The names of the resources that differ. */
  resources: ReadonlySet<string>;
}

/** Undefined: the instance has not drifted, as far as is known. */
export async function readDrift(
  api: PageApi,
  { id: instanceId, drift }: Pick<Instance, "id" | "drift">,
): Promise<Drift | undefined> {
  if (drift !== "DRIFTED") return undefined;
  const checks = await api.readIfAny(
    listDeploymentsEndpoint,
    {},
    { instanceId, operation: "drift_check", state: "SUCCEEDED,NO_CHANGES", limit: "1" },
  );
  const [last] = checks?.data ?? [];
  if (last === undefined) return undefined;
  const found = { checkId: last.id, at: last.createdAt };
  if (last.state !== "SUCCEEDED") return { ...found, resources: new Set() };
  const plan = await api.readIfAny(getDeploymentPlanEndpoint, { id: last.id });
  // Drift that no deploy can restore is an `unchanged` change with differences.
  const differs =
    plan?.changes.filter(({ action, changes }) => action !== "unchanged" || changes.length > 0) ??
    [];
  return { ...found, resources: new Set(differs.map(({ resource }) => resource)) };
}

/** What D1 says was requested, with its secrets opened. */
import { variablesPlace } from "#areas/instances/variables.ts";
import { sealerFrom } from "#platform/crypto/seal.ts";
import { openMap } from "#platform/crypto/sealed-map.ts";
import type { JsonMap } from "#platform/json.ts";
import type { Asked, Model, ModelInstance, Operation } from "./model.ts";
import type { Variables } from "./programs.ts";
import { ALL_KEYS, type Simulation } from "./simulation.ts";
import { hasTable, parsed } from "./stored.ts";

async function opened(
  real: Simulation,
  instanceId: string,
  variables: unknown,
): Promise<Partial<Variables>> {
  const place = variablesPlace({ id: instanceId, tenantId: real.ground.tenantId });
  return openMap(variables as JsonMap, sealerFrom(ALL_KEYS), place);
}

/** The deployment as its row says that it was requested. */
export async function readAsked(model: Model, real: Simulation, id: string): Promise<Asked> {
  const [row] = real.d1.rows(
    "SELECT instance_id AS instanceId, operation, inputs FROM deployments WHERE id = ?",
    [id],
  );
  const inputs = parsed(row?.["inputs"]) as {
    template: { version: number } | null;
    variables: unknown;
  };
  const instanceId = String(row?.["instanceId"]);
  const version = inputs.template?.version ?? null;
  return {
    id,
    instance: real.instanceIds.indexOf(instanceId),
    operation: row?.["operation"] as Operation,
    version,
    program: version === null ? null : model.program(version),
    variables: await opened(real, instanceId, inputs.variables),
  };
}

async function readInstance(real: Simulation, instance: number): Promise<ModelInstance> {
  const id = real.instanceIds[instance] ?? "";
  const [row] = real.d1.rows(
    "SELECT template_version AS version, variables FROM instances WHERE id = ?",
    [id],
  );
  return {
    version: Number(row?.["version"]),
    variables: await opened(real, id, parsed(row?.["variables"])),
  };
}

/** Makes the model of an instance what its row says. */
export async function rereadInstance(
  model: Model,
  real: Simulation,
  instance: number,
): Promise<void> {
  Object.assign(model.instances[instance] ?? {}, await readInstance(real, instance));
}

/** Adds the deployments that triggers started, and forgets those that a restore of D1 lost before a runner had read them. */
export async function adoptDeployments(model: Model, real: Simulation): Promise<void> {
  const rows = real.d1.rows(
    'SELECT id, "trigger" FROM deployments WHERE tenant_id = ? AND instance_id IN (?, ?)',
    [real.ground.tenantId, ...real.instanceIds],
  );
  const known = new Set(model.asked.map(({ id }) => id));
  for (const row of rows)
    if (row["trigger"] !== "manual" && !known.has(String(row["id"])))
      model.asks({ ...(await readAsked(model, real, String(row["id"]))), triggered: true });
  if (!real.timeTravel.hasGoneBack) return;
  const there = new Set(rows.map((row) => String(row["id"])));
  model.asked = model.asked.filter(
    ({ id, instance }) => there.has(id) || runnerHasLoaded(real, instance, id),
  );
}

function runnerHasLoaded(real: Simulation, instance: number, id: string): boolean {
  const runner = real.runner(instance);
  if (!hasTable(runner, "runs")) return false;
  return (
    runner.storage.rows("SELECT 1 FROM runs WHERE deployment_id = ? AND spec IS NOT NULL", [id])
      .length > 0
  );
}

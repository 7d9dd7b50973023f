import { Command, isAccepted, type Run } from "./command.ts";
import type { Asked, Model, Operation } from "./model.ts";
import type { Simulation } from "./simulation.ts";

const paths = { deploy: "deploy", plan: "plan", destroy: "destroy", drift_check: "check-drift" };
function start(model: Model, real: Simulation, instance: number, operation: Operation): Run {
  const path = `/instances/${real.instanceIds[instance]}/${paths[operation as keyof typeof paths]}`;
  const { version, variables } = model.instances[instance] as Model["instances"][number];
  const frozen: Omit<Asked, "id"> = {
    instance,
    operation,
    version: operation === "destroy" ? null : version,
    program: operation === "destroy" ? null : model.program(version),
    variables: operation === "destroy" || operation === "drift_check" ? {} : { ...variables },
  };
  return async () => {
    const answer = await real.send("POST", path);
    if (!isAccepted(real, path, answer, 202)) return;
    const { id } = answer.body as { id: string };
    const upstream = boundValue(real, id);
    model.asks({
      ...frozen,
      variables: { ...frozen.variables, ...(upstream === undefined ? {} : { upstream }) },
      id,
    });
  };
}

/** The output that the deployment reads from the other instance. */
function boundValue(real: Simulation, id: string): string | undefined {
  const [row] = real.d1.rows(
    "SELECT json_extract(inputs, '$.variables.upstream') AS upstream FROM deployments WHERE id = ?",
    [id],
  );
  return typeof row?.["upstream"] === "string" ? row["upstream"] : undefined;
}

export function startCommand(instance: number, operations: Operation[]): Command {
  return new Command(`start(${instance}, ${operations.join(" and ")})`, async (model, real) => {
    const starts = operations.map((one) => start(model, real, instance, one)(model, real));
    await real.finish("the starts", Promise.all(starts));
  });
}

/** One simulated run: executes commands, checks everything at rest, then repairs and destroys the instances. */
import * as fc from "fast-check";
import { commands, patchCommand, versionCommand } from "./commands.ts";
import { isDeepStrictEqual } from "./deep-equal.ts";
import { Rest } from "./invariants.ts";
import { defaults, Model, type Operation } from "./model.ts";
import { expectedObjects, withIds } from "./programs.ts";
import { Simulation } from "./simulation.ts";
import { cloudObjects, storedResources } from "./stored.ts";

/** Maximum time for shrinking a failed run. */
const SHRINK_MS = 20_000;

/** The generated input of a run. */
const drawn = fc.record({ commands, seed: fc.integer(), capacity: fc.constantFrom<1 | 2>(1, 2) });

class Broken extends Error {
  override readonly name = "Broken";
}

function requireInvariants(when: string, model: Model, real: Simulation): void {
  const problems = new Rest(model, real).check();
  if (problems.length > 0) throw new Broken(`${when}:\n  ${problems.slice(0, 6).join("\n  ")}`);
}

async function runOne({
  commands,
  seed,
  capacity,
}: {
  commands: Iterable<fc.AsyncCommand<Model, Simulation>>;
  seed: number;
  capacity: 1 | 2;
}): Promise<string> {
  const model = new Model();
  const real = await Simulation.begin(seed, capacity);
  try {
    await fc.asyncModelRun(() => ({ model, real }), commands);
    await real.rest();
    requireInvariants("At rest", model, real);
    for (const instance of real.instanceIds.keys()) await repair(instance, model, real);
    requireInvariants("After the repair", model, real);
    if (seed % 2 === 0) {
      for (const instance of real.instanceIds.keys()) await destroy(instance, model, real);
      requireInvariants("After the destroy", model, real);
    }
    return real.trace.join("\n");
  } finally {
    real.end();
  }
}

async function runOperation(
  operation: Exclude<Operation, "rollback">,
  instance: number,
  model: Model,
  real: Simulation,
): Promise<{ id: string; state: string; error: unknown }> {
  const path = operation === "drift_check" ? "check-drift" : operation;
  const { version, variables } = model.instances[instance] as Model["instances"][number];
  const started = await real.ask("POST", `/instances/${real.instanceIds[instance]}/${path}`);
  if (started.status === 409) return { id: "", state: "REFUSED", error: null };
  const readOnly = operation === "drift_check";
  model.asked.push({
    id: started.body.id,
    instance,
    operation,
    version: operation === "destroy" ? null : version,
    variables: operation === "destroy" || readOnly ? {} : { ...variables },
  });
  await real.rest();
  const { body } = await real.ask("GET", `/deployments/${started.body.id}`);
  return body;
}

/** After any history, a deploy without faults creates exactly what the program says. */
async function repair(instance: number, model: Model, real: Simulation): Promise<void> {
  const known = model.instances[instance] as Model["instances"][number];
  const program = { ...model.program(known.version), guarded: true, protects: false };
  await versionCommand(instance, program).run(model, real);
  await patchCommand(instance, { approvalMode: "auto", variables: { image: "last" } }).run(
    model,
    real,
  );
  const checked = await runOperation("drift_check", instance, model, real);
  const deployed = await runOperation("deploy", instance, model, real);
  if (deployed.state !== "SUCCEEDED" && deployed.state !== "NO_CHANGES")
    throw new Broken(`The last deploy ended ${deployed.state}: ${JSON.stringify(deployed.error)}`);
  const stored = storedResources(real, instance);
  const ids = new Map(stored.map(({ name, id }) => [name, id]));
  const expected = expectedObjects(program, { ...defaults, ...known.variables });
  const storedIds = new Set(stored.map(({ id }) => id));
  const objects = cloudObjects(real).filter(({ id }) => storedIds.has(id));
  const wanted = Object.values(expected).map(({ kind, properties }) => ({
    kind,
    properties: withIds(properties, (one) => ids.get(one)),
  }));
  // Properties that were set outside the service and are not in the program stay.
  const found = wanted.map(({ properties }) => {
    const object = objects.find(({ name }) => name === properties["name"]);
    const shown = { ...object?.properties };
    if (model.changedMeanwhile.has(object?.id ?? "")) shown["size"] = properties["size"];
    const mentioned = Object.entries(shown).filter(([key]) => key in properties);
    return { kind: object?.kind, properties: Object.fromEntries(mentioned) };
  });
  if (objects.length !== wanted.length || !isDeepStrictEqual(found, wanted))
    throw new Broken(
      `Checked (${checked.state}) and deployed, the cloud has ${JSON.stringify(objects)}, not ${JSON.stringify(wanted)}`,
    );
}

async function destroy(instance: number, model: Model, real: Simulation): Promise<void> {
  const destroyed = await runOperation("destroy", instance, model, real);
  if (destroyed.state !== "SUCCEEDED")
    throw new Broken(`The destroy ended ${destroyed.state}: ${JSON.stringify(destroyed.error)}`);
}

/**
 * Simulates the run of a seed and returns the trace of its cloud calls. Rejects with the smallest failing run found in
 * time; with `asDrawn`, with the original run.
 */
export async function simulate(seed: number, asDrawn = false): Promise<string> {
  let trace = "";
  const untilMs = performance.now() + SHRINK_MS;
  await fc.assert(
    fc.asyncProperty(drawn, async (run) => {
      // An interrupted run would continue beside the next one: so do not start it.
      if (performance.now() < untilMs) trace = await runOne(run);
    }),
    { seed, numRuns: 1, endOnFailure: asDrawn, includeErrorInReport: true },
  );
  return trace;
}

/** One run: commands, then rest, then everything is compared; then what is there is mended, and taken down. */
import * as fc from "fast-check";
import { commands, patchCommand, versionCommand } from "./commands.ts";
import { isDeepStrictEqual } from "./deep-equal.ts";
import { Rest } from "./invariants.ts";
import { defaults, Model, type Operation } from "./model.ts";
import { expectedObjects, withIds } from "./programs.ts";
import { Simulation } from "./simulation.ts";
import { cloudObjects, storedResources } from "./stored.ts";

/** So long a smaller run that breaks is looked for. */
const SHRINK_MS = 20_000;

/** What is drawn beside the commands. */
const drawn = fc.record({ commands, seed: fc.integer(), capacity: fc.constantFrom<1 | 2>(1, 2) });

class Broken extends Error {
  override readonly name = "Broken";
}

function requireWhole(when: string, model: Model, real: Simulation): void {
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
    requireWhole("At rest", model, real);
    for (const instance of real.instanceIds.keys()) await mend(instance, model, real);
    requireWhole("After all was mended", model, real);
    if (seed % 2 === 0) {
      for (const instance of real.instanceIds.keys()) await takeDown(instance, model, real);
      requireWhole("After all was taken down", model, real);
    }
    return real.trace.join("\n");
  } finally {
    real.end();
  }
}

async function carryOut(
  operation: Exclude<Operation, "rollback">,
  instance: number,
  model: Model,
  real: Simulation,
): Promise<{ id: string; state: string; error: unknown }> {
  const path = operation === "drift_check" ? "check-drift" : operation;
  const { version, variables } = model.instances[instance] as Model["instances"][number];
  const started = await real.ask("POST", `/instances/${real.instanceIds[instance]}/${path}`);
  if (started.status === 409) return { id: "", state: "REFUSED", error: null };
  const looks = operation === "drift_check";
  model.asked.push({
    id: started.body.id,
    instance,
    operation,
    version: operation === "destroy" ? null : version,
    variables: operation === "destroy" || looks ? {} : { ...variables },
  });
  await real.rest();
  const { body } = await real.ask("GET", `/deployments/${started.body.id}`);
  return body;
}

/** Whatever came before, a deploy in fine weather brings about exactly what the program says. */
async function mend(instance: number, model: Model, real: Simulation): Promise<void> {
  const known = model.instances[instance] as Model["instances"][number];
  const program = { ...model.program(known.version), guarded: true, protects: false };
  await versionCommand(instance, program).run(model, real);
  await patchCommand(instance, { approvalMode: "auto", variables: { image: "last" } }).run(
    model,
    real,
  );
  const checked = await carryOut("drift_check", instance, model, real);
  const deployed = await carryOut("deploy", instance, model, real);
  if (deployed.state !== "SUCCEEDED" && deployed.state !== "NO_CHANGES")
    throw new Broken(`The last deploy ended ${deployed.state}: ${JSON.stringify(deployed.error)}`);
  const stored = storedResources(real, instance);
  const ids = new Map(stored.map(({ name, id }) => [name, id]));
  const expected = expectedObjects(program, { ...defaults, ...known.variables });
  const mine = new Set(stored.map(({ id }) => id));
  const objects = cloudObjects(real).filter(({ id }) => mine.has(id));
  const due = Object.values(expected).map(({ kind, properties }) => ({
    kind,
    properties: withIds(properties, (one) => ids.get(one)),
  }));
  // What somebody else set and the program does not mention stays.
  const found = due.map(({ properties }) => {
    const object = objects.find(({ name }) => name === properties["name"]);
    const shown = { ...object?.properties };
    if (model.changedMeanwhile.has(object?.id ?? "")) shown["size"] = properties["size"];
    const mentioned = Object.entries(shown).filter(([key]) => key in properties);
    return { kind: object?.kind, properties: Object.fromEntries(mentioned) };
  });
  if (objects.length !== due.length || !isDeepStrictEqual(found, due))
    throw new Broken(
      `Checked (${checked.state}) and deployed, the cloud has ${JSON.stringify(objects)}, not ${JSON.stringify(due)}`,
    );
}

async function takeDown(instance: number, model: Model, real: Simulation): Promise<void> {
  const destroyed = await carryOut("destroy", instance, model, real);
  if (destroyed.state !== "SUCCEEDED")
    throw new Broken(`The destroy ended ${destroyed.state}: ${JSON.stringify(destroyed.error)}`);
}

/**
 * The run of a seed; answers what was called at the cloud. Rejects with the smallest run that breaks, as far as there
 * was time to find it; `asDrawn`: with the run itself.
 */
export async function simulate(seed: number, asDrawn = false): Promise<string> {
  let trace = "";
  const untilMs = performance.now() + SHRINK_MS;
  await fc.assert(
    fc.asyncProperty(drawn, async (run) => {
      // A run that is interrupted would go on beside the next one: it is rather not begun.
      if (performance.now() < untilMs) trace = await runOne(run);
    }),
    { seed, numRuns: 1, endOnFailure: asDrawn, includeErrorInReport: true },
  );
  return trace;
}

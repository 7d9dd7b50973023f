/** One simulated run: executes commands, checks everything at rest, then deploys without faults, and destroys. */
import * as fc from "fast-check";
import type { Reconciliation } from "#orchestrator/runner/projector.ts";
import { commandsOf, patchCommand, versionCommand } from "./commands.ts";
import { isDeepStrictEqual } from "./deep-equal.ts";
import { deliverEverything, undeliveredEvents, watchReceivers } from "./deliveries.ts";
import { violationsAtRest } from "./invariants.ts";
import { type Kind, type World, worlds } from "./kinds.ts";
import { Model, type Operation } from "./model.ts";
import { defaults, expectedObjects, withIds } from "./programs.ts";
import { changedRepeats } from "./repeats.ts";
import { adoptDeployments, readAsked } from "./rows.ts";
import { Simulation } from "./simulation.ts";
import { cloudObjects, storedResources } from "./stored.ts";
import { checkViews } from "./views.ts";

/** Maximum time for shrinking a failed run. */
const SHRINK_MS = 20_000;
/** A deployment that a trigger starts cancels a drift check: so it is asked for again. */
const MAX_CHECKS = 5;

interface Drawn {
  commands: Iterable<fc.AsyncCommand<Model, Simulation>>;
  seed: number;
  world: World;
}

/** The generated input of a run. */
function drawn(kind: Kind): fc.Arbitrary<Drawn> {
  return fc.record({ commands: commandsOf(kind), seed: fc.integer(), world: worlds(kind) });
}

class Broken extends Error {
  override readonly name = "Broken";
}

async function requireInvariants(when: string, model: Model, real: Simulation): Promise<void> {
  await adoptDeployments(model, real);
  const problems = violationsAtRest(model, real);
  if (problems.length > 0) throw new Broken(`${when}:\n  ${problems.slice(0, 6).join("\n  ")}`);
}

function runOne({ commands, ...drawn }: Drawn): Promise<string> {
  return play(drawn, (model, real) => fc.asyncModelRun(() => ({ model, real }), commands));
}

/** Lets `act` happen and checks everything afterwards. Returns the trace of the cloud calls. */
export async function play(
  { seed, world }: { seed: number; world: World },
  act: (model: Model, real: Simulation) => Promise<void>,
): Promise<string> {
  const model = new Model(world);
  const real = await Simulation.begin(seed, world);
  watchReceivers(real);
  try {
    await act(model, real);
    // Every run ends, even if the key never comes back.
    await real.restAsItIs();
    await real.rest();
    await reconcile(real);
    // A plan may expire while that is asked.
    await real.rest();
    await checkViews(model, real);
    await requireInvariants("At rest", model, real);
    for (const instance of real.instanceIds.keys())
      await deployWithoutFaults(instance, model, real);
    await requireInvariants("After a deploy without faults", model, real);
    if (seed % 2 === 0) {
      for (const instance of real.instanceIds.keys()) await destroy(instance, model, real);
      await requireInvariants("After the destroy", model, real);
    }
    if (world.listens) {
      await deliverEverything(real);
      for (const problem of undeliveredEvents(real)) real.watches.report(problem);
    }
    real.watches.searchEverything();
    await requireInvariants("At the end", model, real);
    return real.watches.trace.join("\n");
  } finally {
    real.end();
  }
}

/** What operators do after D1 went back. Where D1 is whole, it changes nothing. */
async function reconcile(real: Simulation): Promise<void> {
  if (real.timeTravel.hasGoneBack) {
    for (const instance of real.instanceIds.keys()) await reconcileInstance(real, instance);
    await real.rest();
  }
  for (const instance of real.instanceIds.keys()) {
    const {
      deployments,
      inserted,
      events,
      plans,
      instance: row,
    } = await reconcileInstance(real, instance);
    if (deployments + inserted + events + plans > 0 || row)
      throw new Broken(
        `A needless reconciliation wrote ${deployments} deployments, ${inserted} new, ${events} events, ${plans} plans, the instance: ${row}`,
      );
  }
}

async function reconcileInstance(real: Simulation, instance: number): Promise<Reconciliation> {
  const path = `/instances/${real.instanceIds[instance]}/reconcile`;
  const { status, body } = await real.ask("POST", path, undefined, { operator: true });
  if (status !== 200) throw new Broken(`${path} answered ${status}: ${JSON.stringify(body)}`);
  return body;
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
  if (started.status === 409) return { id: "", state: "REFUSED", error: started.body };
  const { id } = started.body as { id: string };
  const readOnly = operation === "drift_check";
  const { variables: given } = await readAsked(model, real, id);
  const upstream = given.upstream === undefined ? {} : { upstream: given.upstream };
  model.asks({
    id,
    instance,
    operation,
    version: operation === "destroy" ? null : version,
    program: operation === "destroy" ? null : model.program(version),
    variables: operation === "destroy" || readOnly ? {} : { ...variables, ...upstream },
  });
  await real.rest();
  const { body } = await real.ask("GET", `/deployments/${id}`);
  return body;
}

/** After any history, a deploy without faults creates exactly what the program says. */
async function deployWithoutFaults(
  instance: number,
  model: Model,
  real: Simulation,
): Promise<void> {
  const known = model.instances[instance] as Model["instances"][number];
  const program = {
    ...model.program(known.version),
    guarded: true,
    protects: false,
    failingOutput: false,
    // After other names an alias may be ambiguous, which is an error.
    names: "plain" as const,
    ...changedRepeats(model.program(known.version)),
  };
  await versionCommand(instance, program).run(model, real);
  await patchCommand(instance, { approvalMode: "auto", variables: { image: "last" } }).run(
    model,
    real,
  );
  const hadUnread = storedResources(real, instance).some(
    ({ state }) => state === "unready" || state === "deleting" || state === "lost",
  );
  let checked = await runOperation("drift_check", instance, model, real);
  for (let checks = 1; checked.state === "CANCELED" && checks < MAX_CHECKS; checks += 1)
    checked = await runOperation("drift_check", instance, model, real);
  let deployed = await runOperation("deploy", instance, model, real);
  // Read or looked for first, it turned out to be failed: the next plan replaces it, and shows that (decision 0059).
  if (hadUnread && isFailedObject(deployed.error))
    deployed = await runOperation("deploy", instance, model, real);
  if (deployed.state !== "SUCCEEDED" && deployed.state !== "NO_CHANGES")
    throw new Broken(`The last deploy ended ${deployed.state}: ${JSON.stringify(deployed.error)}`);
  const asked = model.asked.find(({ id }) => id === deployed.id);
  const stored = storedResources(real, instance);
  const ids = new Map(stored.map(({ name, id }) => [name, id]));
  const expected = expectedObjects(program, { ...defaults, ...asked?.variables });
  const storedIds = new Set(stored.map(({ id }) => id));
  const objects = cloudObjects(real).filter(({ id }) => storedIds.has(id));
  const wanted = Object.entries(expected).map(([resource, { kind, properties }]) => ({
    kind,
    resource,
    properties: withIds(properties, (one) => ids.get(one)),
  }));
  // Properties that were set outside the service and are not in the program stay.
  const found = wanted.map(({ resource, properties }) => {
    const object = objects.find(({ id }) => id === ids.get(resource));
    const shown = { ...object?.properties };
    if (model.changedMeanwhile.has(object?.id ?? "")) shown["size"] = properties["size"];
    const mentioned = Object.entries(shown).filter(([key]) => key in properties);
    return { kind: object?.kind, resource, properties: Object.fromEntries(mentioned) };
  });
  if (objects.length !== wanted.length || !isDeepStrictEqual(found, wanted))
    throw new Broken(
      `Checked (${checked.state}) and deployed, the cloud has ${JSON.stringify(objects)}, not ${JSON.stringify(wanted)}`,
    );
}

/** The object failed at the cloud, or somebody has deleted it there. */
function isFailedObject(error: unknown): boolean {
  const { code } = (error as { code?: string } | null) ?? {};
  return code === "resource_failed" || code === "vanished";
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
export async function simulate(kind: Kind, seed: number, asDrawn = false): Promise<string> {
  let trace = "";
  const untilMs = performance.now() + SHRINK_MS;
  await fc.assert(
    fc.asyncProperty(drawn(kind), async (run) => {
      // An interrupted run would continue beside the next one: so do not start it.
      if (performance.now() > untilMs) throw new fc.PreconditionFailure(true);
      trace = await runOne(run);
    }),
    { seed, numRuns: 1, endOnFailure: asDrawn, includeErrorInReport: true },
  );
  return trace;
}

/** A cloud that never finishes, and a target that allows less than it did, as commands. */
import * as fc from "fast-check";
import { storedPlaces } from "#test/support/places.ts";
import { Command, isAccepted, type Weighted } from "./command.ts";
import type { Operation } from "./model.ts";
import type { Simulation } from "./simulation.ts";
import { startCommand } from "./start-command.ts";
import { fine } from "./weather.ts";

/** After a cancel: a call in flight, a runner that dies more than once, and the sweep. Steps time out much later. */
const SOON_MS = 5 * 60_000;
const finals: ReadonlySet<string> = new Set([
  "SUCCEEDED",
  "NO_CHANGES",
  "FAILED",
  "CANCELED",
  "SUPERSEDED",
]);

/** A run of which the cloud finishes nothing any more is canceled: it ends soon, and gives its slot back. */
export function cancelStuckCommand(instance: number, operation: Operation, ms: number): Command {
  return new Command(`cancelStuck(${instance}, ${operation}, ${ms})`, async (model, real) => {
    const { weather } = real.platform;
    real.platform.weather = { ...weather, isStuck: true };
    const known = new Set(model.asked.map(({ id }) => id));
    await startCommand(instance, [operation]).run(model, real);
    const started = model.asked.find(({ id, triggered }) => !known.has(id) && triggered !== true);
    await real.pass(ms);
    if (started !== undefined) await cancelSoonEnds(started.id, real);
    real.platform.weather = weather;
  });
}

async function cancelSoonEnds(id: string, real: Simulation): Promise<void> {
  const path = `/deployments/${id}/cancel`;
  const answer = await real.ask("POST", path);
  if (!isAccepted(real, path, answer, 202)) return;
  real.platform.weather = { ...fine, isStuck: true };
  const isDisturbed = () =>
    real.keyIsMissing || real.platform.d1AwayUntilMs > real.time.nowMs || answer.withoutKey;
  if (isDisturbed()) return;
  await real.pass(SOON_MS);
  if (isDisturbed()) return;
  const [row] = real.d1.rows("SELECT state FROM deployments WHERE id = ?", [id]);
  const state = String(row?.["state"]);
  if (!finals.has(state)) real.watches.report(`${id} was canceled and is ${state} long afterwards`);
  const { gate } = real;
  const places = gate.life === undefined ? [] : storedPlaces((query) => gate.storage.rows(query));
  if (places.some((one) => one.id === id))
    real.watches.report(`${id} was canceled and keeps its place at the gate`);
}

/** The target allows another region than before, and no other. */
export function regionCommand(region: string): Command {
  return new Command(`region(${region})`, async (model, real) => {
    const path = `/cloud/targets/${real.place.targetId}`;
    const answer = await real.ask("PATCH", path, {
      allowedRegions: [region],
      defaultRegion: region,
    });
    if (isAccepted(real, path, answer, 200)) model.regions.push({ region, atMs: real.time.nowMs });
  });
}

const instance = fc.nat({ max: 1 });

export const targetCommands: Weighted = {
  cancelStuck: [
    2,
    fc
      .tuple(
        instance,
        fc.constantFrom<Operation>("deploy", "deploy", "deploy", "destroy", "drift_check"),
        fc.constantFrom(60, 400, 2_000, 10_000),
      )
      .map(([one, operation, ms]) => cancelStuckCommand(one, operation, ms)),
  ],
  region: [1, fc.constantFrom("local-1", "local-2").map(regionCommand)],
};

/**
 * `npm run reconcile -- <address> [--write]`: compares the database of an installation with every runner's state and
 * prints the differences; with `--write` the missing rows are written again. Exit code 0: nothing differs, or
 * everything was written. Deployments that nothing can write again are printed but are no difference: a nightly check
 * would never succeed again.
 */
import { setTimeout } from "node:timers/promises";
import { compareInstallation } from "./operator/compare-installation.ts";
import { printable } from "./operator/printable.ts";
import { operatorClient, runCommand } from "./operator/run-command.ts";

const USAGE =
  "Usage: OPERATOR_KEY=<operator key> npm run reconcile -- https://control.example [--write]";
/** By then, a run under way has written its progress. */
const PAUSE_MS = 2_000;

await runCommand(
  {
    usage: USAGE,
    options: { write: { type: "boolean", default: false } },
    positionals: { least: 1, most: 1 },
  },
  async ({ values: { write }, positionals: [address] }) => {
    const { instances, compared, differing, missing, failed, unheard } = await compareInstallation(
      operatorClient(address),
      { write, pause: () => setTimeout(PAUSE_MS) },
    );
    for (const { instanceId, what } of differing)
      print(`instance ${instanceId}: ${write ? "written again" : "the database lacks"} ${what}`);
    for (const { instanceId, count } of missing)
      print(
        `instance ${instanceId}: ${count} ${count === 1 ? "deployment stays" : "deployments stay"} missing: lost with the database before the runner knew more than the end.`,
      );
    for (const { instanceId, why } of failed) print(`instance ${instanceId}: not compared: ${why}`);
    for (const { deploymentId, instanceId, idleSeconds } of unheard)
      print(
        `deployment ${deploymentId} of instance ${instanceId}: open in the database, and its runner has not heard of it for ${idleSeconds} s. The sweep tells it within a minute; POST /deployments/${deploymentId}/abandon ends it.`,
      );
    print(
      `${instances} instances, ${compared} deployments compared: ${differing.length} ${write ? "written again" : "differ"}, ${missing.length} with what stays missing, ${failed.length} not compared, ${unheard.length} unheard of.`,
    );
    const isLeft = failed.length > 0 || unheard.length > 0 || (!write && differing.length > 0);
    if (!write && differing.length > 0) print("With --write they are written again.");
    return isLeft ? 1 : 0;
  },
);

/** A line with parts of an answer. */
function print(line: string): void {
  console.log(printable(line));
}

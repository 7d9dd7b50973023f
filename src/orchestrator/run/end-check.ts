import { decideChange } from "#engine/plan/decide-change.ts";
import { driftReport } from "#engine/plan/drift.ts";
import { planHash } from "#engine/plan/plan-hash.ts";
import type { Plan, ResourceChange } from "#engine/plan/steps.ts";
import { isOpen, knownObject } from "#engine/state/state.ts";
import type { StepsEnd } from "#orchestrator/steps/apply-steps.ts";
import { firstNames } from "#platform/text/first-names.ts";
import type { Ending } from "./end-run.ts";
import type { OpenRun } from "./open-run.ts";

/** The most resources that a message names. */
const MAX_NAMED = 5;

/** The ending of a drift check, with the differences found as its plan. */
export async function endOfCheck(open: OpenRun, { end, error }: StepsEnd): Promise<Ending> {
  if (end === "canceled")
    return {
      state: "CANCELED",
      message: open.run.canceling
        ? "Canceled."
        : "Canceled: another deployment of the instance is waiting.",
    };
  const { view } = await open.parts.resources();
  const program = await open.program();
  const { changes, summary } = driftReport(view, (stored) =>
    decideChange(
      { type: stored.type, options: program.declaration(stored.name)?.options ?? noOptions },
      stored,
      stored.inputs,
      program.provider.facts(stored.type),
    ),
  );
  const stateSerial = view.serial;
  const plan: Plan = { operation: "drift_check", stateSerial, summary, changes, steps: [] };
  const deployment = { summary, stateSerial, planHash: await planHash(plan) };
  const found = { before: [{ deployment }], plan };
  if (end === "failed")
    return {
      state: "FAILED",
      message: `Failed: ${error?.message ?? "a resource could not be read"}`,
      error: error ?? { code: "internal", message: "A resource could not be read." },
      ...found,
    };
  const objects = [...view.current.values()];
  const lost = objects.filter(({ state }) => state === "lost").length;
  const unended = objects.filter((one) => one.state !== "lost" && isOpen(one));
  const unread =
    lost === 0
      ? ""
      : ` ${lost === 1 ? "1 resource was" : `${lost} resources were`} not read: its create was never answered.`;
  const drifted = changes.filter(
    ({ resource }) => knownObject(view.current.get(resource))?.drift !== undefined,
  );
  if (drifted.length > 0)
    return {
      state: "SUCCEEDED",
      message: `${drifted.length} of ${changes.length} resources have drifted. ${remedy(drifted)}${unread}`,
      ...found,
    };
  const inSync =
    unended.length === 0
      ? `No drift: every resource ${lost === 0 ? "" : "that was read "}is as last applied.`
      : `No drift was found, but the last change of ${named(unended.map(({ name }) => name))} was not seen to end. A deploy makes it again.`;
  return { state: "NO_CHANGES", message: `${inSync}${unread}`, ...found };
}

const noOptions = { ignoreChanges: [], replaceOnChanges: [] };

/** The next deploy's remedy for the drift, and advice for changes that only the template can allow. */
function remedy(drifted: readonly ResourceChange[]): string {
  const stays = drifted.filter(({ action }) => action === "unchanged");
  const replaced = drifted.filter(({ action }) => action === "replace");
  const restored = drifted.length - stays.length;
  const parts = [
    ...(restored === 0
      ? []
      : [
          stays.length === 0 ? "A deploy restores them." : `A deploy restores ${restored} of them.`,
        ]),
    ...(replaced.length === 0 ? [] : [`It replaces ${named(replaced.map(nameOf))}.`]),
    ...(stays.length === 0
      ? []
      : [
          `A deploy cannot restore ${named(stays.map(nameOf))}: what differs cannot be changed in place. Name it in \`replaceOnChanges\` to replace the object, or in \`ignoreChanges\` to accept it.`,
        ]),
  ];
  return parts.join(" ");
}

const nameOf = ({ resource }: ResourceChange): string => resource;

const named = (resources: readonly string[]): string => firstNames(resources, MAX_NAMED);

import { driftReport } from "#engine/plan/drift.ts";
import { planHash } from "#engine/plan/plan-hash.ts";
import type { Plan } from "#engine/plan/steps.ts";
import { isOpen, type StoredResource } from "#engine/state/state.ts";
import type { StepsEnd } from "#orchestrator/steps/apply-steps.ts";
import type { Ending } from "./end-run.ts";
import type { OpenRun } from "./open-run.ts";

/** Resources that a message names. */
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
  const { changes, summary } = driftReport(view);
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
  const drifted = summary.update + summary.create;
  const objects = [...view.current.values()];
  const lost = objects.filter(({ lostToken }) => lostToken !== undefined).length;
  const unended = objects.filter((one) => one.lostToken === undefined && isOpen(one));
  const unread =
    lost === 0
      ? ""
      : ` ${lost === 1 ? "1 resource was" : `${lost} resources were`} not read: its create was never answered.`;
  if (drifted > 0)
    return {
      state: "SUCCEEDED",
      message: `${drifted} of ${changes.length} resources have drifted. A deploy restores them.${unread}`,
      ...found,
    };
  const inSync =
    unended.length === 0
      ? `No drift: every resource ${lost === 0 ? "" : "that was read "}is as last applied.`
      : `No drift was found, but the last change of ${named(unended)} was not seen to end. A deploy makes it again.`;
  return { state: "NO_CHANGES", message: `${inSync}${unread}`, ...found };
}

function named(resources: readonly StoredResource[]): string {
  const names = resources.slice(0, MAX_NAMED).map(({ name }) => name);
  const more = resources.length - names.length;
  return more === 0 ? names.join(", ") : `${names.join(", ")} and ${more} more`;
}

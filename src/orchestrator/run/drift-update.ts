import { driftReport } from "#engine/plan/drift.ts";
import { type InstanceState, isOpen } from "#engine/state/state.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { canonicalJson, type Json } from "#platform/json.ts";
import type { DriftStatus } from "#schema/instances.ts";

/** Maximum drifted resources named in an event; the plan of the drift check lists all of them. */
const MAX_NAMED = 50;

export interface DriftUpdate {
  status: DriftStatus;
  /** Digest of the drifted resources and their differences; empty: none. */
  findings: string;
  event?: { type: "instance.drift_detected" | "instance.drift_resolved"; resources: string[] };
}

/**
 * The change of the instance's drift at the end of a run. `previous`: the findings of the last update. `complete`: the
 * run covered every resource. If it did not, or a change was not seen to end, a run without drift means unknown, not in
 * sync.
 */
export async function driftUpdate(
  state: InstanceState,
  previous: string,
  complete: boolean,
): Promise<DriftUpdate> {
  const drifted = driftReport(state).changes.filter(({ action }) => action !== "unchanged");
  const isKnown = complete && ![...state.current.values()].some(isOpen);
  const resources = drifted.slice(0, MAX_NAMED).map(({ resource }) => resource);
  if (drifted.length === 0)
    return isKnown
      ? {
          status: "IN_SYNC",
          findings: "",
          ...(previous === "" ? {} : { event: { type: "instance.drift_resolved", resources } }),
        }
      : { status: "UNKNOWN", findings: previous };
  const findings = await digestHex(canonicalJson(drifted as unknown as Json));
  return {
    status: "DRIFTED",
    findings,
    ...(findings === previous ? {} : { event: { type: "instance.drift_detected", resources } }),
  };
}

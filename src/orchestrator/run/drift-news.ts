import { driftReport } from "#engine/plan/drift.ts";
import type { InstanceState } from "#engine/state/state.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { canonicalJson, type Json } from "#platform/json.ts";
import type { DriftStatus } from "#schema/instances.ts";

/** An event names so many drifted resources at most; the check's plan has them all. */
const MAX_NAMED = 50;

export interface DriftNews {
  status: DriftStatus;
  /** What is drifted and how, as one text to compare; empty: nothing. */
  findings: string;
  event?: { type: "instance.drift_detected" | "instance.drift_resolved"; resources: string[] };
}

/**
 * What the end of a run means for the instance's drift. `known`: the findings that were told last. `sure`: the
 * run has seen to every resource; else what was not found is unknown, not gone.
 */
export async function driftNews(
  state: InstanceState,
  known: string,
  sure: boolean,
): Promise<DriftNews> {
  const drifted = driftReport(state).changes.filter(({ action }) => action !== "unchanged");
  const resources = drifted.slice(0, MAX_NAMED).map(({ resource }) => resource);
  if (drifted.length === 0)
    return sure
      ? {
          status: "IN_SYNC",
          findings: "",
          ...(known === "" ? {} : { event: { type: "instance.drift_resolved", resources } }),
        }
      : { status: "UNKNOWN", findings: known };
  const findings = await digestHex(canonicalJson(drifted as unknown as Json));
  return {
    status: "DRIFTED",
    findings,
    ...(findings === known ? {} : { event: { type: "instance.drift_detected", resources } }),
  };
}

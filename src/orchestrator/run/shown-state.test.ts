import { expect, it } from "vitest";
import type { DeploymentOperation, DeploymentState } from "#schema/lists/deployment-states.ts";
import type { RunPhase } from "#schema/lists/run-phases.ts";
import { shownState } from "./shown-state.ts";

type Row = [RunPhase, boolean, boolean, DeploymentOperation, DeploymentState];

it.for<Row>([
  ["waiting", false, false, "deploy", "QUEUED"],
  ["gate", false, false, "deploy", "QUEUED"],
  ["gate", false, true, "deploy", "APPLYING"],
  ["planning", false, false, "deploy", "PLANNING"],
  ["planning", false, false, "plan", "PLANNING"],
  ["planning", false, false, "drift_check", "PLANNING"],
  ["parked", false, false, "destroy", "AWAITING_APPROVAL"],
  ["applying", false, false, "deploy", "APPLYING"],
  ["applying", false, true, "destroy", "APPLYING"],
  ["applying", false, false, "rollback", "APPLYING"],
  ["applying", false, false, "drift_check", "PLANNING"],
  ["gate", true, true, "deploy", "CANCELING"],
  ["planning", true, false, "deploy", "CANCELING"],
  ["parked", true, false, "deploy", "CANCELING"],
  ["applying", true, true, "deploy", "CANCELING"],
  ["applying", true, false, "drift_check", "CANCELING"],
])(
  "in %s, canceling %s, approved %s, a %s is %s",
  ([phase, canceling, approved, operation, state]) => {
    expect(shownState({ phase, canceling, approved }, operation)).toBe(state);
  },
);

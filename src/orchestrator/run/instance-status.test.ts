import { describe, expect, it } from "vitest";
import type { InstanceStatus } from "#schema/instances.ts";
import type { DeploymentOperation, DeploymentState } from "#schema/lists/deployment-states.ts";
import { statusAfter, statusWhileApplying } from "./instance-status.ts";

const worked: InstanceStatus[] = ["ACTIVE", "UPDATING", "DEGRADED", "DESTROYING", "DESTROY_FAILED"];
const neverWorked: InstanceStatus[] = ["INITIALIZED", "PROVISIONING", "FAILED", "DESTROYED"];
const all = [...worked, ...neverWorked];

describe("the state of an instance", () => {
  it.for(all)("while a run applies, which found it %s", (before) => {
    const changing = neverWorked.includes(before) ? "PROVISIONING" : "UPDATING";
    expect(statusWhileApplying("deploy", before)).toBe(changing);
    expect(statusWhileApplying("rollback", before)).toBe(changing);
    expect(statusWhileApplying("destroy", before)).toBe("DESTROYING");
  });

  type Row = [DeploymentOperation, DeploymentState, InstanceStatus, InstanceStatus];
  it.for<Row>([
    ["deploy", "SUCCEEDED", "ACTIVE", "ACTIVE"],
    ["deploy", "NO_CHANGES", "ACTIVE", "ACTIVE"],
    ["deploy", "FAILED", "DEGRADED", "FAILED"],
    ["deploy", "CANCELED", "DEGRADED", "FAILED"],
    ["rollback", "SUCCEEDED", "ACTIVE", "ACTIVE"],
    ["rollback", "FAILED", "DEGRADED", "FAILED"],
    ["rollback", "CANCELED", "DEGRADED", "FAILED"],
    ["destroy", "SUCCEEDED", "DESTROYED", "DESTROYED"],
    ["destroy", "NO_CHANGES", "DESTROYED", "DESTROYED"],
    ["destroy", "FAILED", "DESTROY_FAILED", "DESTROY_FAILED"],
    ["destroy", "CANCELED", "DEGRADED", "DEGRADED"],
  ])(
    "after a %s that is %s is %s, and %s if it never worked",
    ([operation, final, once, never]) => {
      for (const before of worked) expect(statusAfter(operation, before, final, true)).toBe(once);
      for (const before of neverWorked)
        expect(statusAfter(operation, before, final, true)).toBe(never);
    },
  );

  it.for(["FAILED", "CANCELED"] as const)(
    "stays after a run that is %s and touched nothing",
    (final) => {
      for (const operation of ["deploy", "rollback", "destroy"] as const)
        for (const before of all) expect(statusAfter(operation, before, final, false)).toBe(before);
    },
  );
});

import type * as z from "zod";
import { timestampOrNull } from "#http/schemas.ts";
import { maskMap } from "#platform/crypto/sealed-map.ts";
import { tenantIdView } from "#platform/ids.ts";
import { timestamp } from "#platform/timestamp.ts";
import type { InstanceSummary, InstanceView } from "./contract.ts";
import type { Included } from "./include.ts";
import { availableVersion, type TaggedInstance } from "./instance-tag.ts";
import type { InstanceRow, ListedInstance } from "./store.ts";

export function instanceView(
  row: (InstanceRow | TaggedInstance) & { included?: Included },
): z.input<typeof InstanceView> {
  return {
    ...sharedView(row),
    variables: maskMap(row.variables),
    outputs: row.outputs,
  };
}

export function listedView(
  row: ListedInstance & { included?: Included },
): z.input<typeof InstanceSummary> {
  return { ...sharedView(row), outputNames: [...row.outputNames] };
}

/** The fields that lists and single instances share. */
function sharedView(
  row: Omit<ListedInstance | TaggedInstance, "outputNames"> & { included?: Included },
): Omit<z.input<typeof InstanceSummary>, "outputNames"> {
  return {
    id: row.id,
    tenantId: tenantIdView(row.tenantId),
    name: row.name,
    labels: row.labels,
    templateId: row.templateId,
    templateVersion: row.templateVersion,
    availableVersion: availableVersion(row),
    targetId: row.targetId,
    profileId: row.profileId,
    bindings: row.bindings,
    approvalMode: row.approvalMode,
    protectedFromDestroy: row.protectedFromDestroy,
    expiresAt: timestampOrNull(row.expiresAtMs),
    state: row.state,
    drift: row.drift,
    outputsStaleSince: timestampOrNull(row.outputsStaleSinceMs),
    stateSerial: row.stateSerial,
    lastDeploymentId: row.lastDeploymentId,
    ...row.included,
    createdAt: timestamp(row.createdAtMs),
    updatedAt: timestamp(row.updatedAtMs),
  };
}

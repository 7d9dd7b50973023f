/** The objects that an answer about an instance can include, so that a client needs no further request. */
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type * as z from "zod";
import { findTargetsIn, getTargetEndpoint, targetView } from "#areas/cloud-targets/public.ts";
import {
  type DeploymentRow,
  deploymentView,
  findDeploymentsIn,
  readAccess,
} from "#areas/deployment-records/public.ts";
import { findTemplatesIn, getTemplateEndpoint, templateView } from "#areas/templates/public.ts";
import { type Access, authorize } from "#kernel/access/access.ts";
import type { Call } from "#kernel/call/call.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import type { CloudTarget } from "#schema/cloud-targets.ts";
import { instances } from "#schema/instances.ts";
import type { Template } from "#schema/templates.ts";
import type { InstanceView } from "./contract.ts";
import type { ListedInstance } from "./store.ts";

export type InstanceInclusion = "deployment" | "target" | "template";

/** The views of one instance's included objects; null: there is no such object. */
export type Included = Pick<z.input<typeof InstanceView>, InstanceInclusion>;

/** A caller without the right to read an object may not read it as a part of another one. */
const accessTo: Readonly<Record<InstanceInclusion, Access>> = {
  deployment: readAccess,
  target: getTargetEndpoint.access,
  template: getTemplateEndpoint.access,
};

/** Throws `forbidden`, naming the scope, unless the caller may read each included object by itself. */
export function authorizeIncluded(call: Call, include: readonly InstanceInclusion[]): void {
  for (const name of include) authorize(call.actor, accessTo[name]);
}

/**
 * The statements that find the included objects, for the same round trip as the instances. `of`: a subquery of a column
 * of those instances.
 */
export function findIncluded(
  call: Call,
  include: readonly InstanceInclusion[],
  of: (column: SQLiteColumn) => SQL,
) {
  const idsOf = (name: InstanceInclusion, column: SQLiteColumn): SQL =>
    include.includes(name) ? of(column) : sql`(SELECT NULL)`;
  return [
    findDeploymentsIn(call, idsOf("deployment", instances.lastDeploymentId)),
    findTargetsIn(call, idsOf("target", instances.targetId)),
    findTemplatesIn(call, idsOf("template", instances.templateId)),
  ] as const;
}

type Found = readonly [readonly DeploymentRow[], readonly CloudTarget[], readonly Template[]];

/** The included objects of one instance, as their own endpoints show them to this caller. */
export function includedIn(
  call: Call,
  instance: Omit<ListedInstance, "outputNames">,
  include: readonly InstanceInclusion[],
  [deployments, targets, templates]: Found,
): Included {
  const views = {
    deployment: () =>
      viewOf(deployments, instance.lastDeploymentId, (row) => deploymentView(row, call)),
    target: () => viewOf(targets, instance.targetId, (target) => targetView(target, call)),
    template: () => viewOf(templates, instance.templateId, templateView),
  };
  return Object.fromEntries(include.map((name) => [name, views[name]()]));
}

function viewOf<R extends { id: string }, V>(
  rows: readonly R[],
  id: string | null,
  view: (row: R) => V,
): V | null {
  const found = rows.find((row) => row.id === id);
  return found === undefined ? null : view(found);
}

/** The version that an ETag shows for an answer with included objects: they change without the object itself. */
export async function versionWith(version: string, included: object): Promise<string> {
  return `${version}-${(await digestHex(JSON.stringify(included))).slice(0, 32)}`;
}

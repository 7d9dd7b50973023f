import type * as z from "zod";
import { route } from "#http/route.ts";
import { timestampOrNull } from "#http/schemas.ts";
import type { Call } from "#kernel/call/call.ts";
import { tenantIdView } from "#platform/ids.ts";
import { timestamp } from "#platform/timestamp.ts";
import type { CloudTarget } from "#schema/cloud-targets.ts";
import {
  createTargetEndpoint,
  deleteTargetEndpoint,
  getTargetEndpoint,
  listProvidersEndpoint,
  listTargetsEndpoint,
  type TargetView,
  updateTargetEndpoint,
  verifyTargetEndpoint,
} from "./contract.ts";
import { createTarget } from "./create-target.ts";
import { deleteTarget } from "./delete-target.ts";
import { listProviders } from "./list-providers.ts";
import { getTarget, listTargets } from "./read-targets.ts";
import { updateTarget } from "./update-target.ts";
import { verifyTarget } from "./verify-target.ts";

export const cloudTargetRoutes = [
  route(createTargetEndpoint, (call, { body }) => createTarget(call, body), targetView),
  route(
    listTargetsEndpoint,
    (call, { query }) => listTargets(call, query, (target) => targetView(target, call)),
    (page) => page,
  ),
  route(getTargetEndpoint, (call, { params }) => getTarget(call, params.id), targetView),
  route(
    updateTargetEndpoint,
    (call, { params, body }) => updateTarget(call, params.id, body),
    targetView,
  ),
  route(deleteTargetEndpoint, (call, { params }) => deleteTarget(call, params.id)),
  route(
    verifyTargetEndpoint,
    (call, { params }) => verifyTarget(call, params.id),
    ({ ok, message, atMs }) => ({ ok, message, verifiedAt: timestamp(atMs) }),
  ),
  route(listProvidersEndpoint, listProviders, (data) => ({ data, nextCursor: null })),
];

/** Tenants see that a platform target exists and what it is for, but not its config and credential reference. */
function targetView(target: CloudTarget, call: Call): z.input<typeof TargetView> {
  const whole = call.isOf(target.tenantId);
  return {
    id: target.id,
    tenantId: tenantIdView(target.tenantId),
    provider: target.provider,
    name: target.name,
    labels: target.labels,
    environment: target.environment,
    config: whole ? target.config : null,
    credentialRef: whole ? target.credentialRef : null,
    allowedRegions: [...target.allowedRegions],
    defaultRegion: target.defaultRegion,
    maxConcurrentDeployments: target.maxConcurrentDeployments,
    verification: target.verification,
    verifiedAt: timestampOrNull(target.verifiedAtMs),
    createdAt: timestamp(target.createdAtMs),
    updatedAt: timestamp(target.updatedAtMs),
  };
}

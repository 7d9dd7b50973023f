import { route } from "#http/route.ts";
import { timestamp } from "#platform/timestamp.ts";
import {
  createTargetEndpoint,
  deleteTargetEndpoint,
  getTargetEndpoint,
  listProvidersEndpoint,
  listProviderTypesEndpoint,
  listTargetsEndpoint,
  updateTargetEndpoint,
  verifyTargetEndpoint,
} from "./contract.ts";
import { createTarget } from "./create-target.ts";
import { deleteTarget } from "./delete-target.ts";
import { listProviderTypes } from "./list-provider-types.ts";
import { listProviders } from "./list-providers.ts";
import { getTarget, listTargets } from "./read-targets.ts";
import { tagged } from "./target-identity.ts";
import { targetView } from "./target-view.ts";
import { updateTarget } from "./update-target.ts";
import { verifyTarget } from "./verify-target.ts";

export const cloudTargetRoutes = [
  route(createTargetEndpoint, (call, { body }) => createTarget(call, body), targetView),
  route(
    listTargetsEndpoint,
    (call, { query }) => listTargets(call, query, (target) => targetView(target, call)),
    (page) => page,
  ),
  route(
    getTargetEndpoint,
    async (call, { params }) => tagged(await getTarget(call, params.id), call.env),
    targetView,
  ),
  route(
    updateTargetEndpoint,
    (call, { params, body }) => updateTarget(call, params.id, body),
    targetView,
  ),
  route(deleteTargetEndpoint, (call, { params }) => deleteTarget(call, params.id)),
  route(
    verifyTargetEndpoint,
    (call, { params, body }) => verifyTarget(call, params.id, body),
    ({ atMs, needs, ...found }) => ({
      ...found,
      lacks: needs?.lacks ?? null,
      unread: needs?.unread ?? null,
      verifiedAt: timestamp(atMs),
    }),
  ),
  route(listProvidersEndpoint, listProviders, (data) => ({ data, nextCursor: null })),
  route(
    listProviderTypesEndpoint,
    (call, { params, query }) => listProviderTypes(call, params.provider, query),
    (page) => page,
  ),
];

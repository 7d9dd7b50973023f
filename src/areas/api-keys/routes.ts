import type * as z from "zod";
import { route } from "#http/route.ts";
import { timestampOrNull } from "#http/schemas.ts";
import type { Call } from "#kernel/call/call.ts";
import { tenantIdView } from "#platform/ids.ts";
import { timestamp } from "#platform/timestamp.ts";
import {
  type ApiKeyView,
  createApiKeyEndpoint,
  getApiKeyEndpoint,
  listApiKeysEndpoint,
  listMyApiKeysEndpoint,
  revokeApiKeyEndpoint,
  rotateApiKeyEndpoint,
  updateApiKeyEndpoint,
} from "./contract.ts";
import { createApiKey } from "./create-api-key.ts";
import { getApiKey, listApiKeys, listMyApiKeys } from "./read-api-keys.ts";
import { revokeApiKey } from "./revoke-api-key.ts";
import { rotateApiKey } from "./rotate-api-key.ts";
import type { ShownKey } from "./store.ts";
import { updateApiKey } from "./update-api-key.ts";

export const apiKeyRoutes = [
  route(
    createApiKeyEndpoint,
    (call, { body }) => createApiKey(call, body),
    (created, call) => ({ ...apiKeyView(created, call), key: created.key }),
  ),
  route(
    listApiKeysEndpoint,
    (call, { query }) => listApiKeys(call, query, (key) => apiKeyView(key, call)),
    (page) => page,
  ),
  route(
    listMyApiKeysEndpoint,
    (call, { query }) => listMyApiKeys(call, query, (key) => apiKeyView(key, call)),
    (page) => page,
  ),
  route(getApiKeyEndpoint, (call, { params }) => getApiKey(call, params.id), apiKeyView),
  route(
    updateApiKeyEndpoint,
    (call, { params, body }) => updateApiKey(call, params.id, body),
    apiKeyView,
  ),
  route(
    rotateApiKeyEndpoint,
    (call, { params, query }) => rotateApiKey(call, params.id, query.overlapSeconds),
    (rotated, call) => ({ ...apiKeyView(rotated, call), key: rotated.key }),
  ),
  route(revokeApiKeyEndpoint, (call, { params }) => revokeApiKey(call, params.id)),
];

function apiKeyView(key: ShownKey, call: Call): z.input<typeof ApiKeyView> {
  return {
    id: key.id,
    tenantId: tenantIdView(key.tenantId),
    name: key.name,
    prefix: key.prefix,
    scopes: [...key.scopes],
    creatorUserId: key.creatorUserId,
    creatorKeyId: key.ancestors[0]?.[0] ?? null,
    endedByKeyId: key.endedByKeyId,
    expiresAt: timestampOrNull(key.expiresAtMs),
    previousKeyExpiresAt: timestampOrNull(
      (key.previousExpiresAtMs ?? 0) > call.now ? key.previousExpiresAtMs : null,
    ),
    lastUsedAt: timestampOrNull(key.lastUsedAtMs),
    revokedAt: timestampOrNull(key.revokedAtMs),
    createdAt: timestamp(key.createdAtMs),
    updatedAt: timestamp(key.updatedAtMs),
  };
}

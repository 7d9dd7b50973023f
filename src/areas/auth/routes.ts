import type * as z from "zod";
import { tenantIdView } from "#platform/ids.ts";
import { route } from "#platform/http/router.ts";
import { timestamp, timestampOrNull } from "#platform/http/schemas.ts";
import {
  type ApiKeyView,
  createApiKeyEndpoint,
  getApiKeyEndpoint,
  listApiKeysEndpoint,
  revokeApiKeyEndpoint,
} from "./contract.ts";
import { createApiKey } from "./create-api-key.ts";
import { getApiKey, listApiKeys } from "./read-api-keys.ts";
import { revokeApiKey } from "./revoke-api-key.ts";
import type { ApiKey } from "./store.ts";

export const authRoutes = [
  route(
    createApiKeyEndpoint,
    (call, { body }) => createApiKey(call, body),
    (created) => ({ ...apiKeyView(created), key: created.key }),
  ),
  route(
    listApiKeysEndpoint,
    (call, { query }) => listApiKeys(call, query, apiKeyView),
    (page) => page,
  ),
  route(getApiKeyEndpoint, (call, { params }) => getApiKey(call, params.id), apiKeyView),
  route(revokeApiKeyEndpoint, (call, { params }) => revokeApiKey(call, params.id)),
];

function apiKeyView(key: ApiKey): z.input<typeof ApiKeyView> {
  return {
    id: key.id,
    tenantId: tenantIdView(key.tenantId),
    name: key.name,
    prefix: key.prefix,
    scopes: [...key.scopes],
    expiresAt: timestampOrNull(key.expiresAtMs),
    lastUsedAt: timestampOrNull(key.lastUsedAtMs),
    revokedAt: timestampOrNull(key.revokedAtMs),
    createdAt: timestamp(key.createdAtMs),
    updatedAt: timestamp(key.updatedAtMs),
  };
}

import * as z from "zod";
import { type Scope, scopes } from "#platform/access.ts";
import { endpoint } from "#platform/http/endpoint.ts";
import { pageOf, pageQuery } from "#platform/http/page.ts";
import { IdParams, Instant, TenantIdField, Timestamp } from "#platform/http/schemas.ts";

const tag = "Authentication";

export const CreateApiKeyBody = z.object({
  name: z.string().min(1).max(80),
  scopes: z
    .array(z.enum(scopes as [Scope, ...Scope[]]))
    .min(1)
    .max(50),
  expiresAt: Instant.optional(),
  tenantId: TenantIdField,
});

export const ApiKeyView = z.object({
  id: z.uuid(),
  tenantId: z.uuid().nullable(),
  name: z.string(),
  prefix: z.string().describe("The beginning of the key, to recognise it by."),
  scopes: z.array(z.string()),
  expiresAt: Timestamp.nullable(),
  lastUsedAt: Timestamp.nullable(),
  revokedAt: Timestamp.nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

export const NewApiKeyView = ApiKeyView.extend({
  key: z.string().describe("The key itself. It is shown this once."),
});

export const createApiKeyEndpoint = endpoint({
  method: "POST",
  path: "/api-keys",
  operationId: "createApiKey",
  tag,
  summary: "Create an API key",
  description: "Nobody gives more than they have: the scopes must be among the caller's own.",
  access: { role: "CustomerAdmin", scope: "api_keys:write" },
  body: CreateApiKeyBody,
  answer: { status: 201, description: "The key, shown this once.", schema: NewApiKeyView },
  secretAnswer: true,
  location: "/api-keys/{id}",
  etag: true,
});

export const listApiKeysEndpoint = endpoint({
  method: "GET",
  path: "/api-keys",
  operationId: "listApiKeys",
  tag,
  summary: "List API keys",
  access: { role: "CustomerAdmin", scope: "api_keys:read" },
  query: z.object({ ...pageQuery, tenantId: TenantIdField }),
  answer: { status: 200, description: "Newest first.", schema: pageOf(ApiKeyView) },
  problems: ["invalid_cursor"],
});

export const getApiKeyEndpoint = endpoint({
  method: "GET",
  path: "/api-keys/{id}",
  operationId: "getApiKey",
  tag,
  summary: "Read an API key",
  access: { role: "CustomerAdmin", scope: "api_keys:read" },
  params: IdParams,
  answer: { status: 200, description: "The key, without its secret.", schema: ApiKeyView },
  etag: true,
});

export const revokeApiKeyEndpoint = endpoint({
  method: "DELETE",
  path: "/api-keys/{id}",
  operationId: "revokeApiKey",
  tag,
  summary: "Revoke an API key",
  description: "Takes effect at once for changes, within ten seconds for reads.",
  access: { role: "CustomerAdmin", scope: "api_keys:write" },
  params: IdParams,
  answer: { status: 204, description: "Revoked." },
});

import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { pageOf, pageQuery } from "#http/page.ts";
import { IdParams, Instant, TenantIdField, Timestamp } from "#http/schemas.ts";
import { type Scope, scopes } from "#schema/roles.ts";

const tag = "Authentication";

const Name = z.string().min(1).max(80);
const Scopes = z
  .array(z.enum(scopes as [Scope, ...Scope[]]))
  .min(1)
  .max(50);

export const CreateApiKeyBody = z.object({
  name: Name,
  scopes: Scopes,
  expiresAt: Instant.optional(),
  tenantId: TenantIdField,
});

export const UpdateApiKeyBody = z.object({
  name: Name.optional(),
  scopes: Scopes.optional(),
  expiresAt: Instant.nullable().optional().describe("Null: it does not expire."),
});

export const ApiKeyView = z.object({
  id: z.uuid(),
  tenantId: z.uuid().nullable(),
  name: z.string(),
  prefix: z.string().describe("The beginning of the key, to recognise it by."),
  scopes: z.array(z.string()),
  creatorUserId: z
    .uuid()
    .nullable()
    .describe(
      "Whose role in the tenant bounds what the key may do. Null: an operator made it, with an owner's rights.",
    ),
  expiresAt: Timestamp.nullable(),
  previousKeyExpiresAt: Timestamp.nullable().describe(
    "Until then the key before the last rotation works too.",
  ),
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
  description:
    "Nobody gives more than they have: the scopes must be among the caller's own, and the role that bounds the key is the caller's.",
  access: { role: "CustomerAdmin", scope: "api_keys:write" },
  body: CreateApiKeyBody,
  exampleBody: { name: "deployer", scopes: ["instances:write", "deployments:read"] },
  answer: { status: 201, description: "The key, shown this once.", schema: NewApiKeyView },
  secretAnswer: true,
  location: "/api-keys/{id}",
  etag: true,
  problems: ["quota_exceeded"],
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

export const updateApiKeyEndpoint = endpoint({
  method: "PATCH",
  path: "/api-keys/{id}",
  operationId: "updateApiKey",
  tag,
  summary: "Update an API key",
  description:
    "Replaces the fields that are named. Only for who has all that the key has, before and after.",
  access: { role: "CustomerAdmin", scope: "api_keys:write" },
  params: IdParams,
  body: UpdateApiKeyBody,
  answer: { status: 200, description: "The key, without its secret.", schema: ApiKeyView },
  etag: true,
  problems: ["invalid_state", "conflict", "precondition_failed"],
});

/** Digits, and not any number: an empty value must not count as 0, which ends the old key at once. */
const OverlapSeconds = z
  .string()
  .regex(/^\d{1,6}$/, "A whole number of seconds.")
  .transform(Number)
  .pipe(z.number().max(604_800))
  .optional()
  .meta({
    type: "integer",
    minimum: 0,
    maximum: 604_800,
    default: 86_400,
    description: "How long the key before goes on working. 0, for a leak: it ends at once.",
  });

export const rotateApiKeyEndpoint = endpoint({
  method: "POST",
  path: "/api-keys/{id}/rotate",
  operationId: "rotateApiKey",
  tag,
  summary: "Rotate an API key",
  description:
    "The key keeps its id and rights and gets a new secret. The one before goes on working until the overlap ends; an earlier one that still worked ends now. Only for who has all that the key has.",
  access: { role: "CustomerAdmin", scope: "api_keys:write" },
  params: IdParams,
  query: z.object({ overlapSeconds: OverlapSeconds }),
  answer: { status: 200, description: "The new key, shown this once.", schema: NewApiKeyView },
  secretAnswer: true,
  etag: true,
  problems: ["invalid_state", "conflict", "precondition_failed"],
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

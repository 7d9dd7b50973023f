import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { createdFilters, listFilters, sortBy } from "#http/lists/list-query.ts";
import { pageOf, pageQuery } from "#http/lists/page.ts";
import {
  CreatedAt,
  Id,
  IdParams,
  Instant,
  oneLine,
  overlapSeconds,
  TenantFilter,
  TenantIdField,
  Timestamp,
  UpdatedAt,
} from "#http/schemas.ts";
import { prose } from "#platform/prose.ts";
import { type Scope, scopes } from "#schema/lists/roles.ts";

const tag = "Authentication";

const Name = oneLine(1, 80).describe(prose("For people; need not be unique."));
const Scopes = z
  .array(z.enum(scopes as [Scope, ...Scope[]]))
  .min(1)
  .max(50)
  .describe(prose("The key's rights, for example `instances:read`."));
export const CreateApiKeyBody = z.object({
  name: Name,
  scopes: Scopes,
  expiresAt: Instant.optional().describe(
    prose("When the key expires. Default: with the key that creates it; in a session, never."),
  ),
  tenantId: TenantIdField,
});

export const UpdateApiKeyBody = z.object({
  name: Name.optional(),
  scopes: Scopes.optional(),
  expiresAt: Instant.nullable().optional().describe(prose("When the key expires. Null: never.")),
});

export const ApiKeyView = z.object({
  id: Id,
  tenantId: z.uuid().nullable().describe(prose("Null: a platform key, for operators.")),
  name: z.string().describe(prose("For people; need not be unique.")),
  prefix: z.string().describe(prose("The first characters of the key, to recognize it.")),
  scopes: z.array(z.string()).describe(prose("The key's rights, for example `instances:read`.")),
  creatorUserId: z
    .uuid()
    .nullable()
    .describe(
      prose(
        "The user who created the key; the key never has more rights than this user's current role. Null: created by an operator, with the rights of an owner.",
      ),
    ),
  creatorKeyId: z
    .uuid()
    .nullable()
    .describe(
      prose(
        "The key that created this one, which works only as long as that key does. Null: a person created it in a session, or the installation's operator.",
      ),
    ),
  endedByKeyId: z
    .uuid()
    .nullable()
    .describe(
      prose(
        "A key that this one descends from and that has ended: it was revoked, has expired, or was rotated without an overlap. The key does not work. Null: there is none.",
      ),
    ),
  expiresAt: Timestamp.nullable().describe(prose("Null: the key does not expire.")),
  previousKeyExpiresAt: Timestamp.nullable().describe(
    prose("Until then, the key from before the last rotation also works. Null: it does not."),
  ),
  lastUsedAt: Timestamp.nullable().describe(prose("Null: the key was never used.")),
  revokedAt: Timestamp.nullable().describe(prose("Null: the key is not revoked.")),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});

export const NewApiKeyView = ApiKeyView.extend({
  key: z
    .string()
    .describe(
      prose("The secret key, for `Authorization: Bearer`. It is shown only once: store it now."),
    ),
});

export const createApiKeyEndpoint = endpoint({
  method: "POST",
  path: "/api-keys",
  operationId: "createApiKey",
  tag,
  summary: prose("Create an API key"),
  description: prose(
    "The scopes must be among the caller's own, and the key never has more rights than its creator's role. A key that a key creates expires no later, and ends when that one is revoked, expires or is rotated without an overlap.",
  ),
  access: { role: "CustomerAdmin", scope: "api_keys:write" },
  body: CreateApiKeyBody,
  exampleBody: { name: "deployer", scopes: ["instances:write", "deployments:read"] },
  answer: {
    status: 201,
    description: prose("The key object with the secret key, which is shown only once."),
    schema: NewApiKeyView,
  },
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
  summary: prose("List API keys"),
  access: { role: "CustomerAdmin", scope: "api_keys:read" },
  query: z.object({
    ...pageQuery,
    tenantId: TenantFilter,
    name: listFilters.name,
    q: listFilters.q,
    ...createdFilters,
    sort: sortBy("createdAt", "updatedAt", "name"),
  }),
  answer: {
    status: 200,
    description: prose("A page of API keys."),
    schema: pageOf(ApiKeyView),
  },
  problems: ["invalid_cursor"],
});

export const listMyApiKeysEndpoint = endpoint({
  method: "GET",
  path: "/auth/api-keys",
  operationId: "listMyApiKeys",
  tag,
  summary: prose("List your API keys"),
  description: prose(
    "The keys that you created and that work, in every tenant, whatever your role there.",
  ),
  access: { role: "session" },
  query: z.object(pageQuery),
  answer: {
    status: 200,
    description: prose("A page of API keys, newest first."),
    schema: pageOf(ApiKeyView),
  },
  problems: ["invalid_cursor"],
});

export const getApiKeyEndpoint = endpoint({
  method: "GET",
  path: "/api-keys/{id}",
  operationId: "getApiKey",
  tag,
  summary: prose("Read an API key"),
  access: { role: "CustomerAdmin", scope: "api_keys:read" },
  params: IdParams,
  answer: {
    status: 200,
    description: prose("The key object, without the secret key."),
    schema: ApiKeyView,
  },
  etag: true,
});

export const updateApiKeyEndpoint = endpoint({
  method: "PATCH",
  path: "/api-keys/{id}",
  operationId: "updateApiKey",
  tag,
  summary: prose("Update an API key"),
  description: prose(
    "Replaces the fields in the body. The caller needs all scopes and the role of the key, before and after the change. A key may give more scopes or time only to itself and to keys that it created, and no time beyond its own expiry.",
  ),
  access: { role: "CustomerAdmin", scope: "api_keys:write" },
  params: IdParams,
  body: UpdateApiKeyBody,
  answer: {
    status: 200,
    description: prose("The key object, without the secret key."),
    schema: ApiKeyView,
  },
  etag: true,
  problems: ["invalid_state", "conflict", "precondition_failed"],
});

export const rotateApiKeyEndpoint = endpoint({
  method: "POST",
  path: "/api-keys/{id}/rotate",
  operationId: "rotateApiKey",
  shows: "/api-keys/{id}",
  tag,
  summary: prose("Rotate an API key"),
  description: prose(
    "Replaces the secret key; id, rights and expiry stay. Only the person who created the key gets its secret: in a session, with the key itself, or with a key that created it. The previous key works until the overlap ends; any earlier one stops working now. With an overlap of 0, the keys and invitations that the key made end too. The caller needs all scopes and the role of the key.",
  ),
  access: { role: "CustomerAdmin", scope: "api_keys:write" },
  params: IdParams,
  query: z.object({
    overlapSeconds: overlapSeconds(
      "Seconds for which the previous key keeps working (maximum: 7 days). 0 ends it at once, for a leaked key.",
    ),
  }),
  answer: {
    status: 200,
    description: prose("The key object with the new secret key, which is shown only once."),
    schema: NewApiKeyView,
  },
  secretAnswer: true,
  etag: true,
  problems: ["invalid_state", "conflict", "precondition_failed"],
});

export const revokeApiKeyEndpoint = endpoint({
  method: "DELETE",
  path: "/api-keys/{id}",
  operationId: "revokeApiKey",
  tag,
  summary: prose("Revoke an API key"),
  description: prose(
    "Changes are refused at once, reads within ten seconds. The keys and invitations that the key made end. As for a change or a rotation, the caller needs all rights of the key: an admin cannot revoke an owner's. Members of every role may revoke the keys that they created, in a session.",
  ),
  access: { role: "CustomerAdmin", scope: "api_keys:write", orSelf: true },
  params: IdParams,
  answer: { status: 204, description: prose("The key is revoked.") },
});

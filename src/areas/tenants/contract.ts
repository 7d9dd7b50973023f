import * as z from "zod";
import { endpoint } from "#platform/http/endpoint.ts";
import { FreeMap, PathId, Timestamp } from "#platform/http/schemas.ts";

const tag = "Tenants";

/** Slugs that would read as the service's own. */
export const reservedSlugs: ReadonlySet<string> = new Set([
  "admin",
  "api",
  "control",
  "docs",
  "health",
  "login",
  "platform",
  "status",
  "system",
]);

export const CreateTenantBody = z.object({
  name: z.string().min(2).max(80),
  slug: z.string().regex(/^[a-z][a-z0-9-]{1,40}$/, "A letter, then 1 to 40 of a-z, 0-9 and -."),
  limits: FreeMap.default({}),
  allowedEmailDomains: z.array(z.string().max(253)).max(100).default([]),
});

export const TenantView = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  limits: FreeMap,
  allowedEmailDomains: z.array(z.string()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

export const createTenantEndpoint = endpoint({
  method: "POST",
  path: "/tenants",
  operationId: "createTenant",
  tag,
  summary: "Create a tenant",
  access: { role: "operator", scope: "tenants:write" },
  body: CreateTenantBody,
  answer: { status: 201, description: "The tenant.", schema: TenantView },
  location: "/tenants/{id}",
  etag: true,
  problems: ["slug_taken"],
});

export const getTenantEndpoint = endpoint({
  method: "GET",
  path: "/tenants/{tenantId}",
  operationId: "getTenant",
  tag,
  summary: "Read a tenant",
  access: { role: "CustomerViewer", scope: "tenants:read" },
  params: z.object({ tenantId: PathId }),
  answer: { status: 200, description: "The tenant.", schema: TenantView },
  etag: true,
});

/**
 * Who may call what, written by hand. The other suites derive what they expect from the declarations, so they cannot
 * tell that a declaration is wrong: a change of one fails here until it is written here too.
 */
import { expect, it } from "vitest";
import { endpoints } from "#app.ts";
import { type Endpoint, isMutation, takesIdempotencyKey } from "#http/endpoint.ts";

/**
 * The least role and the scope, or `public` or `session`. `orSelf`: everybody about themselves. `orSignedIn`: everybody
 * with a session. `unkeyed`: a change that ignores `Idempotency-Key`. `secret`: the answer shows a secret.
 */
const rights: Readonly<Record<string, string>> = {
  "GET /auth/providers": "public",
  "GET /auth/oidc/{provider}/login": "public",
  "GET /auth/oidc/{provider}/callback": "public",
  "GET /auth/session": "session",
  "DELETE /auth/session": "session unkeyed",
  "GET /auth/sessions": "session",
  "DELETE /auth/sessions/{id}": "session",
  "GET /auth/invitations": "session",
  "GET /auth/api-keys": "session",
  "POST /auth/invitations/{id}/accept": "session",
  "DELETE /auth/invitations/{id}": "session",
  "POST /api-keys": "Admin api_keys:write secret",
  "GET /api-keys": "Admin api_keys:read",
  "GET /api-keys/{id}": "Admin api_keys:read",
  "PATCH /api-keys/{id}": "Admin api_keys:write",
  "POST /api-keys/{id}/rotate": "Admin api_keys:write secret",
  "DELETE /api-keys/{id}": "Admin api_keys:write orSelf",
  "POST /tenants": "operator tenants:write orSignedIn",
  "GET /tenants": "Viewer tenants:read",
  "GET /tenants/{tenantId}": "Viewer tenants:read",
  "PATCH /tenants/{tenantId}": "Owner tenants:write",
  "DELETE /tenants/{tenantId}": "Owner tenants:write",
  "GET /plans": "Viewer tenants:read",
  "GET /tenants/{tenantId}/usage": "Viewer tenants:read",
  "GET /tenants/{tenantId}/members": "Viewer members:read",
  "POST /tenants/{tenantId}/members": "Admin members:write",
  "GET /tenants/{tenantId}/members/{userId}": "Viewer members:read",
  "PATCH /tenants/{tenantId}/members/{userId}": "Admin members:write",
  "DELETE /tenants/{tenantId}/members/{userId}": "Admin members:write orSelf",
  "GET /tenants/{tenantId}/email-domains": "Admin tenants:read",
  "POST /tenants/{tenantId}/email-domains/{domain}/verify": "Owner tenants:write",
  "POST /tenants/{tenantId}/email-domains/{domain}/approve": "operator tenants:write",
  "DELETE /imports/{id}": "Developer imports:write",
  "GET /tenants/{tenantId}/invitations": "Viewer members:read",
  "POST /tenants/{tenantId}/invitations": "Admin members:write secret",
  "GET /tenants/{tenantId}/invitations/{id}": "Viewer members:read",
  "DELETE /tenants/{tenantId}/invitations/{id}": "Admin members:write",
  "POST /cloud/targets": "Admin targets:write",
  "GET /cloud/targets": "Viewer targets:read",
  "GET /cloud/targets/{id}": "Viewer targets:read",
  "PATCH /cloud/targets/{id}": "Admin targets:write",
  "DELETE /cloud/targets/{id}": "Admin targets:write",
  "POST /cloud/targets/{id}/verify": "Admin targets:write",
  "GET /cloud/providers": "Viewer targets:read",
  "GET /cloud/providers/{provider}/types": "Viewer targets:read",
  "POST /templates": "Developer templates:write",
  "GET /templates": "Viewer templates:read",
  "GET /templates/schema": "public",
  "GET /templates/{id}": "Viewer templates:read",
  "PATCH /templates/{id}": "Developer templates:write",
  "DELETE /templates/{id}": "Developer templates:write",
  "POST /templates/{id}/versions": "Developer templates:write",
  "GET /templates/{id}/uses": "Viewer templates:read",
  "GET /templates/{id}/versions": "Viewer templates:read",
  "GET /templates/{id}/versions/{version}": "Viewer templates:read",
  "POST /templates/{id}/versions/{version}/deprecate": "Developer templates:write",
  "POST /templates/validate": "Developer templates:read unkeyed",
  "POST /templates/{id}/validate": "Developer templates:read unkeyed",
  "POST /instances": "Developer instances:write",
  "GET /instances": "Viewer instances:read",
  "GET /instances/{id}": "Viewer instances:read",
  "PATCH /instances/{id}": "Developer instances:write",
  "POST /instances/{id}/deploy": "Developer instances:write",
  "POST /instances/{id}/plan": "Developer instances:write",
  "POST /instances/{id}/destroy": "Admin instances:write",
  "POST /instances/{id}/check-drift": "Developer instances:write",
  "POST /instances/{id}/reconcile": "operator instances:write",
  "GET /instances/{id}/resources": "Viewer instances:read",
  "DELETE /instances/{id}": "Developer instances:write",
  "GET /instances/{id}/outputs": "Viewer instances:read",
  "GET /deployments/{id}": "Viewer deployments:read",
  "POST /deployments/{id}/rollback": "Developer deployments:write",
  "GET /instances/{id}/triggers": "Viewer instances:read",
  "POST /instances/{id}/triggers": "Developer instances:write secret",
  "GET /instances/{id}/triggers/{triggerId}": "Viewer instances:read",
  "PATCH /instances/{id}/triggers/{triggerId}": "Developer instances:write",
  "DELETE /instances/{id}/triggers/{triggerId}": "Developer instances:write",
  "POST /instances/{id}/triggers/{triggerId}/rotate": "Developer instances:write secret",
  "POST /hooks/{token}": "public",
  "GET /deployments": "Viewer deployments:read",
  "GET /deployments/{id}/plan": "Viewer deployments:read",
  "GET /deployments/{id}/log": "Viewer deployments:read",
  "GET /operations/runs": "operator deployments:read",
  "GET /metrics": "operator metrics:read",
  "POST /deployments/{id}/approve": "Admin deployments:approve",
  "POST /deployments/{id}/discard": "Developer deployments:write",
  "POST /deployments/{id}/cancel": "Developer deployments:write",
  "POST /deployments/{id}/abandon": "operator deployments:write",
  "POST /marketplace/listings": "Admin listings:write",
  "GET /marketplace/listings": "Viewer listings:read",
  "GET /marketplace/listings/{id}": "Viewer listings:read",
  "PATCH /marketplace/listings/{id}": "Admin listings:write",
  "DELETE /marketplace/listings/{id}": "Admin listings:write",
  "POST /marketplace/listings/{id}/submit": "Admin listings:write",
  "POST /marketplace/listings/{id}/review": "operator listings:review",
  "POST /marketplace/listings/{id}/install": "Developer templates:write",
  "POST /incidents": "Admin incidents:write",
  "GET /incidents": "Viewer incidents:read",
  "GET /incidents/{id}": "Viewer incidents:read",
  "POST /incidents/{id}/updates": "Admin incidents:write",
  "GET /webhooks/event-kinds": "Viewer webhooks:read",
  "POST /webhooks": "Admin webhooks:write secret",
  "GET /webhooks": "Viewer webhooks:read",
  "GET /webhooks/{id}": "Viewer webhooks:read",
  "PATCH /webhooks/{id}": "Admin webhooks:write",
  "DELETE /webhooks/{id}": "Admin webhooks:write",
  "POST /webhooks/{id}/rotate-secret": "Admin webhooks:write secret",
  "POST /webhooks/{id}/test": "Admin webhooks:write",
  "GET /webhooks/{id}/deliveries": "Viewer webhooks:read",
  "GET /webhooks/{id}/deliveries/{deliveryId}": "Viewer webhooks:read",
  "POST /webhooks/{id}/deliveries/{deliveryId}/redeliver": "Admin webhooks:write",
  "POST /webhooks/{id}/recover": "Admin webhooks:write",
  "GET /webhooks/{id}/recoveries/{recoveryId}": "Viewer webhooks:read",
  "GET /license": "Viewer license:read",
  "GET /feature-flags": "operator feature_flags:read",
  "GET /feature-flags/{key}": "operator feature_flags:read",
  "PUT /feature-flags/{key}": "operator feature_flags:write",
  "DELETE /feature-flags/{key}": "operator feature_flags:write",
  "POST /ofrep/v1/evaluate/flags/{key}": "Viewer feature_flags:read unkeyed",
  "POST /ofrep/v1/evaluate/flags": "Viewer feature_flags:read unkeyed",
  "POST /profiles": "Admin profiles:write",
  "GET /profiles": "Viewer profiles:read",
  "GET /profiles/{id}": "Viewer profiles:read",
  "PATCH /profiles/{id}": "Admin profiles:write",
  "DELETE /profiles/{id}": "Admin profiles:write",
  "POST /imports": "Developer imports:write",
  "GET /imports": "Developer imports:read",
  "GET /imports/{id}": "Developer imports:read",
  "POST /imports/{id}/template": "Developer templates:write",
  "GET /audit-events": "Admin audit:read",
  "GET /status/{tenantId}": "Viewer status:read",
  "GET /health": "public",
  "GET /openapi.json": "public",
  "GET /openapi.yaml": "public",
};

function rightsOf(endpoint: Endpoint): string {
  const { access, method, secretAnswer } = endpoint;
  const words =
    access === "public"
      ? ["public"]
      : access.role === "session"
        ? ["session"]
        : [
            access.role.replace("Customer", ""),
            access.scope,
            access.orSelf === true ? "orSelf" : "",
            access.orSignedIn === true ? "orSignedIn" : "",
          ];
  return [
    ...words,
    isMutation(method) && !takesIdempotencyKey(endpoint) ? "unkeyed" : "",
    secretAnswer === true ? "secret" : "",
  ]
    .filter((word) => word !== "")
    .join(" ");
}

it("every endpoint requires what this table says", () => {
  const declared = endpoints.map((endpoint) => [
    `${endpoint.method} ${endpoint.path}`,
    rightsOf(endpoint),
  ]);
  expect(Object.fromEntries(declared)).toEqual(rights);
});

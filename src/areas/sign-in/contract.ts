/** Signing in and out: endpoints 1 and 2 of the API reference, and the endpoints that they need. */
import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { pageOf, pageQuery } from "#http/lists/page.ts";
import { CreatedAt, Id, IdParams, PathId, TenantId, Timestamp } from "#http/schemas.ts";
import { prose } from "#platform/prose.ts";
import { tenantRoles } from "#schema/lists/roles.ts";

const tag = "Authentication";
const signedIn = { role: "session" } as const;

/** The page that browsers are redirected to when a sign-in fails: `/login?error=<code>`. */
export const SIGN_IN_PAGE = "/login";

export const SignInProviderView = z.object({
  id: z.string().describe(prose("The provider's id, for `/auth/oidc/{provider}/login`.")),
  label: z.string().describe(prose("The name to show to people.")),
  loginUrl: z
    .string()
    .describe(prose("The path that a browser starts at; add the query parameter `returnTo`.")),
});

export const listSignInProvidersEndpoint = endpoint({
  method: "GET",
  path: "/auth/providers",
  operationId: "listSignInProviders",
  tag,
  summary: prose("List sign-in providers"),
  description: prose("Answers all providers, in one page."),
  access: "public",
  answer: {
    status: 200,
    description: prose("The providers, in the order of the configuration."),
    schema: pageOf(SignInProviderView),
  },
});

const ProviderParams = z.object({
  provider: PathId.describe(prose("The id of a sign-in provider.")),
});

export const startSignInEndpoint = endpoint({
  method: "GET",
  path: "/auth/oidc/{provider}/login",
  operationId: "startSignIn",
  tag,
  summary: prose("Start a sign-in"),
  description: prose(
    "For browsers: redirects to the provider, which redirects back to the callback. The sign-in must be finished in the same browser within ten minutes.",
  ),
  access: "public",
  params: ProviderParams,
  query: z.object({
    returnTo: z
      .string()
      .describe(
        prose(
          "Where to redirect after the sign-in: a path of this installation, or a URL of an origin in ALLOWED_ORIGINS; at most 2,000 characters.",
        ),
      ),
  }),
  answer: { status: 302, description: prose("Redirects to the provider.") },
  problems: ["sign_in_failed", "provider_error", "unavailable"],
});

/** Repeated parameters are lists here; the handler rejects them. */
const Sent = z.unknown().optional().meta({ type: "string" });

export const finishSignInEndpoint = endpoint({
  method: "GET",
  path: "/auth/oidc/{provider}/callback",
  operationId: "finishSignIn",
  tag,
  summary: prose("Finish a sign-in"),
  description: prose(
    "For browsers: the provider redirects here, and the answer sets a session cookie. If the sign-in fails, clients that accept HTML are redirected to `/login?error=<code>`; others get a problem whose `errors[0].code` is that code.",
  ),
  access: "public",
  params: ProviderParams,
  query: z.object({
    state: Sent.describe(prose("The `state` of the sign-in, which the provider sends back.")),
    code: Sent.describe(prose("The provider's authorization code.")),
    iss: Sent.describe(prose("The provider's issuer, if it names it.")),
    error: Sent.describe(prose("The provider's error code, if the sign-in failed there.")),
  }),
  openQuery: true,
  answer: { status: 302, description: prose("Redirects to `returnTo` of the sign-in.") },
  problems: ["sign_in_failed", "provider_error"],
});

export const SessionView = z.object({
  id: Id,
  provider: z.string().describe(prose("The id of the sign-in provider.")),
  userAgent: z
    .string()
    .nullable()
    .describe(prose("The browser's `User-Agent`. Null: it sent none.")),
  current: z.boolean().describe(prose("True: the session of this request.")),
  lastSeenAt: Timestamp.describe(prose("The last use, accurate to five minutes.")),
  expiresAt: Timestamp.describe(
    prose(
      "When the session ends at the latest. Without use it ends eight hours after the last use.",
    ),
  ),
  createdAt: CreatedAt,
});

export const CurrentSessionView = z.object({
  user: z
    .object({
      id: z.uuid().describe(prose("The person's id.")),
      email: z
        .string()
        .nullable()
        .describe(prose("The person's e-mail address. Null: none is known.")),
      name: z.string().nullable().describe(prose("The person's name. Null: none is known.")),
      issuer: z
        .string()
        .describe(
          prose("The issuer of the user's identity; with `subject` it identifies the user."),
        ),
      subject: z.string().describe(prose("The person's id at the issuer.")),
    })
    .describe(prose("The signed-in person.")),
  operator: z.boolean().describe(prose("True: the user is an operator of this installation.")),
  tenants: z
    .array(
      z.object({
        tenantId: TenantId,
        slug: z.string().describe(prose("The tenant's short name in URLs.")),
        name: z.string().describe(prose("The tenant's name, for people.")),
        role: z.enum(tenantRoles).describe(prose("The person's role in the tenant.")),
      }),
    )
    .describe(prose("The tenants that the person is a member of.")),
  session: SessionView.describe(prose("The session of this request.")),
});

export const getSessionEndpoint = endpoint({
  method: "GET",
  path: "/auth/session",
  operationId: "getSession",
  tag,
  summary: prose("Read the current session"),
  access: signedIn,
  answer: {
    status: 200,
    description: prose("The signed-in user, their tenants and the session."),
    schema: CurrentSessionView,
  },
});

export const endSessionEndpoint = endpoint({
  method: "DELETE",
  path: "/auth/session",
  operationId: "endSession",
  tag,
  summary: prose("Sign out"),
  access: signedIn,
  answer: { status: 204, description: prose("The session is ended and the cookie removed.") },
  unkeyed: true,
});

export const listSessionsEndpoint = endpoint({
  method: "GET",
  path: "/auth/sessions",
  operationId: "listSessions",
  tag,
  summary: prose("List your sessions"),
  access: signedIn,
  query: z.object(pageQuery),
  answer: {
    status: 200,
    description: prose("A page of sessions, newest first."),
    schema: pageOf(SessionView),
  },
});

export const revokeSessionEndpoint = endpoint({
  method: "DELETE",
  path: "/auth/sessions/{id}",
  operationId: "revokeSession",
  tag,
  summary: prose("End one of your sessions"),
  description: prose("Takes effect at once."),
  access: signedIn,
  params: IdParams,
  answer: { status: 204, description: prose("The session is ended.") },
});

/** Signing in and out: the reference's endpoints 1 and 2, and what they need around them. */
import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { pageOf, pageQuery } from "#http/page.ts";
import { IdParams, PathId, Timestamp } from "#http/schemas.ts";
import { tenantRoles } from "#schema/roles.ts";

const tag = "Authentication";
const signedIn = { role: "session" } as const;

/** The page a browser is sent to when a sign-in fails: `/login?error=<code>`. */
export const SIGN_IN_PAGE = "/login";

export const SignInProviderView = z.object({
  id: z.string(),
  label: z.string().describe("For people."),
  loginUrl: z.string().describe("Where a browser begins; it needs `returnTo` besides."),
});

export const listSignInProvidersEndpoint = endpoint({
  method: "GET",
  path: "/auth/providers",
  operationId: "listSignInProviders",
  tag,
  summary: "List the sign-in providers",
  description: "All of them, in one page.",
  access: "public",
  answer: {
    status: 200,
    description: "In the operator's order.",
    schema: pageOf(SignInProviderView),
  },
});

const ProviderParams = z.object({ provider: PathId });

export const startSignInEndpoint = endpoint({
  method: "GET",
  path: "/auth/oidc/{provider}/login",
  operationId: "startSignIn",
  tag,
  summary: "Begin to sign in",
  description:
    "For browsers: sends them to the provider, which sends them back to the callback. A sign-in is finished in the browser it began in, within ten minutes.",
  access: "public",
  params: ProviderParams,
  query: z.object({
    returnTo: z
      .string()
      .describe(
        "Where to go in the end: a path of this installation, at most 2,000 characters, or a URL of an origin of ALLOWED_ORIGINS.",
      ),
    invitation: z
      .string()
      .max(100)
      .optional()
      .describe("The token of an invitation, which makes whoever signs in a member."),
  }),
  answer: { status: 302, description: "To the provider." },
  problems: ["sign_in_failed", "provider_error", "unavailable"],
});

/** What came twice is for the handler to refuse. */
const Sent = z.unknown().optional().meta({ type: "string" });

export const finishSignInEndpoint = endpoint({
  method: "GET",
  path: "/auth/oidc/{provider}/callback",
  operationId: "finishSignIn",
  tag,
  summary: "Come back from the provider",
  description:
    "For browsers, which the provider sends here: gives them a session cookie. When it fails, a browser that takes HTML goes to `/login?error=<code>`, everybody else gets a problem whose `errors[0].code` is that code.",
  access: "public",
  params: ProviderParams,
  query: z.object({ state: Sent, code: Sent, iss: Sent, error: Sent }),
  openQuery: true,
  answer: { status: 302, description: "To where the sign-in was asked to return." },
  problems: ["sign_in_failed", "provider_error"],
});

export const SessionView = z.object({
  id: z.uuid(),
  provider: z.string().describe("The id of the sign-in provider."),
  userAgent: z.string().nullable().describe("What the browser called itself."),
  current: z.boolean().describe("Whether this request came by it."),
  lastSeenAt: Timestamp.describe("To within five minutes."),
  expiresAt: Timestamp.describe("It ends then; eight hours after its last use if that is sooner."),
  createdAt: Timestamp,
});

export const CurrentSessionView = z.object({
  user: z.object({
    id: z.uuid(),
    email: z.string().nullable(),
    name: z.string().nullable(),
    issuer: z.string().describe("With `subject`, who the user is."),
    subject: z.string(),
  }),
  operator: z.boolean(),
  tenants: z.array(
    z.object({
      tenantId: z.uuid(),
      slug: z.string(),
      name: z.string(),
      role: z.enum(tenantRoles),
    }),
  ),
  session: SessionView,
});

export const getSessionEndpoint = endpoint({
  method: "GET",
  path: "/auth/session",
  operationId: "getSession",
  tag,
  summary: "Who is signed in?",
  access: signedIn,
  answer: {
    status: 200,
    description: "You, and where you are a member.",
    schema: CurrentSessionView,
  },
});

export const endSessionEndpoint = endpoint({
  method: "DELETE",
  path: "/auth/session",
  operationId: "endSession",
  tag,
  summary: "Sign out",
  access: signedIn,
  answer: { status: 204, description: "The session is over, the cookie gone." },
  safe: true,
});

export const listSessionsEndpoint = endpoint({
  method: "GET",
  path: "/auth/sessions",
  operationId: "listSessions",
  tag,
  summary: "List your sessions",
  access: signedIn,
  query: z.object(pageQuery),
  answer: { status: 200, description: "Newest first.", schema: pageOf(SessionView) },
});

export const revokeSessionEndpoint = endpoint({
  method: "DELETE",
  path: "/auth/sessions/{id}",
  operationId: "revokeSession",
  tag,
  summary: "End one of your sessions",
  description: "Takes effect at once.",
  access: signedIn,
  params: IdParams,
  answer: { status: 204, description: "The session is over." },
});

/** Signing in and out: the only endpoints with redirects and cookies. */
import { generateState } from "oslo/oauth2";
import type * as z from "zod";
import { allowedOrigins } from "#http/allowed-origins.ts";
import { API_PREFIX } from "#http/api-prefix.ts";
import { callOf } from "#http/request-call.ts";
import { plainRoute, route } from "#http/route.ts";
import { sessionOf } from "#kernel/access/access.ts";
import { sessionToken } from "#kernel/authn/authenticate-session.ts";
import {
  type CookieKind,
  cookieName,
  cookieValues,
  sessionCookie,
  setCookie,
} from "#kernel/authn/cookies.ts";
import { LIFE } from "#kernel/authn/session-life.ts";
import type { Bindings } from "#kernel/bindings.ts";
import type { Call } from "#kernel/call/call.ts";
import { ApiError, notFound } from "#kernel/errors.ts";
import { log } from "#platform/log.ts";
import { timestamp } from "#platform/timestamp.ts";
import {
  endSessionEndpoint,
  finishSignInEndpoint,
  getSessionEndpoint,
  listSessionsEndpoint,
  listSignInProvidersEndpoint,
  revokeSessionEndpoint,
  type SessionView,
  SIGN_IN_PAGE,
  startSignInEndpoint,
} from "./contract.ts";
import { endSession, revokeSession } from "./end-session.ts";
import { type BegunWith, finishSignIn } from "./finish-sign-in.ts";
import { type OidcProvider, providerSettings } from "./oidc/provider-settings.ts";
import { type Failure, signInReasons } from "./oidc/reason.ts";
import { checkReturnTo } from "./oidc/return-to.ts";
import { getSession, listSessions } from "./read-sessions.ts";
import type { Session } from "./session-store.ts";
import { SIGN_IN_TIME, startSignIn } from "./start-sign-in.ts";

/**
 * Binds a sign-in to the browser that started it: otherwise an attacker's link could sign others in as the
 * attacker.
 */
const signInCookie: CookieKind = {
  host: "__Host-control_sign_in",
  development: "control_sign_in_dev",
};
const browserShape = /^[A-Za-z0-9_-]{43}$/;

interface Request {
  env: Bindings;
  url: URL;
  header: (name: string) => string | undefined;
}
type Context = Parameters<Parameters<typeof plainRoute>[1]>[0];

const requestOf = (c: Context): Request => ({
  env: c.env,
  url: new URL(c.req.url),
  header: (name) => c.req.header(name),
});

export const signInRoutes = [
  route(
    listSignInProvidersEndpoint,
    (call) => Promise.resolve(providersIn(call.env)),
    (providers) => ({
      data: providers.map(({ id, label }) => ({
        id,
        label,
        loginUrl: `${API_PREFIX}/auth/oidc/${id}/login`,
      })),
      nextCursor: null,
    }),
  ),
  plainRoute(startSignInEndpoint, async (c, { params, query }) => {
    const request = requestOf(c);
    const { env, url } = request;
    const returnTo = checkReturnTo(query.returnTo, {
      ownOrigin: url.origin,
      allowedOrigins: allowedOrigins(env.ALLOWED_ORIGINS),
    });
    if (returnTo === undefined)
      throw badQuery(
        "returnTo",
        "It must be a path of this installation, or a URL of an allowed origin.",
      );
    const provider = findProvider(env, params.provider);
    const browser = browserOf(request) ?? generateState();
    const started = await startSignIn(await callOf(c, startSignInEndpoint), {
      provider,
      returnTo,
      browser,
      redirectUri: redirectUriOf(request, provider),
      development: isDevelopment(env),
    });
    if (!started.ok)
      return refusal(request, { ...started, begunWith: { returnTo } }, c.get("requestId"));
    const maxAgeSeconds = SIGN_IN_TIME.seconds();
    return redirect(started.value.href, [
      setCookie(signInCookie, browser, { url, env, maxAgeSeconds }),
    ]);
  }),
  plainRoute(finishSignInEndpoint, async (c, { params }) => {
    const request = requestOf(c);
    const { env, url } = request;
    const provider = findProvider(env, params.provider);
    const finished = await finishSignIn(await callOf(c, finishSignInEndpoint), {
      provider,
      query: url.searchParams,
      browser: browserOf(request),
      session: sessionBefore(request),
      userAgent: request.header("user-agent"),
      redirectUri: redirectUriOf(request, provider),
      development: isDevelopment(env),
    });
    if (!finished.ok) return refusal(request, finished, c.get("requestId"));
    const { returnTo, token } = finished.value;
    const maxAgeSeconds = LIFE.seconds();
    return redirect(returnTo, [setCookie(sessionCookie, token, { url, env, maxAgeSeconds })]);
  }),
  route(getSessionEndpoint, getSession, ({ user, operator, tenants, session }, call) => ({
    user: {
      id: user.id,
      email: user.email === "" ? null : user.email,
      name: user.name,
      issuer: user.issuer ?? "",
      subject: user.subject ?? "",
    },
    operator,
    tenants: [...tenants],
    session: sessionView(session, call),
  })),
  plainRoute(endSessionEndpoint, async (c) => {
    await endSession(await callOf(c, endSessionEndpoint));
    const { env, url } = requestOf(c);
    const gone = setCookie(sessionCookie, "", { url, env, maxAgeSeconds: 0 });
    return new Response(null, { status: 204, headers: { "set-cookie": gone } });
  }),
  route(
    listSessionsEndpoint,
    (call, { query }) => listSessions(call, query, (session) => sessionView(session, call)),
    (page) => page,
  ),
  route(revokeSessionEndpoint, (call, { params }) => revokeSession(call, params.id)),
];

function sessionView(session: Session, call: Call): z.input<typeof SessionView> {
  return {
    id: session.id,
    provider: session.provider,
    userAgent: session.userAgent,
    current: session.id === sessionOf(call.actor)?.id,
    lastSeenAt: timestamp(session.lastSeenAtMs),
    expiresAt: timestamp(session.expiresAtMs),
    createdAt: timestamp(session.createdAtMs),
  };
}

/** True in local development: providers can run on this machine, without TLS. */
function isDevelopment(env: Bindings): boolean {
  return env.DEV_COOKIES === "on";
}

function providersIn(env: Bindings): readonly OidcProvider[] {
  return providerSettings(env.OIDC_PROVIDERS, isDevelopment(env)).providers;
}

function findProvider(env: Bindings, id: string): OidcProvider {
  const provider = providersIn(env).find((candidate) => candidate.id === id);
  if (provider === undefined) throw notFound("sign-in provider");
  return provider;
}

function redirectUriOf({ url }: Request, { id }: OidcProvider): string {
  return `${url.origin}${API_PREFIX}/auth/oidc/${id}/callback`;
}

/** The browser's sign-in cookie, if it is well-formed and sent once. */
function browserOf({ url, env, header }: Request): string | undefined {
  const [value, ...others] = cookieValues(header("cookie"), cookieName(signInCookie, url, env));
  return value !== undefined && others.length === 0 && browserShape.test(value) ? value : undefined;
}

/** The token of the session that the sign-in ends; undefined: there is no valid session cookie. */
function sessionBefore({ url, env, header }: Request): string | undefined {
  try {
    return sessionToken({ cookie: header("cookie"), url: url.href }, env);
  } catch {
    return undefined;
  }
}

function badQuery(pointer: string, detail: string): ApiError {
  return new ApiError("validation_failed", "The request is not valid; `errors` says where.", {
    faults: [{ in: "query", pointer, code: "not_allowed", detail }],
  });
}

/**
 * Redirects browsers to the sign-in page, which explains the error and can start again; other clients get a
 * problem.
 */
function refusal(
  { header }: Request,
  { reason, cause, begunWith }: Failure & { begunWith?: BegunWith },
  requestId: string,
): Response {
  log("warn", "A sign-in failed", { requestId, reason, cause });
  if (header("accept")?.includes("text/html") === true) {
    const query = new URLSearchParams({ error: reason, ...begunWith });
    return redirect(`${SIGN_IN_PAGE}?${query.toString()}`, []);
  }
  const detail = signInReasons[reason];
  if (reason === "not_configured")
    throw new ApiError("unavailable", detail, { headers: { "retry-after": "60" } });
  const code = reason === "provider_unreachable" ? "provider_error" : "sign_in_failed";
  throw new ApiError(code, detail, {
    faults: [{ in: "query", pointer: "", code: reason, detail }],
  });
}

function redirect(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ location });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 302, headers });
}

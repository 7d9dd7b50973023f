/**
 * Authenticates browser sessions. The cookie is 256 random bits: `<43 characters of base64url>`, or `op_<43 …>` for an
 * operator. As with a key, the token itself contains its claim, and D1 stores only its SHA-256. The user, the
 * memberships and the roles are read with every request, in the batch of its first read. Sessions are not cached, so
 * signing out, removal, a lower role, and removal of the sign-in provider take effect at once.
 */
import { sql } from "drizzle-orm";
import { base64url } from "oslo/encoding";
import type { Actor, Membership } from "#kernel/access/access.ts";
import type { Claim } from "#kernel/access/claim.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { ApiError } from "#kernel/errors.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { members } from "#schema/tenants.ts";
import { sessions, users } from "#schema/users.ts";
import { cookieName, cookieValues, sessionCookie, setCookie } from "./cookies.ts";
import { isOperator } from "./operators.ts";
import { isOver, LAST_SEEN_STEP_MS } from "./session-life.ts";
import { isStillProvider } from "./session-provider.ts";

const tokenShape = /^(op_)?[A-Za-z0-9_-]{43}$/;
const MAX_SEEN = 1_000;

/** Digests of sessions verified in this isolate. They only choose the rate limit key. */
const seen = new Set<string>();

export interface AuthnContext {
  env: Bindings;
  now: number;
  /** Takes the write of the credential's last use; undefined: the request does not count as a use. */
  afterUse?: (work: Promise<unknown>) => void;
}

export interface SessionCookies {
  cookie: string | undefined;
  url: string;
}

interface SessionRow {
  id: string;
  userId: string;
  operator: number;
  provider: string;
  lastSeenAtMs: number;
  expiresAtMs: number;
  name: string | null;
  email: string;
  emailTrusted: number;
  issuer: string | null;
  subject: string | null;
  /** JSON. */
  memberships: string;
}

/** A new token. */
export function newSessionToken(operator: boolean): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `${operator ? "op_" : ""}${base64url.encode(bytes, { includePadding: false })}`;
}

/** The session token of the request; undefined: none. Throws `unauthenticated` if it is ambiguous or malformed. */
export function sessionToken(request: SessionCookies, env: Bindings): string | undefined {
  const url = new URL(request.url);
  const values = cookieValues(request.cookie, cookieName(sessionCookie, url, env));
  const [value, ...others] = values;
  if (value === undefined) return undefined;
  // With two cookies it is unknown which one the service set.
  if (others.length > 0 || !tokenShape.test(value))
    throw signedOut("The session cookie is malformed. Sign in again.", request, env);
  return value;
}

export async function sessionClaim(
  token: string,
  request: SessionCookies & { address: string },
  context: AuthnContext,
): Promise<{ caller: Claim; principal: string; limitKey: string }> {
  const { env, now } = context;
  const digest = await digestHex(token);
  const operator = token.length > 43;
  const over = () => signedOut("The session has ended. Sign in again.", request, env);
  const verify = (rows: unknown): Actor => {
    const row = (rows as SessionRow[])[0];
    if (row === undefined || isOver(row, now)) throw over();
    const provider = { id: row.provider, issuer: row.issuer ?? "" };
    if (!isStillProvider(env.OIDC_PROVIDERS, provider)) throw over();
    if (operator && !(row.operator === 1 && isOperator(env.OPERATORS, row))) throw over();
    if (now - row.lastSeenAtMs > LAST_SEEN_STEP_MS) context.afterUse?.(recordUse(env, row.id, now));
    if (seen.size >= MAX_SEEN) seen.clear();
    seen.add(digest);
    const session = { id: row.id, userId: row.userId };
    return operator
      ? { kind: "operator", name: row.userId, scopes: ["*"], session, person: row.userId }
      : {
          kind: "member",
          name: row.userId,
          ...(row.name === null ? {} : { displayName: row.name }),
          session,
          scopes: ["*"],
          memberships: JSON.parse(row.memberships) as Membership[],
        };
  };
  return {
    caller: {
      sessionDigest: digest,
      operator,
      statement: (db) =>
        db.all(sql`SELECT s.id, s.user_id AS userId, s.operator, s.provider, s.last_seen_at_ms AS lastSeenAtMs,
          s.expires_at_ms AS expiresAtMs, u.name, u.email, u.email_trusted AS emailTrusted, u.issuer, u.subject,
          (SELECT json_group_array(json_object('tenantId', m.tenant_id, 'role', m.role))
            FROM ${members} m WHERE m.user_id = s.user_id AND m.tenant_id IS NOT NULL) AS memberships
          FROM ${sessions} s JOIN ${users} u ON u.id = s.user_id WHERE s.digest = ${digest}`),
      verify,
    },
    principal: `session:${digest}`,
    limitKey: seen.has(digest) ? `token:${digest}` : `address:${request.address}`,
  };
}

/** 401 with a `Set-Cookie` that deletes the invalid cookie. */
function signedOut(detail: string, request: SessionCookies, env: Bindings): ApiError {
  const url = new URL(request.url);
  return new ApiError("unauthenticated", detail, {
    headers: {
      "www-authenticate": "Bearer",
      "set-cookie": setCookie(sessionCookie, "", { url, env, maxAgeSeconds: 0 }),
    },
  });
}

async function recordUse(env: Bindings, id: string, now: number): Promise<void> {
  await env.DB.prepare(
    "UPDATE sessions SET last_seen_at_ms = ?2 WHERE id = ?1 AND last_seen_at_ms <= ?2 - ?3",
  )
    .bind(id, now, LAST_SEEN_STEP_MS)
    .run();
}

/** Signed-in users without a provider: inserts the rows that a sign-in would create. */
import { env } from "cloudflare:workers";
import { newSessionToken } from "#kernel/authn/authenticate-session.ts";
import { LIFE } from "#kernel/authn/session-life.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { newId } from "#platform/ids.ts";
import type { TenantRole } from "#schema/lists/roles.ts";
import { OPERATOR_KEY } from "./api.ts";
import { operatorIdentity } from "./operator-identity.ts";
import { sessionProvider } from "./session-provider.ts";

export const SESSION_COOKIE = "__Host-control_session";

export interface TestSession {
  sessionId: string;
  userId: string;
  token: string;
}

/** A user who has signed in once. `email`: an address that they have proved. */
export async function makeUser(
  identity = { issuer: sessionProvider.issuer as string, subject: newId() },
  email?: string,
): Promise<string> {
  const now = Date.now();
  await env.DB.prepare(
    `INSERT INTO users (id, email, email_trusted, name, issuer, subject, version, created_at_ms, updated_at_ms)
      VALUES (?1, ?2, ?6, NULL, ?3, ?4, 1, ?5, ?5) ON CONFLICT (issuer, subject) DO NOTHING`,
  )
    .bind(
      newId(),
      email ?? `${identity.subject}@people.test`,
      identity.issuer,
      identity.subject,
      now,
      email === undefined ? 0 : 1,
    )
    .run();
  const row = await env.DB.prepare("SELECT id FROM users WHERE issuer = ? AND subject = ?")
    .bind(identity.issuer, identity.subject)
    .first<{ id: string }>();
  return row?.id ?? "";
}

export async function makeMembership(
  userId: string,
  tenantId: string,
  role: TenantRole,
): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO members (id, tenant_id, user_id, role, version, created_at_ms, updated_at_ms)
      VALUES (?1, ?2, ?3, ?4, 1, ?5, ?5)`,
  )
    .bind(newId(), tenantId, userId, role, Date.now())
    .run();
}

export async function makeSession(
  userId: string,
  { operator = false, ageMs = 0 } = {},
): Promise<TestSession> {
  const [sessionId, token, now] = [newId(), newSessionToken(operator), Date.now() - ageMs];
  await env.DB.prepare(
    `INSERT INTO sessions (id, digest, user_id, operator, provider, user_agent, last_seen_at_ms, expires_at_ms, created_at_ms)
      VALUES (?1, ?2, ?3, ?4, ?7, NULL, ?5, ?6, ?5)`,
  )
    .bind(
      sessionId,
      await digestHex(token),
      userId,
      operator,
      now,
      now + LIFE.milliseconds(),
      sessionProvider.id,
    )
    .run();
  return { sessionId, userId, token };
}

/** A signed-in member. */
export async function signedIn(
  ...memberships: readonly (readonly [tenantId: string, role: TenantRole])[]
): Promise<TestSession> {
  const userId = await makeUser();
  for (const [tenantId, role] of memberships) await makeMembership(userId, tenantId, role);
  return makeSession(userId);
}

/** A signed-in operator. */
export async function signedInOperator(): Promise<TestSession> {
  return makeSession(await makeUser(operatorIdentity), { operator: true });
}

/** The headers of a request from the session's browser, as our own pages send it. */
export function headersOf({ token }: Pick<TestSession, "token">): Record<string, string> {
  return {
    cookie: `${SESSION_COOKIE}=${token}`,
    "x-service-csrf": "1",
    "sec-fetch-site": "same-origin",
  };
}

const besideKeys = new Map<string, TestSession>();

/** Registers a session for a key: endpoints that need a session are called with it. */
export function useBeside(key: string, session: TestSession): void {
  besideKeys.set(key, session);
}

/** The session registered for the key; a new one for signing out, which ends it. */
export async function sessionBeside(
  key: string,
  operationId: string,
): Promise<TestSession | undefined> {
  let session = besideKeys.get(key);
  if (session === undefined && key === OPERATOR_KEY) {
    session = await signedInOperator();
    useBeside(key, session);
  }
  return session !== undefined && operationId === "endSession"
    ? makeSession(session.userId, { operator: session.token.length > 43 })
    : session;
}

/**
 * Authenticates a request: anonymous, an API key, or a browser session (authenticate-session.ts), never two at once.
 *
 * Bearer API keys: `cpk_<key id>_<43 base62 characters><6 characters of CRC-32>`. The checksum is tested first, so a
 * mistyped key costs no read; the secret is compared as a SHA-256 digest in constant time. A key may do what both its
 * scopes and its creator's current role in the tenant allow; a key created by an operator has an owner's rights there,
 * limited by its scopes. It ends with the keys that it descends from (key-lineage.ts).
 *
 * A verified key is cached in the isolate for ten seconds. Reads may use the cache. A change always checks D1, and
 * does so in its own commit if it has nothing else to read (`Call.authenticateFromCache`).
 */
import { type SQL, sql } from "drizzle-orm";
import { type Actor, type Ancestor, BOOTSTRAP_PERSON } from "#kernel/access/access.ts";
import type { Claim, CachedActor } from "#kernel/access/claim.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { ApiError } from "#kernel/errors.ts";
import { constantTimeEqual, digestHex } from "#platform/crypto/digest.ts";
import { PLATFORM } from "#platform/ids.ts";
import { apiKeys } from "#schema/api-keys.ts";
import type { TenantRole } from "#schema/lists/roles.ts";
import { members } from "#schema/tenants.ts";
import { users } from "#schema/users.ts";
import { checkedKey, parseKey } from "./api-key.ts";
import {
  type AuthnContext,
  type SessionCookies,
  sessionClaim,
  sessionToken,
} from "./authenticate-session.ts";
import { endOf, lineageSql, narrowed, readLineage } from "./key-lineage.ts";
import { isOperator, type KnownUser } from "./operators.ts";

const CACHE_MS = 10_000;
const CACHE_ENTRIES = 1_000;
const LAST_USED_STEP_MS = 60_000;

const verifiedKeys = new Map<string, { actor: Actor; row: KeyRow; untilMs: number }>();

export interface Caller {
  /** Undefined: anonymous. */
  caller: Actor | Claim | undefined;
  /** The owner of the request's idempotency key, once the caller is authenticated. */
  principal: string;
  /**
   * The key of the rate limit: the token if this isolate has verified it before, else the client's address. So a forged
   * key can neither use up the limit of a real key nor gain a limit of its own.
   */
  limitKey: string;
}

interface KeyRow {
  id: string;
  name: string;
  tenantId: string;
  digest: string;
  previousDigest: string | null;
  previousExpiresAtMs: number | null;
  scopes: string;
  expiresAtMs: number | null;
  revokedAtMs: number | null;
  lastUsedAtMs: number | null;
  creatorUserId: string | null;
  person: string;
  /** JSON. */
  ancestors: string;
  generation: number;
  /** For `readLineage`. */
  lineage: string;
  /** The creator's current role in the key's tenant; null: none. */
  role: TenantRole | null;
  /** The signed-in operator who owns the key, as JSON; null: it belongs to none. */
  creator: string | null;
}

/**
 * Returns the caller of the request. Throws `unauthenticated` for a malformed Authorization header, key or session
 * cookie, and `validation_failed` if the request has both a key and a cookie.
 */
export async function authenticate(
  request: SessionCookies & {
    authorization: string | undefined;
    address: string;
    mayUseCache: boolean;
  },
  context: AuthnContext,
): Promise<Caller> {
  const session = sessionToken(request, context.env);
  if (request.authorization === undefined)
    return session === undefined
      ? nobodyAt(request.address)
      : sessionClaim(session, request, context);
  if (session !== undefined) throw twoCallers();
  const token = /^Bearer ([\x21-\x7e]{1,200})$/i.exec(request.authorization)?.[1];
  if (token === undefined)
    throw unauthenticated("The Authorization header is not `Bearer <API_KEY>`.");
  const digest = await digestHex(token);
  const bootstrap = context.env.BOOTSTRAP_API_KEY;
  if (
    bootstrap !== undefined &&
    bootstrap !== "" &&
    constantTimeEqual(digest, await digestOfSecret(bootstrap))
  )
    return {
      caller: {
        kind: "operator",
        name: BOOTSTRAP_PERSON,
        scopes: ["*"],
        person: BOOTSTRAP_PERSON,
      },
      ...sameKeys("key:bootstrap"),
    };
  const key = checkedKey(token) ? parseKey(token) : undefined;
  if (key === undefined)
    throw unauthenticated(
      "The API key is malformed. Copy it whole: it begins with cpk_ and is shown once, when it is made.",
    );
  const keys = {
    principal: `key:${key.keyId}`,
    limitKey: verifiedKeys.has(digest) ? `token:${digest}` : `address:${request.address}`,
  };
  if (request.mayUseCache) {
    const known = verifiedKeys.get(digest);
    if (known !== undefined && known.untilMs > context.now) return { caller: known.actor, ...keys };
  }
  return {
    ...keys,
    caller: {
      keyId: key.keyId,
      operator: key.operator,
      statement: (db) =>
        db.all(sql`SELECT id, name, tenant_id AS tenantId, digest, scopes, expires_at_ms AS expiresAtMs,
          previous_digest AS previousDigest, previous_expires_at_ms AS previousExpiresAtMs,
          revoked_at_ms AS revokedAtMs, last_used_at_ms AS lastUsedAtMs, creator_user_id AS creatorUserId,
          person, ancestors, generation, ${lineageSql(sql`${apiKeys}.ancestors`, context.now)} AS lineage,
          (SELECT role FROM ${members} m
            WHERE m.tenant_id = ${apiKeys}.tenant_id AND m.user_id = ${apiKeys}.creator_user_id) AS role,
          (SELECT json_object('issuer', u.issuer, 'subject', u.subject, 'email', u.email, 'emailTrusted', u.email_trusted)
            FROM ${users} u WHERE u.id = ${apiKeys}.person
              AND (${key.operator} OR ${apiKeys}.creator_user_id IS NULL)) AS creator
          FROM ${apiKeys} WHERE id = ${key.keyId}`),
      verify: (rows) => {
        const row = (rows as KeyRow[])[0];
        const actor = actorOf(row, {
          digest,
          operator: key.operator,
          now: context.now,
          operators: context.env.OPERATORS,
        });
        if (row === undefined) return actor;
        keep(digest, { actor, row }, context.now);
        if (context.now - (row.lastUsedAtMs ?? 0) > LAST_USED_STEP_MS)
          context.afterUse?.(recordUse(context.env, row.id, context.now));
        return actor;
      },
      cached: () => cachedActorOf(digest, context.now),
    },
  };
}

let lastSecret: { text: string; digest: string } | undefined;

/** Digest of the bootstrap key, computed once: the key does not change during the isolate's life. */
async function digestOfSecret(text: string): Promise<string> {
  if (lastSecret?.text !== text) lastSecret = { text, digest: await digestHex(text) };
  return lastSecret.digest;
}

/** Only for keys of tenants' members: an operator's rights also depend on `OPERATORS`, which D1 does not have. */
function cachedActorOf(digest: string, now: number): CachedActor | undefined {
  const known = verifiedKeys.get(digest);
  if (known === undefined || known.untilMs <= now || known.row.creator !== null) return undefined;
  const { actor, row } = known;
  if (actor.kind !== "key") return undefined;
  return { actor, holds: isStill(row, digest, now), forget: () => verifiedKeys.delete(digest) };
}

/** The condition under which `actorOf` would return the same actor. */
function isStill(row: KeyRow, digest: string, now: number): SQL {
  const { id, tenantId, scopes, role, creatorUserId, expiresAtMs } = row;
  const { generation, ancestors, lineage } = row;
  const made =
    creatorUserId === null
      ? sql`k.creator_user_id IS NULL`
      : sql`k.creator_user_id = ${creatorUserId} AND EXISTS (SELECT 1 FROM ${members} m
          WHERE m.tenant_id = k.tenant_id AND m.user_id = k.creator_user_id AND m.role = ${role})`;
  return sql`EXISTS (SELECT 1 FROM ${apiKeys} k WHERE k.id = ${id} AND k.tenant_id = ${tenantId}
    AND (k.digest = ${digest} OR (k.previous_digest = ${digest} AND k.previous_expires_at_ms > ${now}))
    AND k.revoked_at_ms IS NULL
    AND k.expires_at_ms IS ${expiresAtMs} AND (k.expires_at_ms IS NULL OR k.expires_at_ms > ${now})
    AND k.scopes = ${scopes} AND k.generation = ${generation}
    AND k.ancestors = ${ancestors} AND ${lineageSql(sql`k.ancestors`, now)} = ${lineage} AND ${made})`;
}

/** The anonymous caller: no credential was sent, or an invalid one. */
export function nobodyAt(address: string): Caller {
  return { caller: undefined, ...sameKeys(`address:${address}`) };
}

function sameKeys(key: string): Pick<Caller, "principal" | "limitKey"> {
  return { principal: key, limitKey: key };
}

function actorOf(
  row: KeyRow | undefined,
  claim: { digest: string; operator: boolean; now: number; operators: string | undefined },
): Actor {
  // The same error for an unknown key and a wrong secret, so that it does not reveal which keys exist.
  const isGenuine = hasSecret(row, claim);
  if (row === undefined || !isGenuine) throw unauthenticated("The API key is not valid.");
  // A revocation after the request began counts too: its body may have taken long to arrive.
  if (row.revokedAtMs !== null) throw unauthenticated("The API key is revoked.");
  if (row.expiresAtMs !== null && row.expiresAtMs <= claim.now)
    throw unauthenticated("The API key has expired.");
  if ((row.tenantId === PLATFORM) !== claim.operator)
    throw unauthenticated("The API key is not valid.");
  const ancestors = JSON.parse(row.ancestors) as Ancestor[];
  const links = readLineage(ancestors, row.lineage);
  if (links === undefined)
    throw unauthenticated(
      "The API key has ended with a key that it was created with: GET /api-keys/{id} names that in `endedByKeyId`. Use another key.",
    );
  const scopes = narrowed(JSON.parse(row.scopes) as string[], links);
  const { id, generation, person } = row;
  const key = { id, generation, ancestors, endsAtMs: endOf(row.expiresAtMs, links) };
  const isOperators = claim.operator || row.creatorUserId === null;
  if (isOperators && person !== BOOTSTRAP_PERSON) {
    const creator = row.creator === null ? undefined : (JSON.parse(row.creator) as KnownUser);
    if (creator === undefined || !isOperator(claim.operators, creator))
      throw unauthenticated("The API key's creator is no longer an operator.");
  }
  const owned = { name: id, scopes, person, key };
  if (claim.operator) return { kind: "operator", ...owned };
  const ofTenant = {
    kind: "key",
    ...owned,
    displayName: row.name,
    tenantId: row.tenantId,
  } as const;
  if (row.creatorUserId === null) return { ...ofTenant, role: "CustomerOwner" };
  if (row.role === null)
    throw unauthenticated("The API key's creator is no longer a member of the tenant.");
  return { ...ofTenant, role: row.role, userId: row.creatorUserId };
}

/** Whether the secret is the key's own, or the one before while its rotation overlaps. Takes as long without a key. */
function hasSecret(
  row: KeyRow | undefined,
  { digest, now }: { digest: string; now: number },
): boolean {
  const isNow = constantTimeEqual(row?.digest ?? NO_DIGEST, digest);
  const wasBefore = constantTimeEqual(row?.previousDigest ?? NO_DIGEST, digest);
  return isNow || (wasBefore && (row?.previousExpiresAtMs ?? 0) > now);
}

const NO_DIGEST = "0".repeat(64);

function keep(digest: string, known: { actor: Actor; row: KeyRow }, now: number): void {
  if (verifiedKeys.size >= CACHE_ENTRIES) {
    const oldest = verifiedKeys.keys().next().value;
    if (oldest !== undefined) verifiedKeys.delete(oldest);
  }
  verifiedKeys.delete(digest);
  verifiedKeys.set(digest, { ...known, untilMs: now + CACHE_MS });
}

async function recordUse(env: Bindings, id: string, now: number): Promise<void> {
  await env.DB.prepare(
    "UPDATE api_keys SET last_used_at_ms = ?2 WHERE id = ?1 AND coalesce(last_used_at_ms, 0) <= ?2 - ?3",
  )
    .bind(id, now, LAST_USED_STEP_MS)
    .run();
}

function twoCallers(): ApiError {
  return new ApiError("validation_failed", "Send an API key or a session cookie, not both.", {
    faults: [
      {
        in: "header",
        pointer: "Authorization",
        code: "two_callers",
        detail: "The request has a session cookie as well.",
      },
    ],
  });
}

function unauthenticated(detail: string): ApiError {
  return new ApiError("unauthenticated", detail, {
    headers: { "www-authenticate": 'Bearer error="invalid_token"' },
  });
}

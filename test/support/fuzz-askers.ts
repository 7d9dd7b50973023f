/** The callers of generated requests: mostly a key, sometimes a session, a forging page or nobody. */
import * as fc from "fast-check";
import { type Endpoint, isMutation } from "#http/endpoint.ts";
import { type Access, isAtLeast } from "#kernel/access/access.ts";
import { type TenantRole, tenantRoles } from "#schema/lists/roles.ts";
import { OPERATOR_KEY } from "./api.ts";
import { headersOf, signedIn, signedInOperator } from "./sessions.ts";
import type { World } from "./world.ts";

export type Asker =
  | "key"
  | "nobody"
  | {
      /** The session of a member of the world's tenant, of a user without a tenant, or of an operator. */
      session: TenantRole | "none" | "operator";
      /** True: the request lacks what CSRF protection requires. */
      isForged: boolean;
    };

export const askers: fc.Arbitrary<Asker> = fc.oneof(
  { weight: 27, arbitrary: fc.constant("key" as const) },
  {
    weight: 3,
    arbitrary: fc.record({
      session: fc.constantFrom(...tenantRoles, "none" as const, "operator" as const),
      isForged: fc.nat(4).map((roll) => roll === 4),
    }),
  },
  { weight: 1, arbitrary: fc.constant("nobody" as const) },
);

/** The credential of a request: a key, or headers. */
export interface Credential {
  key: string | undefined;
  headers: Record<string, string>;
  /** The reason against every request with it: unauthenticated, forged, or without the rights. */
  refused: "unauthenticated" | "csrf_required" | "forbidden" | undefined;
}

type Session = Exclude<Asker, string>["session"];
export type Sessions = Readonly<Record<Session, Record<string, string>>>;

const sessionsBy = new WeakMap<World, Promise<Sessions>>();

/** The headers of all sessions, created once per world. */
export function sessionsIn(world: World): Promise<Sessions> {
  const sessions = sessionsBy.get(world) ?? makeSessions(world);
  sessionsBy.set(world, sessions);
  return sessions;
}

async function makeSessions({ tenantId }: World): Promise<Sessions> {
  const people: [Session, ReturnType<typeof signedIn>][] = [
    ...tenantRoles.map((role): (typeof people)[0] => [role, signedIn([tenantId, role])]),
    ["none", signedIn()],
    ["operator", signedInOperator()],
  ];
  const headers = people.map(async ([who, session]) => [who, headersOf(await session)] as const);
  return Object.fromEntries(await Promise.all(headers)) as Sessions;
}

/**
 * An operator's session is used only for operator endpoints: others would need a tenant, which the
 * declaration does not say. Endpoints for sessions use the session registered with the key.
 */
export function credentialOf(
  asker: Asker,
  { endpoint, world, sessions }: { endpoint: Endpoint; world: World; sessions: Sessions },
): Credential {
  const { access, method, operationId } = endpoint;
  const role = access === "public" ? undefined : access.role;
  if (asker === "nobody") {
    const refused = role === undefined ? undefined : "unauthenticated";
    return { key: undefined, headers: {}, refused };
  }
  const isForged = asker !== "key" && asker.isForged && role !== undefined && isMutation(method);
  // A tenant's keys and members end with it: after its deletion they are always refused.
  const isOperators = operationId === "deleteTenant" || role === "operator";
  if (asker === "key" || (role === "session" && !isForged)) {
    const key = isOperators ? OPERATOR_KEY : world.tenant.key;
    return { key, headers: {}, refused: undefined };
  }
  const who =
    operationId === "deleteTenant"
      ? "operator"
      : isForSelf(access) || (asker.session === "operator" && !isOperators)
        ? "CustomerOwner"
        : asker.session;
  const { "x-service-csrf": _, ...forged } = sessions[who];
  if (isForged) return { key: undefined, headers: forged, refused: "csrf_required" };
  const refused = isEnough(who, access) ? undefined : "forbidden";
  return { key: undefined, headers: sessions[who], refused };
}

/** A member may do this for themself with any role, so the answer to a low role depends on the named person. */
function isForSelf(access: Access): boolean {
  return access !== "public" && access.orSelf === true;
}

function isEnough(who: Session, access: Access): boolean {
  if (access === "public" || access.role === "session" || who === "operator") return true;
  if (access.role === "operator") return access.orSignedIn === true;
  return who !== "none" && isAtLeast(who, access.role);
}

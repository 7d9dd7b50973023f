/** The caller of a call, and the rows in their scope: the part of `Call` that needs no database. */
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type Access, type Actor, isOf, memberRoleFor } from "#kernel/access/access.ts";
import { actsAsOperator } from "#kernel/access/claim.ts";
import {
  rowsOf,
  sessionIdOf,
  tenantsInScope,
  userIdOf,
  type Who,
} from "#kernel/access/row-scope.ts";
import { PLATFORM } from "#platform/ids.ts";
import type { TenantRole } from "#schema/lists/roles.ts";
import { actorOf, type Caller, claimOf } from "./caller.ts";

export class CallScope {
  protected caller: Caller;
  /** The role that the endpoint requires of a member in a tenant; undefined: none. */
  protected readonly role: TenantRole | undefined;

  constructor(caller: Caller, access: Access) {
    this.caller = caller;
    this.role = memberRoleFor(access);
  }

  /** The authenticated caller; undefined: nobody, or not authenticated yet. */
  get actorIfKnown(): Actor | undefined {
    return actorOf(this.caller);
  }

  /** The authenticated caller. Known from the first `read` on. */
  get actor(): Actor {
    const actor = actorOf(this.caller);
    if (actor === undefined) throw new Error("The actor was asked for before the first read");
    return actor;
  }

  /** Sets the actor, for a caller who signs in during the call. */
  actAs(actor: Actor): void {
    this.caller = { is: "verified", actor };
  }

  /** Whether the tenant is one of the caller's. Operators and the service itself belong to every tenant. */
  isOf(tenantId: string): boolean {
    return isOf(this.actor, tenantId);
  }

  /**
   * The condition that a row belongs to one of the caller's tenants. Every statement on a tenant's table has this
   * condition or `permitted`. A row that is found by id is authorized after it is loaded (`one`).
   */
  inScope(column: SQLiteColumn): SQL {
    return rowsOf(this.#who(), column);
  }

  /** Like `inScope`, without the tenants in which the caller's role is too low for the endpoint: for lists. */
  permitted(column: SQLiteColumn): SQL {
    return rowsOf({ ...this.#who(), role: this.role }, column);
  }

  /**
   * A query of the `tenant_id` of rows that `permitted` allows, if there may be several tenants; undefined: one or,
   * with `butNotAll`, all of the installation.
   */
  severalTenants({ butNotAll }: { butNotAll: boolean }): SQL | undefined {
    const tenants = tenantsInScope({ ...this.#who(), role: this.role });
    if (tenants === "one") return undefined;
    if (tenants !== "everybody") return tenants;
    return butNotAll
      ? undefined
      : sql`SELECT id AS tenant_id FROM tenants UNION ALL SELECT ${PLATFORM}`;
  }

  /** Like `permitted`, for lists of one owner's rows. An operator's own rows are the platform's. */
  own(column: SQLiteColumn): SQL {
    const { actor, claim } = this.#who();
    return actsAsOperator(actor ?? claim) ? sql`${column} = ${PLATFORM}` : this.permitted(column);
  }

  /** Like `inScope`, with the platform's rows, which everyone may see. */
  inScopeOrPlatform(column: SQLiteColumn): SQL {
    return sql`(${this.inScope(column)} OR ${column} = 'platform')`;
  }

  /** The id of the signed-in user, as a scalar; NULL for other callers. */
  me(): SQL {
    return userIdOf(this.#who());
  }

  /** The id of the request's session, as a scalar; NULL for other callers. */
  mySession(): SQL {
    return sessionIdOf(this.#who());
  }

  #who(): Who {
    return { actor: actorOf(this.caller), claim: claimOf(this.caller), role: undefined };
  }
}

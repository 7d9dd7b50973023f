/**
 * The writes of a change, and their order in the one batch of its commit. First the use case's leading guards, as one
 * statement; then rows, audit entries, events and further guards in its order; then the deliveries of all events. Each
 * statement takes a tenth of a round trip, so statements are combined where possible. No I/O.
 */
import type { SQL } from "drizzle-orm";
import { type Actor, actorText, requireRole } from "#kernel/access/access.ts";
import { type AuditEntry, auditDigests, auditStatement } from "#kernel/audit/audit.ts";
import type { PageSettings } from "#kernel/identity/page-url.ts";
import type { Notification } from "#kernel/outbox/notification.ts";
import {
  deliveryStatements,
  type EventEntry,
  eventsStatement,
  type EventWithTrace,
  type KnownEvent,
} from "#kernel/outbox/outbox.ts";
import { type Condition, type Db, guard, type Statement } from "#platform/db/client.ts";
import type { Trace } from "#platform/trace.ts";
import type { TenantRole } from "#schema/lists/roles.ts";

/** Fails the whole batch unless its condition holds. */
export interface Guard extends Condition {
  write: "guard";
}

/** A statement that writes rows of one tenant. */
export interface RowWrite {
  write: "row";
  /** Null: the row belongs to no tenant (a person, a session, a flag of the installation). */
  tenantId: string | null;
  statement: Statement;
  /** A row that the service keeps for another tenant: no role is required of the caller. */
  asService?: true;
}

export type Write = Guard | RowWrite | AuditEntry | EventEntry | Notification;

/** A type error for a list of writes without an audit entry. */
export type Audited<W extends readonly Write[]> = [Extract<W[number], AuditEntry>] extends [never]
  ? { "A change needs an audit entry": never }
  : unknown;

/** Throws `forbidden` unless the caller's role is sufficient in every tenant in which a row is written. */
export function requireRoleForEach(
  writes: readonly Write[],
  actor: Actor | undefined,
  role: TenantRole | undefined,
): void {
  if (actor === undefined || role === undefined) return;
  for (const write of writes) {
    if (write.write === "audit") requireRole(actor, role, write.tenantId);
    if (write.write === "row" && write.tenantId !== null && write.asService !== true)
      requireRole(actor, role, write.tenantId);
  }
}

/** D1 binds at most 100 parameters. */
const GUARDS_PER_STATEMENT = 5;
const EVENTS_PER_STATEMENT = 5;

export interface UnitOfWork {
  statements: readonly Statement[];
  /** The index of the repeated request's answer, and of the deliveries. */
  answerAt: number;
  deliveriesAt: number;
  notifications: readonly Notification[];
}

export interface UnitContext {
  db: Db;
  env: PageSettings;
  atMs: number;
  newId: () => string;
  requestId: string;
  traceFor: (tenantId: string) => Trace | undefined;
  hops: number | undefined;
  /** Called only if there is an audit entry. */
  actor: () => Actor;
  /** Holds while a cached caller is unchanged. */
  callerHolds: SQL | undefined;
  /** Checked after the use case's leading guards. */
  limits: readonly Guard[];
}

export async function unitOfWork(
  writes: readonly Write[],
  context: UnitContext,
): Promise<UnitOfWork> {
  const { db, env, atMs, newId, traceFor, hops } = context;
  const statements: (Statement | EventWithTrace[])[] = [];
  const begun = writes.findIndex(({ write }) => write !== "guard");
  const first = writes.slice(0, begun === -1 ? undefined : begun) as Guard[];
  // A change of the object in between is reported first, because other violations may follow from it.
  const [moved, others] = [first.filter(isOfVersion), first.filter((each) => !isOfVersion(each))];
  const conditions: Condition[] = [...moved, ...others, ...context.limits];
  if (context.callerHolds !== undefined)
    conditions.unshift({ code: "unauthenticated", holds: context.callerHolds });
  for (let at = 0; at < conditions.length; at += GUARDS_PER_STATEMENT)
    statements.push(guard(db, ...conditions.slice(at, at + GUARDS_PER_STATEMENT)));
  // Before the rows: of two equal concurrent requests, the second must fail on the shared key, not on the object that
  // the first has just created.
  const answerAt = statements.length;
  const notifications: Notification[] = [];
  const events: KnownEvent[] = [];
  for (const write of writes.slice(first.length))
    switch (write.write) {
      case "guard":
        statements.push(guard(db, write));
        break;
      case "row":
        statements.push(write.statement);
        break;
      case "notify":
        notifications.push(write);
        break;
      case "audit":
        statements.push(appendAudit(write, await auditDigests(write), context));
        break;
      case "event": {
        const known = { ...write, id: write.id ?? newId() };
        events.push(known);
        const told = { ...known, trace: traceFor(known.tenantId) };
        const together = statements.find((one) => Array.isArray(one));
        if (
          together !== undefined &&
          isSameAnywhere(known) &&
          together.length < EVENTS_PER_STATEMENT
        )
          together.push(told);
        else statements.push([told]);
      }
    }
  const deliveriesAt = statements.length;
  return {
    statements: [
      ...statements.map((one) =>
        Array.isArray(one) ? eventsStatement(db, one, { env, atMs, hops }) : one,
      ),
      ...deliveryStatements(db, events, atMs),
    ],
    answerAt,
    deliveriesAt,
    notifications,
  };
}

function isOfVersion({ code }: Guard): boolean {
  return code === "conflict";
}

/** Whether the event may be anywhere in the batch, because no part of it depends on the rows. */
function isSameAnywhere({ condition, sequence }: KnownEvent): boolean {
  return condition === undefined && typeof sequence === "number";
}

/** Not asynchronous: a drizzle statement is a thenable, and an await would run it. */
function appendAudit(
  entry: AuditEntry,
  digests: Awaited<ReturnType<typeof auditDigests>>,
  context: UnitContext,
): Statement {
  const { db, atMs, newId, requestId } = context;
  const actor = context.actor();
  return auditStatement(db, entry, {
    id: newId(),
    atMs,
    actor: actorText(actor),
    requestId,
    ...digests,
  });
}

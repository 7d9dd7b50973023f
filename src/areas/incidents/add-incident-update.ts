import { sql } from "drizzle-orm";
import type * as z from "zod";
import { requireBytes } from "#areas/tenants/public.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { ApiError } from "#kernel/errors.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { incidents, type IncidentUpdate, incidentUpdates } from "#schema/incidents.ts";
import type { AddIncidentUpdateBody } from "./contract.ts";
import { updated } from "./incident.ts";
import { findIncident } from "./store.ts";

/** The creation of the incident counts as one. */
const MAX_UPDATES = 500;

export async function addIncidentUpdate(
  call: Call,
  id: string,
  body: z.output<typeof AddIncidentUpdateBody>,
): Promise<IncidentUpdate> {
  const [before] = await call.read(one(findIncident(call, id), "incident"));
  const { tenantId } = before;
  if (!call.isOf(tenantId))
    throw new ApiError(
      "forbidden",
      "This is a platform incident: only operators can post updates to it.",
    );
  call.expectVersion(before.version);
  // Each update raises the version, so the limit holds among concurrent requests too.
  if (before.version >= MAX_UPDATES)
    throw new ApiError(
      "quota_exceeded",
      `The incident has ${before.version} updates; the maximum is ${MAX_UPDATES}. Create another incident and go on there.`,
    );
  const after = updated(before, body, call.now);
  const { status, impact, message } = after;
  const update: IncidentUpdate = {
    tenantId,
    incidentId: id,
    id: call.newId(),
    status,
    impact,
    createdAtMs: call.now,
    message,
  };
  const { id: _, tenantId: __, ...values } = after;
  const resource = { tenantId, type: "incident", id };
  // An update of a resolved incident does not resolve it again.
  const resolves = status === "RESOLVED" && before.status !== "RESOLVED";
  return call.commit(update, [
    call.requireVersion(incidents, before),
    // A resolution is always possible, even above the limit.
    ...(resolves ? [] : await requireBytes(call, "definitionBytes", tenantId)),
    call.write(
      tenantId,
      call.db
        .update(incidents)
        .set(values)
        .where(sql`${incidents.id} = ${id} AND ${incidents.tenantId} = ${tenantId}`),
    ),
    call.write(update.tenantId, call.db.insert(incidentUpdates).values(update)),
    audit("incident.update", resource, { before, after }),
    event(
      resolves ? "incident.resolved" : "incident.updated",
      { ...resource, sequence: after.version },
      { status, impact },
    ),
  ]);
}

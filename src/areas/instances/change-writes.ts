import { and, eq } from "drizzle-orm";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { changedColumns } from "#platform/db/changed-columns.ts";
import { type Instance, instances } from "#schema/instances.ts";

/**
 * The writes of an instance that a caller changes, with the audit entry and the event. `changed`: the fields, as the API
 * names them. `more`: writes that belong to the change. The commit guards the version of the row itself.
 */
export function changeWrites(
  call: Call,
  before: Instance,
  after: Instance,
  { changed, more }: { changed: readonly string[]; more: readonly Write[] },
): Write[] {
  const { id, tenantId } = before;
  const resource = { tenantId, type: "instance", id };
  return [
    call.write(
      tenantId,
      call.db
        .update(instances)
        .set(changedColumns(before, after))
        .where(and(eq(instances.id, id), eq(instances.tenantId, tenantId))),
    ),
    ...more,
    audit("instance.update", resource, { before, after }),
    event(
      "instance.updated",
      { ...resource, sequence: after.version },
      { state: after.state, changed: [...changed], instanceUrl: `/api/v1/instances/${id}` },
    ),
  ];
}

import { sql } from "drizzle-orm";
import type * as z from "zod";
import type { DeploymentRow } from "#areas/deployment-records/public.ts";
import type { Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { notifyAbandon } from "#orchestrator/client/notify-runner.ts";
import { instances } from "#schema/instances.ts";
import { faultOf, isAbandoned } from "#schema/lists/deployment-faults.ts";
import type { AbandonDeploymentBody } from "./contract.ts";
import { requireOpen, statusAfterAbandon } from "./deployment.ts";
import { moveDeployment } from "./move-deployment.ts";
import { getDeployment } from "./read-deployments.ts";

/**
 * Ends an open deployment, even if its runner does not respond. D1 decides. The sweep notifies the
 * runner until it follows. Repeating it changes nothing.
 */
export async function abandonDeployment(
  call: Call,
  id: string,
  { reason }: z.output<typeof AbandonDeploymentBody>,
): Promise<DeploymentRow> {
  const before = await getDeployment(call, id);
  const { tenantId, instanceId } = before;
  const ref = { deploymentId: id, tenantId, instanceId };
  if (isAbandoned(before)) {
    const message = before.error?.message ?? "";
    return call.commitUnaudited(before, [notifyAbandon({ ...ref, message })]);
  }
  requireOpen(before);
  const code = "abandoned";
  const message = `An operator abandoned the deployment: ${reason}`;
  const { after, writes } = moveDeployment(call, before, "FAILED", {
    action: "deployment.abandon",
    event: "deployment.failed",
    error: { code, message, fault: faultOf({ code }) },
  });
  return call.commit(after, [
    ...writes,
    instanceAfter(call, before),
    notifyAbandon({ ...ref, message }),
  ]);
}

/** Moves the instance out of its run's state. The runner writes the other columns when it follows. */
function instanceAfter(call: Call, { id, tenantId, instanceId }: DeploymentRow): Write {
  const moves = Object.entries(statusAfterAbandon);
  const after = sql.join(
    moves.map(([from, to]) => sql`WHEN ${from} THEN ${to}`),
    sql` `,
  );
  return call.write(
    tenantId,
    call.db
      .update(instances)
      .set({
        state: sql`CASE ${instances.state} ${after} END`,
        version: sql`${instances.version} + 1`,
        updatedAtMs: call.now,
      })
      .where(
        sql`${instances.id} = ${instanceId} AND ${call.inScope(instances.tenantId)}
          AND ${instances.lastDeploymentId} = ${id}
          AND ${instances.state} IN ${moves.map(([from]) => from)}`,
      ),
  );
}

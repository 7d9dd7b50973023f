import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { reconcileRunner, type Reconciliation } from "#orchestrator/client/ask-runner.ts";
import { findInstance } from "./store.ts";

/**
 * Has the instance's runner write again what the database lacks; with `dryRun` it only says what. Safe to repeat.
 */
export async function reconcileInstance(
  call: Call,
  id: string,
  how: { dryRun: boolean },
): Promise<Reconciliation & { instanceId: string }> {
  const [{ tenantId }] = await call.read(one(findInstance(call, id), "instance"));
  const reconciled = { instanceId: id, ...(await reconcileRunner(call.env, id, how)) };
  if (how.dryRun) return reconciled;
  return call.commit(reconciled, [
    audit("instance.reconcile", { tenantId, type: "instance", id }, { after: reconciled }),
  ]);
}

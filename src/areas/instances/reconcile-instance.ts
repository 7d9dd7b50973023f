import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { reconcileRunner, type Reconciliation } from "#orchestrator/client/ask-runner.ts";
import { findInstance } from "./store.ts";

/** The instance's runner writes the missing rows again; with `dryRun` it only counts them. Safe to repeat. */
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

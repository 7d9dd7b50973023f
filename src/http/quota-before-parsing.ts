import { soleTenant } from "#kernel/access/access.ts";
import { Replayed } from "#kernel/call/idempotency.ts";
import { ownLimit } from "#kernel/limits/own-limit.ts";
import { quotaLimits } from "#schema/lists/plans.ts";
import { tenants } from "#schema/tenants.ts";
import { type AppContext, type CheckedEndpoint, callOf } from "./request-call.ts";

/**
 * Counts a large body against the quota of the caller's tenant before it is parsed: parsing and the work on it occupy
 * the isolate. The use case asks again, which does not count twice. Only the use case knows the tenant of a caller with
 * several; those are counted there.
 */
export async function spendBeforeParsing(
  c: AppContext,
  endpoint: CheckedEndpoint,
  text: string,
  bytes: number,
): Promise<void> {
  const { quota, quotaBytes } = endpoint;
  if (quota === undefined || quotaBytes === undefined) return;
  c.set("uses", Math.ceil(bytes / quotaBytes));
  // Requests with the same Idempotency-Key and body are one use.
  c.req.bodyCache.text = Promise.resolve(text) as unknown as string;
  c.get("database").leaveReplica();
  const call = await callOf(c, endpoint, () => {
    throw new Error("This call commits nothing");
  });
  if (call.quota === undefined) return;
  try {
    const { id, limits } = tenants;
    const [found] = await call.read(
      call.db.select({ id, limits }).from(tenants).where(call.own(id)),
    );
    const tenantId = soleTenant(call.actor);
    const tenant = found.find((one) => one.id === tenantId);
    if (tenant === undefined) return;
    const plan = await c.get("planLimits")(c.env, c.get("now"));
    const limit = ownLimit(tenant.limits, quotaLimits[quota], plan);
    if (limit !== null) await call.quota.spend(tenant.id, limit);
  } catch (error) {
    // The handler repeats the stored answer and counts nothing.
    if (!(error instanceof Replayed)) throw error;
  } finally {
    c.set("actor", undefined);
  }
}

import type { Bindings } from "#kernel/bindings.ts";
import { describeError, log } from "#platform/log.ts";
import type { QuotaTaken, QuotaUse } from "./quota-counter.ts";

/** Long, so that a slow counter is not mistaken for an unreachable one, which would make the quota inexact. */
const TIMEOUT_MS = 5_000;

/** Counts a use of the tenant's quota. Undefined: the counter did not answer in time and the use is not counted. */
export async function takeQuota(
  env: Pick<Bindings, "QUOTA_COUNTER">,
  tenantId: string,
  use: QuotaUse,
  timeoutMs = TIMEOUT_MS,
): Promise<QuotaTaken | undefined> {
  const timeout = new AbortController();
  try {
    const counter = env.QUOTA_COUNTER.get(env.QUOTA_COUNTER.idFromName(tenantId));
    return await Promise.race([
      counter.take(use),
      scheduler.wait(timeoutMs, { signal: timeout.signal }).then(() => {
        throw new Error(`No answer within ${timeoutMs} ms`);
      }),
    ]);
  } catch (error) {
    log("warn", "A quota could not be counted; the request proceeds uncounted", {
      quota: use.quota,
      tenantId,
      error: describeError(error),
    });
    return undefined;
  } finally {
    timeout.abort();
  }
}

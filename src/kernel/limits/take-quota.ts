import type { Bindings } from "#kernel/bindings.ts";
import { describeError, log } from "#platform/log.ts";
import type { QuotaTaken, QuotaUse } from "./quota-counter.ts";

/** Long: an object that is only slow must not make a quota inexact. */
const PATIENCE_MS = 5_000;

/** Asks the tenant's counter. Undefined: it does not answer, and the use is not counted. */
export async function takeQuota(
  env: Pick<Bindings, "QUOTA_COUNTER">,
  tenantId: string,
  use: QuotaUse,
  patienceMs = PATIENCE_MS,
): Promise<QuotaTaken | undefined> {
  const enough = new AbortController();
  try {
    const counter = env.QUOTA_COUNTER.get(env.QUOTA_COUNTER.idFromName(tenantId));
    return await Promise.race([
      counter.take(use),
      scheduler.wait(patienceMs, { signal: enough.signal }).then(() => {
        throw new Error(`No answer within ${patienceMs} ms`);
      }),
    ]);
  } catch (error) {
    log("warn", "A quota could not be counted; the request goes on uncounted", {
      quota: use.quota,
      tenantId,
      error: describeError(error),
    });
    return undefined;
  } finally {
    enough.abort();
  }
}

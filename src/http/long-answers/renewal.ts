/**
 * Answers that last longer than the moment in which their caller was authorized: event streams, and answers that
 * `Prefer: wait` holds. They ask again for the right at each heart beat, and end without it (decision 0004).
 */
import type { AppContext, CheckedEndpoint } from "#http/request-call.ts";
import { authenticate } from "#kernel/authn/authenticate.ts";
import { Call } from "#kernel/call/call.ts";
import { newId } from "#platform/ids.ts";

/** The longest time for which an answer goes on without asking again. Only tests change it. */
export const heartbeat = { intervalMs: 15_000 };

/** The same request as a new call: whatever is read through it is authenticated and authorized at that time. */
export type Renew = () => Promise<Call>;

/**
 * Renewing throws `unauthenticated`; the new call's first read throws what the same request would get now. No cache and
 * no copy of the database is asked, and an open answer is no use of its session: it would never be idle.
 */
export function renewalOf(c: AppContext, endpoint: CheckedEndpoint): Renew {
  const { req } = c;
  const credential = {
    authorization: req.header("authorization"),
    cookie: req.header("cookie"),
    url: req.url,
    address: c.get("address"),
    mayUseCache: false,
  };
  return async () => {
    const now = Date.now();
    c.get("database").leaveReplica();
    const { caller } = await authenticate(credential, { env: c.env, now });
    return new Call({
      env: c.env,
      db: c.get("db"),
      now,
      newId,
      requestId: c.get("requestId"),
      caller,
      access: endpoint.access,
      trace: c.get("trace"),
      after: (work) => c.executionCtx.waitUntil(work),
    });
  };
}

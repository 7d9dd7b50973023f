/**
 * Authorization of long answers: event streams, and answers held by `Prefer: wait`. Each heartbeat authorizes the
 * caller again, and the answer ends without the right (decision 0004).
 */
import type { AppContext, CheckedEndpoint } from "#http/request-call.ts";
import { authenticate } from "#kernel/authn/authenticate.ts";
import { Call } from "#kernel/call/call.ts";
import { newId } from "#platform/ids.ts";

/** The longest time between two authorizations of an answer. Only tests change it. */
export const heartbeat = { intervalMs: 15_000 };

/** The same request as a new call: its reads are authenticated and authorized at that time. */
export type Renew = () => Promise<Call>;

/**
 * Throws `unauthenticated`; the new call's first read throws the error that the same request would get now. It bypasses
 * caches and database copies. An open answer does not count as use of its session, which would otherwise never be idle.
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

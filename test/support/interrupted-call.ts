import { env } from "cloudflare:workers";
import { Call } from "#kernel/call/call.ts";
import { openDb } from "#platform/db/client.ts";
import { newId } from "#platform/ids.ts";

/** A call of this tenant with `between` run between its read and its commit: it always loses the race. */
export function interruptedCall(tenantId: string, between: () => Promise<unknown>): Call {
  const writing = new WeakSet<D1PreparedStatement>();
  let interrupted = false;
  const database = {
    prepare: (query: string) => {
      const statement = env.DB.prepare(query);
      if (!/^\s*(?:insert|update|delete)\b/i.test(query)) return statement;
      return {
        bind: (...values: unknown[]) => {
          const bound = statement.bind(...values);
          writing.add(bound);
          return bound;
        },
      } as D1PreparedStatement;
    },
    batch: async (statements: D1PreparedStatement[]) => {
      if (!interrupted && statements.some((statement) => writing.has(statement))) {
        interrupted = true;
        await between();
      }
      return env.DB.batch(statements);
    },
  } as D1Database;
  return new Call({
    env,
    db: openDb(database),
    now: Date.now(),
    newId,
    requestId: "interrupted",
    caller: { kind: "key", name: "k", tenantId, scopes: ["*"], role: "CustomerOwner" },
    access: "public",
    after: () => undefined,
  });
}

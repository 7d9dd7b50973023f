/** Records every SQL statement that the service sends to D1 in this isolate. */
import { env } from "cloudflare:workers";

const heard = new Set<string>();

let hearing = false;

/** Call it before the first request; repeated calls do nothing. */
export function hearStatements(): void {
  if (hearing) return;
  hearing = true;
  // A binding, and a session of it.
  for (const one of [env.DB, env.DB.withSession()]) {
    const d1 = Object.getPrototypeOf(one) as { prepare: D1Database["prepare"] };
    const { prepare } = d1;
    d1.prepare = function (this: D1Database, query: string) {
      // Statements of tests are not the service's.
      if (!heard.has(query) && !callerOf(d1.prepare).includes("/test/")) heard.add(query);
      return prepare.call(this, query);
    };
  }
}

/**
 * The file that calls the function. A stack as text would take many times longer, because each place is looked up in
 * its source.
 */
function callerOf(called: (...args: never[]) => unknown): string {
  // oxlint-disable-next-line typescript/unbound-method -- it is put back, not called
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = 1;
    Error.prepareStackTrace = (_, [site]) => site?.getFileName() ?? "";
    const at: { stack?: unknown } = {};
    Error.captureStackTrace(at, called);
    return String(at.stack);
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
}

export function heardStatements(): readonly string[] {
  return [...heard];
}

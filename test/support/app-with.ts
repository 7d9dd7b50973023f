/** The app with different variables and bindings. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { app } from "#app.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { type Answer, answered } from "./api.ts";

export type AppSend = (method: string, path: string, init?: RequestInit) => Promise<Answer>;

/**
 * Like `send` of api.ts. `path` is below `/api/v1`, or a whole URL. Waits for work that continues after the
 * answer.
 */
export function appWith(more: Partial<Bindings>): AppSend {
  const bindings: Bindings = { ...(env as Bindings), ...more };
  // A database of a test that has no replicas.
  const { DB } = bindings;
  if (!("withSession" in DB))
    Object.assign(DB, {
      withSession: () => Object.assign(Object.create(DB) as object, { getBookmark: () => null }),
    });
  return async (method, path, init = {}) => {
    const context = createExecutionContext();
    const url = /^https?:/.test(path) ? path : `https://control.test/api/v1${path}`;
    const response = await app.fetch(new Request(url, { ...init, method }), bindings, context);
    const answer = await answered(response);
    await waitOnExecutionContext(context);
    return answer;
  };
}

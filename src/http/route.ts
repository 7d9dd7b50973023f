import type { Hono } from "hono";
import type * as z from "zod";
import type { Call } from "#kernel/call/call.ts";
import { Replayed, type StoredAnswer } from "#kernel/call/idempotency.ts";
import { retryOnConflict } from "#kernel/call/retry-on-conflict.ts";
import {
  answerOf,
  nextLink,
  PLAIN_TEXT,
  replayedHeader,
  respond,
  textResponse,
  wantsText,
} from "./answer.ts";
import { checksOf } from "./checks.ts";
import type { Endpoint, Input } from "./endpoint.ts";
import { type WhenEnded, heldAnswer } from "./long-answers/held-answer.ts";
import { newApp } from "./middleware/new-app.ts";
import { addReader, type Reader } from "./repeated/answer-readers.ts";
import { readAgain } from "./repeated/read-again.ts";
import { type AppContext, type AppEnv, bodyText, callOf } from "./request-call.ts";

/** Makes a Hono route from a declaration: the checks, the use case, and the answer made of its result. */
export interface Route {
  endpoint: Endpoint;
  mount: (app: Hono<AppEnv>) => void;
}

/** Maximum attempts of a use case whose object changes between its read and its commit. */
const MAX_TRIES = 10;

/**
 * Joins an endpoint, its use case and the view of its result; for an endpoint that declares `waits`, also the answer
 * after its work has ended. `asText`: the view as lines for people, for callers who accept `text/plain` and not JSON.
 */
export function route<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
  R,
>(
  endpoint: Endpoint<P, Q, B, A>,
  useCase: (call: Call, input: Input<P, Q, B>) => Promise<R>,
  ...view: [A] extends [z.ZodNever]
    ? []
    : [
        show: (result: R, call: Call) => z.input<A>,
        whenEnded?: WhenEnded<A> | undefined,
        asText?: (view: z.input<A>) => string,
      ]
): Route {
  const show = view[0] as ((result: unknown, call: Call) => unknown) | undefined;
  const whenEnded = view[1];
  const asText = view[2];
  if ((asText === undefined) === (endpoint.answer.otherMediaTypes?.includes(PLAIN_TEXT) === true))
    throw new Error(`${endpoint.operationId} has to declare ${PLAIN_TEXT}, and to make it`);
  if (endpoint.method === "GET" && show !== undefined)
    addReader({
      endpoint,
      useCase: useCase as unknown as Reader["useCase"],
      show,
    });
  if ((whenEnded === undefined) === (endpoint.waits === true))
    throw new Error(`${endpoint.operationId} has to declare that it waits, and to say how`);
  return handlerRoute(endpoint, async (c, input) => {
    const begun: Promise<unknown>[] = [];
    const finish = async (call: Call, answer: StoredAnswer): Promise<Response> =>
      respond(
        c,
        endpoint,
        whenEnded === undefined
          ? answer
          : await heldAnswer(c, { endpoint, call, answer, whenEnded, begun }),
      );
    const attempt = async (): Promise<Response> => {
      const stored: { result?: unknown; answer?: StoredAnswer } = {};
      const answerTo = (result: unknown): StoredAnswer => {
        const answer = answerOf(endpoint, result, show?.(result, call));
        return Object.assign(stored, { result, answer }).answer;
      };
      const call: Call = await callOf(c, endpoint, answerTo, (work) => begun.push(work));
      try {
        const result = await useCase(call, input);
        await call.authenticate();
        await call.keepAnswer(result);
        // The stored answer is the answer of this request too.
        if (stored.answer !== undefined && stored.result === result)
          return await finish(call, stored.answer);
        const view = show?.(result, call);
        if (asText !== undefined && wantsText(c.req.header("accept")))
          return textResponse(asText(view as z.input<A>));
        const { headers, ...answer } = answerOf(endpoint, result, view);
        return await finish(call, { ...answer, headers: { ...headers, ...nextLink(c, view) } });
      } catch (error) {
        await call.authenticateCached();
        if (!(error instanceof Replayed)) throw error;
        const stored =
          error.answer.isPart === true
            ? await readAgain(endpoint, error, {
                call: await callOf(c, endpoint),
                params: input.params ?? {},
                sent: await bodyText(c),
              })
            : error.answer;
        if (whenEnded === undefined) throw new Replayed(stored);
        const { headers, ...answer } = stored;
        return finish(call, { ...answer, headers: { ...headers, ...replayedHeader } });
      }
    };
    // With If-Match, the next attempt reads another version and answers 412.
    return retryOnConflict(MAX_TRIES, attempt);
  });
}

/**
 * An endpoint whose answer is not a JSON view: it gets the context and returns the response at once. An answer that
 * lasts longer is a `streamRoute`, which authorizes the caller again.
 */
export function plainRoute<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
>(
  endpoint: Endpoint<P, Q, B, A>,
  handler: (c: AppContext, input: Input<P, Q, B>) => Promise<Response>,
): Route {
  if (
    endpoint.waits === true ||
    endpoint.answer.otherMediaTypes?.includes("text/event-stream") === true
  )
    throw new Error(`${endpoint.operationId} answers for longer than a plain route may`);
  return handlerRoute(endpoint, handler);
}

/** The base of the other kinds of routes, which areas use. */
export function handlerRoute<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
>(
  endpoint: Endpoint<P, Q, B, A>,
  handler: (c: AppContext, input: Input<P, Q, B>) => Promise<Response>,
): Route {
  const checks = checksOf(endpoint);
  return {
    endpoint,
    mount: (app) => {
      const path = endpoint.path.replace(/\{(\w+)\}/g, ":$1");
      app.on(endpoint.method, [path], ...checks, async (c: AppContext) => {
        const valid = (target: "param" | "query" | "json") => c.req.valid(target as never);
        const input = { params: valid("param"), query: valid("query"), body: valid("json") };
        try {
          return await handler(c, input);
        } catch (error) {
          // A copy may lack the newest objects and rights: the primary decides.
          if (!c.get("database").leaveReplica()) throw error;
          return handler(c, input);
        }
      });
    },
  };
}

/** The sub-router of one area. */
export function areaRouter(routes: readonly Route[]): Hono<AppEnv> {
  const app = newApp();
  for (const { mount } of routes) mount(app);
  return app;
}

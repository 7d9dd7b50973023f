/** Makes the `Call` of a use case from a request. */
import type { Context } from "hono";
import type { Actor } from "#kernel/access/access.ts";
import type { Claim } from "#kernel/access/claim.ts";
import type { Bindings } from "#kernel/bindings.ts";
import type { CallParts } from "#kernel/call/call-parts.ts";
import { Call } from "#kernel/call/call.ts";
import {
  type StoredAnswer,
  badIdempotencyKey,
  isIdempotencyKey,
  repetitionOf,
} from "#kernel/call/idempotency.ts";
import type { ApiError } from "#kernel/errors.ts";
import { enforceChangeLimits } from "#kernel/limits/change-limits.ts";
import { takeQuota } from "#kernel/limits/take-quota.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { sealerFrom } from "#platform/crypto/seal.ts";
import type { Db } from "#platform/db/client.ts";
import type { RequestDb } from "#platform/db/request-db.ts";
import { newId } from "#platform/ids.ts";
import type { Trace } from "#platform/trace.ts";
import { type Limits, QUOTA_WINDOW_SECONDS } from "#schema/lists/plans.ts";
import { type Endpoint, isMutation, takesIdempotencyKey } from "./endpoint.ts";
import { countTenantChange, type LimitState, tooMany } from "./rate-limit.ts";
import { partOfAnswer } from "./repeated/answer-readers.ts";

/** The limits of each tenant by the installation's plan, at a time. */
export type PlanLimits = (env: Bindings, nowMs: number) => Promise<Limits>;

/** The state that the middleware sets for the routes. */
export interface RequestState {
  requestId: string;
  now: number;
  database: RequestDb;
  db: Db;
  /** The network of the sender, by which rate limits count. */
  address: string;
  trace: Trace;
  caller: Actor | Claim | undefined;
  /** The caller at a later time than the start of the request. */
  callerAt: (now: number) => Promise<Actor | Claim | undefined>;
  principal: string;
  /** The credential was verified in this isolate before, so it is not invented. It may have ended since. */
  isKnown: boolean;
  /** Why the credential was refused; thrown by endpoints that are not public. */
  refusal: ApiError | undefined;
  /** A unique id of this request, independent of the request id that it sent. Set once it uses a quota. */
  use: string | undefined;
  /** The number of times that the request counts against its quota; undefined: once. */
  uses: number | undefined;
  planLimits: PlanLimits;
  /** The limits that the answer reports in its headers. */
  limits: LimitState[];
  /** Set once the caller is authenticated. */
  actor: Actor | undefined;
}

export type AppEnv = { Bindings: Bindings; Variables: RequestState };
export type AppContext = Context<AppEnv>;

export type CheckedEndpoint = Pick<
  Endpoint,
  | "access"
  | "secretAnswer"
  | "method"
  | "safe"
  | "unkeyed"
  | "quota"
  | "quotaBytes"
  | "path"
  | "location"
  | "shows"
  | "answer"
>;

/**
 * The call of this request. Its first read authenticates the caller. A public endpoint ignores credentials, even
 * invalid ones.
 */
export async function callOf(
  c: AppContext,
  endpoint: CheckedEndpoint,
  answerTo?: (result: unknown) => StoredAnswer,
  onBegun?: (work: Promise<unknown>) => void,
): Promise<Call> {
  const isPublic = endpoint.access === "public";
  // A sign-in writes by GET, and public endpoints take no bookmark.
  if (isPublic) c.get("database").leaveReplica();
  const key =
    answerTo !== undefined && takesIdempotencyKey(endpoint)
      ? c.req.header("idempotency-key")
      : undefined;
  if (key !== undefined && !isIdempotencyKey(key)) {
    await authenticateCaller(c, endpoint);
    throw badIdempotencyKey();
  }
  const sent = key === undefined ? "" : await bodyText(c);
  const repetition =
    key === undefined || answerTo === undefined
      ? undefined
      : repetitionOf(
          {
            principal: isPublic ? "public" : c.get("principal"),
            // A public endpoint's path may contain a secret token: only its digest is stored.
            operation: `${c.req.method} ${isPublic ? await digestHex(c.req.path) : c.req.path}`,
            key,
            bodyDigest: await digestHex(`${new URL(c.req.url).search}\n${sent}`),
            now: c.get("now"),
          },
          answerTo,
          (body) => partOfAnswer(endpoint, body, sent),
          endpoint.secretAnswer === true ? sealerFrom(c.env.SEALING_KEYS) : undefined,
        );
  const isChange = isMutation(c.req.method);
  const ifMatch = c.req.header("if-match");
  const ifNoneMatch = isChange ? c.req.header("if-none-match") : undefined;
  const quota = quotaOf(c, endpoint, repetition);
  return new Call({
    env: c.env,
    db: c.get("db"),
    now: c.get("now"),
    newId,
    requestId: c.get("requestId"),
    caller: isPublic ? undefined : (c.get("actor") ?? c.get("caller")),
    access: endpoint.access,
    ...(repetition === undefined ? {} : { repetition }),
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
    trace: c.get("trace"),
    ...(quota === undefined ? {} : { quota }),
    ...(isPublic || c.env.RATE_LIMITS === "off"
      ? {}
      : { countChange: (tenantId) => countTenantChange(c.env, tenantId) }),
    ...(isPublic
      ? {}
      : {
          limitChange: async (entry) =>
            enforceChangeLimits(
              entry,
              await c.get("planLimits")(c.env, c.get("now")),
              c.get("now"),
            ),
        }),
    after: (work) => {
      c.executionCtx.waitUntil(work);
      onBegun?.(work);
    },
    onAuthenticated: (actor) => c.set("actor", actor),
  });
}

/**
 * Counts the endpoint's quota: once per request, however often its use case runs, and once for requests with the
 * same Idempotency-Key. The answer's headers report the result.
 */
function quotaOf(
  c: AppContext,
  { quota }: CheckedEndpoint,
  repetition: { name: string } | undefined,
): CallParts["quota"] {
  if (quota === undefined || c.env.RATE_LIMITS === "off") return undefined;
  const spend = async (tenantId: string, limit: number): Promise<void> => {
    const own = c.get("use") ?? newId();
    c.set("use", own);
    const use = repetition === undefined ? own : await digestHex(repetition.name);
    const taken = await takeQuota(c.env, tenantId, {
      quota,
      limit,
      use,
      times: c.get("uses") ?? 1,
    });
    if (taken === undefined) return;
    const { granted, ...left } = taken;
    const state = { name: quota, quota: limit, windowSeconds: QUOTA_WINDOW_SECONDS, ...left };
    c.set("limits", [...c.get("limits").filter(({ name }) => name !== quota), state]);
    if (!granted)
      throw tooMany(
        `The tenant's quota of ${quota} is used up: ${limit} within any ${QUOTA_WINDOW_SECONDS} seconds. Try again in ${left.resetSeconds} s.`,
        left.resetSeconds,
      );
  };
  return { name: quota, spend };
}

/** The body as sent, if it was read. Hono's cache holds promises, although its type names the values. */
export async function bodyText(c: AppContext): Promise<string> {
  return (c.req.bodyCache.text as unknown as Promise<string> | undefined) ?? "";
}

/** Authenticates the caller before an error about the request is returned. */
export async function authenticateCaller(c: AppContext, endpoint: CheckedEndpoint): Promise<void> {
  c.get("database").leaveReplica();
  const call = await callOf(c, endpoint);
  await call.authenticate();
}

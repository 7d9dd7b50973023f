import type { Bindings } from "#kernel/bindings.ts";
import { type Db, openDb } from "#platform/db/client.ts";
import { newId } from "#platform/ids.ts";
import { Call } from "./call.ts";

export interface ServiceCallParts {
  env: Bindings;
  /** The part of the service that acts, as the audit log names it. */
  name: string;
  nowMs: number;
  /** What a change belongs to in the audit log. Default: a new id. */
  requestId?: string;
  /** Default: one of its own. */
  db?: Db;
  newId?: () => string;
  /** The length of the chain of triggers that caused the call. */
  hops?: number | undefined;
  /** Runs on after the call, or is collected to be awaited. */
  after: (work: Promise<unknown>) => void;
}

/** A call of the service itself, for messages, the clock and public pages: there is no caller to authenticate. */
export function serviceCall({ env, name, nowMs, after, ...given }: ServiceCallParts): Call {
  const makeId = given.newId ?? newId;
  return new Call({
    env,
    db: given.db ?? openDb(env.DB),
    now: nowMs,
    newId: makeId,
    requestId: given.requestId ?? makeId(),
    caller: { kind: "system", name },
    access: "public",
    ...(given.hops === undefined ? {} : { hops: given.hops }),
    after,
  });
}

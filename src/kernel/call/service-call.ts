import type { Bindings } from "#kernel/bindings.ts";
import { type Db, openDb } from "#platform/db/client.ts";
import { newId } from "#platform/ids.ts";
import { Call } from "./call.ts";

export interface ServiceCallParts {
  env: Bindings;
  /** The acting part of the service, by its name in the audit log. */
  name: string;
  nowMs: number;
  /** The request of the audit entries. Default: a new id. */
  requestId?: string;
  /** Default: the call's own. */
  db?: Db;
  newId?: () => string;
  /** The length of the chain of triggers that caused the call. */
  hops?: number | undefined;
  /** Continues after the call, or is collected to be awaited. */
  after: (work: Promise<unknown>) => void;
}

/** A call of the service itself, for messages, the clock and public pages. It has no caller to authenticate. */
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

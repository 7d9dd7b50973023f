import type { Json, JsonMap } from "#platform/json.ts";
import type {
  Account,
  AccountNeeds,
  FailureMeaning,
  Outcome,
  Provider,
  ProviderContext,
  RateBudget,
  Spreading,
  Verified,
} from "#providers/provider.ts";
import type { Answer, TransportRequest } from "#providers/transport.ts";
import type { DueItem } from "./rest-part.ts";
import type { Paging, RestType } from "./rest-type.ts";
import type { RestTypes } from "./rest-types.ts";

export type Failed = Extract<Outcome, { kind: "failed" }>;

export interface RequestSpec {
  /** The call that the answer is of. Absent: the one that is being made, or `read` for a GET. */
  verb?: Answered["verb"];
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The name of one of the definition's `hosts`, `""` for `baseUrl`. Absent: the row's. */
  host?: string;
  /** A path of the row with placeholders, or a complete one with `filled`. */
  path: string;
  filled?: true;
  id?: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Json;
  /** A form as the body, in place of `body`. */
  form?: Readonly<Record<string, string>>;
  /** The body as it is, in place of `body`; `headers` say its content type. */
  text?: string;
  /** Signs this request in place of the definition's `authorize`, also one for a session. */
  authorize?: RestProviderDefinition["authorize"];
}

export type RequestResult =
  | { ok: true; answer: Answer }
  /** `sessionEnded`: the same may succeed with another session. */
  | { ok: false; status?: number; failed: Failed; sessionEnded?: true };

export interface ProviderError {
  /** The provider's code, or one in snake_case. */
  code: string;
  message: string;
  /**
   * Absent: `busy`, `stale` and `throttled` are retryable and no other meaning is; without a meaning the status decides
   * (408, 425, 429, 500, 502, 503 and 504 are retryable).
   */
  retryable?: boolean;
  /** Milliseconds. Absent: `Retry-After` applies. */
  afterMs?: number;
  /**
   * A failure with a meaning had no effect. Absent: decided by the status: 404 and 410 `gone`, 409 of a create `exists`,
   * 401 and 403 `denied`, 412 `stale`, 429 `throttled`, 400 and 422 `invalid`; no other has one.
   */
  means?: FailureMeaning;
  spreads?: Spreading;
  /** Of `denied`: the right that the credential lacks, by the cloud's name, if it says so. */
  permission?: string;
}

/** The call that an answer is of. */
export interface Answered {
  verb: "create" | "read" | "update" | "delete" | "list" | "poll" | "session" | "verify";
  type?: string;
}

/**
 * The state of an asynchronous operation. `id`: what it makes or changes. `place`: where a create makes it, which proves
 * nothing: an object there may be another's.
 */
export type OperationState =
  | { state: "running"; id?: string; place?: string; afterMs?: number }
  | { state: "done"; id?: string }
  | {
      state: "failed";
      code: string;
      message: string;
      means?: FailureMeaning;
      spreads?: Spreading;
      id?: string;
      place?: string;
    };

/** For providers that answer a change with an operation to poll. */
export interface Poller {
  /** The operation that this answer started, as JSON to store; `undefined` when the answer is the object. */
  started(answer: Answer, verb: "create" | "update" | "delete", row: RestType): Json | undefined;
  /** The id of the operation's object, if the answer that started it says so. The operation's own name is not it. */
  objectId?(answer: Answer): string | undefined;
  /** The path below the base URL, or a URL at a declared host, to GET the operation's state. */
  path(operation: Json): string;
  read(answer: Answer, operation: Json): OperationState;
}

/** A token that is obtained with the credential and used until it expires. */
export interface SessionMaker {
  /** Absent: calls always need a session. */
  needed?(context: ProviderContext): boolean;
  /** What the session depends on besides the credential and the target: a region, a role. Part of the digest of its key. */
  scope?(context: ProviderContext): Json;
  /**
   * Makes bounded requests through `ask`, each with its own `authorize`. May throw when the credential cannot sign. A
   * failure is judged like that of any call, but not as one of the call that needs the session.
   */
  obtain(context: ProviderContext, ask: SessionRequest): Promise<Session | Failed>;
  /** Whether an answer no longer accepts the session, besides a 401. */
  ended?(answer: Answer): boolean;
}

/** Sends a request for a session to a declared host; the answer's JSON, which is an object. */
export type SessionRequest = (
  spec: RequestSpec,
) => Promise<{ ok: true; json: JsonMap; answer: Answer } | { ok: false; failed: Failed }>;

export interface Session {
  kind: "session";
  token: Json;
  /** Epoch milliseconds. */
  expiresMs: number;
}

/** A cloud whose calls are not REST: it turns each verb into a request, and an answer into its meaning. */
export interface Dialect {
  request(
    verb: "create" | "read" | "update" | "delete" | "list" | "poll",
    call: DialectCall,
  ): RequestSpec | Failed;
  /**
   * The body of an update from the current object, for rows whose `update` is `DIALECT`. Undefined: nothing has to
   * change.
   */
  patch?(change: SentChange, of: { row: RestType; current: JsonMap }): Json | undefined;
  /** The answer as a REST cloud would give it: the object, with its id, or the operation's state. */
  read(answer: Answer, verb: Answered["verb"], call: DialectCall): DialectAnswer;
}

export interface DialectCall {
  type: string;
  row: RestType;
  context: ProviderContext;
  properties: JsonMap;
  /** Properties as last applied, of an update. */
  before?: JsonMap;
  /** The body of a create or an update by its row: with the mark, without properties that only the cloud sets. */
  body?: Json;
  /** The current object, of a change that reads it first. */
  current?: JsonMap;
  id?: string;
  token?: string;
  /** Of a poll. */
  operation?: Json;
  /** Of a further page of a list. */
  page?: Json;
}

export type DialectAnswer =
  | { kind: "object"; id: string; object: JsonMap }
  | { kind: "list"; items: readonly { id: string; object?: JsonMap }[]; next?: Json }
  | { kind: "operation"; operation: Json; state: OperationState }
  | { kind: "gone" }
  | Failed;

/** The change of an update as its row sends it: with the marks, without properties that have a call of their own. */
export interface SentChange {
  before: JsonMap;
  after: JsonMap;
  /** Whether `before` was applied is not known. */
  unsure: boolean;
}

/** A request before the call for an item. Its placeholders are those of the call. */
export interface ItemQuestion {
  request: RequestSpec;
  /** The meaning of the answer: the item is done, its call is due, or its spelling, which then fills `{item}`. */
  told(json: Json | undefined): "done" | "due" | { item: Json };
  /** The meaning of `gone`. Absent: the call fails with it, as with every other refusal. */
  gone?: "done" | "due";
}

/** A create, an update or a delete whose request is made. */
export interface ChangeRequest {
  row: RestType;
  context: ProviderContext;
  properties: JsonMap;
  verb: "create" | "update" | "delete";
  /** Of an update. */
  change?: SentChange;
  /** The object as it is now, if it was read before the change. */
  current?: JsonMap;
}

/**
 * The differences between a cloud's calls and its rows: pure functions in the cloud's own folder. They get the cloud's
 * own rows, which may have members besides those of `RestType`.
 */
export interface RestHooks {
  /** The row with this config and these properties, where they change how the cloud behaves. */
  rowIn?(row: RestType, config: JsonMap, properties: JsonMap): RestType;
  /** Headers of every request for an object of the row. */
  headers?(context: ProviderContext, row: RestType): Readonly<Record<string, string>>;
  /** Whether this change reads the object first. */
  readsFirst?(verb: "update" | "delete", row: RestType): boolean;
  /** The request of a change, as this cloud takes it. Dialects and calls of parts do not use it. */
  prepare?(request: RequestSpec, change: ChangeRequest): RequestSpec;
  /**
   * The request that puts an update by parts into effect, at its end, where the cloud only stores changes. Until then
   * nobody waits for the object.
   */
  effectOf?(row: RestType): RequestSpec | undefined;
  /** The question before the call for an item of the object with this id. Undefined: none. */
  beforeItem?(due: DueItem, id: string): ItemQuestion | undefined;
  /**
   * The request that brings back the deleted object of the known id, where the cloud keeps it for a time. Its answer
   * ends it. Undefined: none is kept.
   */
  undelete?(row: RestType, properties: JsonMap): RequestSpec | undefined;
  /**
   * The requests that remove what an object leaves behind, made once its delete is accepted. The object is read before.
   * Their answers do not change the outcome.
   */
  leftovers?(row: RestType): ((object: JsonMap) => readonly RequestSpec[]) | undefined;
  /** The objects in the answer to a list. Absent: those at the row's `envelope.list`. */
  listed?(json: Json | undefined, row: RestType): Json | undefined;
  /** The body of an error in an answer to a create or update whose status says success. */
  refusalIn?(json: Json | undefined, row: RestType): Json | undefined;
  /** Shown values, by their paths, of an object that is not usable yet, whatever the row's `state` says. */
  waitsFor?(shown: Json | undefined, row: RestType): Readonly<Record<string, Json>> | undefined;
  /** The provider itself compares found objects with the sent properties. Absent: the shared code does. */
  comparesFound?: true;
  /**
   * The only id that the object of a create can have, which is then read instead of a list. Unlike `id.known` it does
   * not show whose the object is.
   */
  onlyId?(row: RestType, properties: JsonMap): string | undefined;
}

/** The parts in which a provider differs from the shared implementation. */
export interface RestProviderDefinition
  extends
    RestHooks,
    Pick<Provider, "credential" | "config" | "concurrency" | "connect" | "federation"> {
  types: RestTypes;
  /** Without a trailing slash. The operator's `endpoint`, if any, takes precedence. */
  baseUrl(context: ProviderContext): string;
  /** Query parameters of every request. */
  query?(context: ProviderContext): Readonly<Record<string, string>>;
  /** The authorization headers of this request. May throw when the credential cannot sign. */
  authorize(
    request: TransportRequest,
    context: ProviderContext,
  ): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  readError(answer: Answer, of: Answered): ProviderError;
  /**
   * Codes by which the cloud does not say whether an object is gone or hidden from the identity. It is gone if a list of
   * where it was does not have it.
   */
  hides?: readonly string[];
  /**
   * The cloud's regions, with spaces between them, and the form of names that others may have. A create or update in
   * any other is refused before a call. Absent: the cloud decides.
   */
  regions?: { known: string; others?: RegExp };
  /** How lists are paged; default: they are not. */
  paging?: Paging;
  /**
   * Further hosts by name, for rows and sessions: requests go to these and to `baseUrl` alone. None is named `""`. The
   * region in a host or base URL is `[a-z0-9-]+`; a call at another is refused.
   */
  hosts?: Readonly<Record<string, (context: ProviderContext) => string>>;
  session?: SessionMaker;
  dialect?: Dialect;
  /** The id that an object shows, where no path of its row leads to it. Absent or undefined: the row's `id`. */
  idIn?(object: JsonMap, row: RestType, context: ProviderContext): string | undefined;
  /** The rate budget by an answer's headers. */
  readBudget?(answer: Answer, nowMs: number): RateBudget | undefined;
  poller?: Poller;
  /** As of `Account`. */
  accountNameChanges?: true;
  /** As `Provider.account`, by at most two requests. */
  account?(
    context: ProviderContext,
    request: (spec: RequestSpec) => Promise<RequestResult>,
  ): Promise<string | Pick<Account, "id" | "alias"> | Failed>;
  /** A cheap GET that succeeds only with a valid credential. */
  verifyPath: string;
  /**
   * The check of a target where one GET is not enough, for example for an enabled region: at most five requests through
   * `request`. `refused` turns a failed one into the answer for the user.
   */
  verify?(
    context: ProviderContext,
    request: (spec: RequestSpec) => Promise<RequestResult>,
    refused: (result: Extract<RequestResult, { ok: false }>) => Verified,
  ): Promise<Verified>;
  /** As `Provider.needs`, by at most thirty requests through `request`, one after the other. */
  needs?(
    context: ProviderContext,
    types: ReadonlyMap<string, number>,
    request: (spec: RequestSpec) => Promise<RequestResult>,
  ): Promise<AccountNeeds>;
}

import type { Json, JsonMap } from "#platform/json.ts";
import type {
  FailureMeaning,
  Outcome,
  Provider,
  ProviderContext,
  RateBudget,
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
  /** What the session depends on besides the credential and the target: a region, a role. Part of the digest under which it is kept. */
  scope?(context: ProviderContext): Json;
  /**
   * Makes bounded requests, by `ask`, which authorizes them as they say themselves. May throw when the credential cannot sign. A
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

/** A cloud whose calls are not REST: it says how each verb becomes a request, and what an answer means. */
export interface Dialect {
  request(
    verb: "create" | "read" | "update" | "delete" | "list" | "poll",
    call: DialectCall,
  ): RequestSpec | Failed;
  /**
   * The body of an update from the object as it is now, for rows whose `update` is `DIALECT`. Undefined: the object is
   * as it is to be.
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
  /** What a create or an update sends, as the row says: with the mark, without what only the cloud sets. */
  body?: Json;
  /** The object as it is now, of a change before which it is read. */
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

/** What an update changes, as its row sends it: with the marks, without what has a call of its own. */
export interface SentChange {
  before: JsonMap;
  after: JsonMap;
  /** Whether `before` was applied is not known. */
  unsure: boolean;
}

/** A request before the call for an item. Its placeholders are those of the call. */
export interface ItemQuestion {
  request: RequestSpec;
  /** What the answer says: the item is done, its call is due, or the cloud's spelling of it, which then fills `{item}`. */
  told(json: Json | undefined): "done" | "due" | { item: Json };
  /** What `gone` says. Absent: the call fails with it, as with every other refusal. */
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
 * Where a cloud's calls differ from its rows: pure functions, which stand in the cloud's own folder. The rows that they
 * get are the cloud's own, which may have members besides those of `RestType`.
 */
export interface RestHooks {
  /** The row at a target whose config, or for an object whose properties, change how the cloud behaves. */
  rowIn?(row: RestType, config: JsonMap, properties: JsonMap): RestType;
  /** Headers of every request for an object of the row. */
  headers?(context: ProviderContext, row: RestType): Readonly<Record<string, string>>;
  /** Whether the object is read before it is changed so. */
  readsFirst?(verb: "update" | "delete", row: RestType): boolean;
  /** The request of a change, as this cloud takes it. Changes by a dialect and calls of parts are not asked for. */
  prepare?(request: RequestSpec, change: ChangeRequest): RequestSpec;
  /**
   * The request that puts into effect what an update has changed by parts, made after everything else of it: the cloud
   * only stores what was changed. Until then the object is not waited for.
   */
  effectOf?(row: RestType): RequestSpec | undefined;
  /** What is asked before the call for an item of the object with this id. Undefined: nothing. */
  beforeItem?(due: DueItem, id: string): ItemQuestion | undefined;
  /**
   * The request that brings back the deleted object of the known id, which keeps its name for a time. It is over when it is
   * answered. Undefined: none is kept.
   */
  undelete?(row: RestType, properties: JsonMap): RequestSpec | undefined;
  /**
   * For a row whose objects leave something behind: what takes that away once the delete of the object is accepted,
   * which is read before. How these requests end changes nothing of the outcome.
   */
  leftovers?(row: RestType): ((object: JsonMap) => readonly RequestSpec[]) | undefined;
  /** The objects in the answer to a list, one by one. Absent: what is at the row's `envelope.list`. */
  listed?(json: Json | undefined, row: RestType): Json | undefined;
  /** Why nothing was made, as the body of an error, in an answer to a create that says it succeeded. */
  refusalIn?(json: Json | undefined, row: RestType): Json | undefined;
  /** What is shown, by its paths, that says the object is not usable yet, whatever the row's `state` says. */
  waitsFor?(shown: Json | undefined, row: RestType): Readonly<Record<string, Json>> | undefined;
  /** The provider itself compares an object that a look-up found with what was sent. Absent: the shared code does. */
  comparesFound?: true;
  /**
   * The only id that the object of a create can have: that object is read instead of a list. Unlike an `id.known` it does
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
   * The regions that the cloud has, with spaces between them, and how others are named that it may have. A create or
   * update in no such one is refused before any call. Absent: the cloud decides.
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
  /** What an answer's headers say of the rate budget. */
  readBudget?(answer: Answer, nowMs: number): RateBudget | undefined;
  poller?: Poller;
  /** As of `Account`. */
  accountNameChanges?: true;
  /** As `Provider.account`, by at most two requests. */
  account?(
    context: ProviderContext,
    request: (spec: RequestSpec) => Promise<RequestResult>,
  ): Promise<string | Failed>;
  /** A cheap GET that succeeds only with a valid credential. */
  verifyPath: string;
  /**
   * The check of a target where one GET does not tell enough, for example whether the region is enabled: at most five
   * requests through `request`. `refused` turns a failed one into what the user is told.
   */
  verify?(
    context: ProviderContext,
    request: (spec: RequestSpec) => Promise<RequestResult>,
    refused: (result: Extract<RequestResult, { ok: false }>) => Verified,
  ): Promise<Verified>;
}

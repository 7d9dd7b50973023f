import type { Json, JsonMap } from "#platform/json.ts";
import type { Provider, ProviderContext } from "#providers/provider.ts";
import type { Answer, TransportRequest } from "#providers/transport.ts";
import type { RestType } from "./rest-type.ts";
import type { RestTypes } from "./rest-types.ts";

export interface ProviderError {
  /** The provider's code, or one in snake_case. */
  code: string;
  message: string;
  /** Absent: decided by the status (408, 425, 429, 500, 502, 503 and 504 are retryable). */
  retryable?: boolean;
  /** Milliseconds. Absent: `Retry-After` applies. */
  afterMs?: number;
}

/** The state of an asynchronous operation. */
export type OperationState =
  | { state: "running"; id?: string; afterMs?: number }
  | { state: "done"; id?: string }
  | { state: "failed"; code: string; message: string; id?: string };

/** For providers that answer a change with an operation to poll. */
export interface Poller {
  /** The operation that this answer started, as JSON to store; `undefined` when the answer is the object. */
  started(answer: Answer, verb: "create" | "update" | "delete"): Json | undefined;
  /** The path below the base URL, or a URL on its origin, to GET the operation's state. */
  path(operation: Json): string;
  read(answer: Answer): OperationState;
}

/** The parts in which a provider differs from the shared implementation. */
export interface RestProviderDefinition extends Pick<
  Provider,
  "credential" | "config" | "concurrency" | "connect"
> {
  types: RestTypes;
  /** The row at a target whose config changes how the cloud behaves. */
  rowIn?(row: RestType, config: JsonMap): RestType;
  /** Without a trailing slash. The operator's `endpoint`, if any, takes precedence. */
  baseUrl(context: ProviderContext): string;
  /** Headers of every request. */
  headers?(context: ProviderContext): Readonly<Record<string, string>>;
  /** Query parameters of every request. */
  query?(context: ProviderContext): Readonly<Record<string, string>>;
  /** The authorization headers of this request. May throw when the credential cannot sign. */
  authorize(
    request: TransportRequest,
    context: ProviderContext,
  ): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  readError(answer: Answer): ProviderError;
  /** The next page of a list: a path below the base URL, or a URL on its origin. */
  nextPage?(answer: Answer): string | undefined;
  poller?: Poller;
  /** A cheap GET that succeeds only with a valid credential. */
  verifyPath: string;
}

import type { Json } from "#platform/json.ts";
import type { Provider, ProviderContext } from "#providers/provider.ts";
import type { Answer, TransportRequest } from "#providers/transport.ts";
import type { RestTypes } from "./rest-types.ts";

export interface ProviderError {
  /** The provider's own code, or one in snake_case. */
  code: string;
  message: string;
  /** Absent: the status decides (408, 425, 429, 500, 502, 503 and 504 may pass). */
  retryable?: boolean;
  /** Absent: Retry-After. */
  afterMs?: number;
}

/** What an operation that runs on its own has come to. */
export type OperationState =
  | { state: "running"; id?: string; afterMs?: number }
  | { state: "done"; id?: string }
  | { state: "failed"; code: string; message: string; id?: string };

/** For providers that answer a change with an operation to ask about. */
export interface Poller {
  /** The operation this answer started, as JSON to keep; `undefined`: none, the answer is the object. */
  started(answer: Answer, verb: "create" | "update" | "delete"): Json | undefined;
  /** Path below the base URL (or a URL on its origin) that tells of it, by GET. */
  path(operation: Json): string;
  read(answer: Answer): OperationState;
}

/** What a provider adds to the shared engine. */
export interface RestProviderDefinition extends Pick<
  Provider,
  "credential" | "config" | "concurrency" | "connect"
> {
  types: RestTypes;
  /** Without a slash at the end. The operator's `endpoint`, when there is one, wins. */
  baseUrl(context: ProviderContext): string;
  /** Headers of every request. */
  headers?(context: ProviderContext): Readonly<Record<string, string>>;
  /** Query parameters of every request. */
  query?(context: ProviderContext): Readonly<Record<string, string>>;
  /** The headers that authorize this exact request. May throw when the credential cannot sign. */
  authorize(
    request: TransportRequest,
    context: ProviderContext,
  ): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  readError(answer: Answer): ProviderError;
  /** Where a list goes on: path below the base URL, or a URL on its origin. */
  nextPage?(answer: Answer): string | undefined;
  poller?: Poller;
  /** A cheap GET that only a valid credential can make. */
  verifyPath: string;
}

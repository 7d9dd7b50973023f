import type * as z from "zod";
import type { Json } from "#platform/json.ts";
import type { Provider, ProviderContext, ProviderName } from "./provider.ts";
import type { RestType } from "./rest-type.ts";
import type { Answer, TransportRequest } from "./transport.ts";

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
export interface RestProviderDefinition {
  name: ProviderName;
  rows: Readonly<Record<string, RestType>>;
  /** Without a slash at the end. The operator's `endpoint`, when there is one, wins. */
  baseUrl(context: ProviderContext): string;
  /** The whole credential, as a target's `credentialRef` must resolve to it. */
  credential: z.ZodType;
  /** The keys of a target's config that this provider reads; others are ignored. */
  config: z.ZodType;
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
  /** Calls at a time that the provider's rate allows one target. */
  concurrency: number;
  /** A cheap GET that only a valid credential can make. */
  verifyPath: string;
}

/** `retryable`: the provider could not say; nothing is known about the credential. */
export type Verified =
  | { ok: true }
  | { ok: false; code: string; message: string; retryable: boolean };

/** A provider and what the endpoints around it need to know. */
export interface RestProvider extends Provider {
  credential: z.ZodType;
  config: z.ZodType;
  concurrency: number;
  /** Whether the credential and config reach the provider: one GET, nothing changed. */
  verify(context: ProviderContext): Promise<Verified>;
}

/**
 * The port between the engine and a cloud. The engine knows resources, verbs and outcomes; a provider
 * knows paths, envelopes, signatures and error bodies. Nothing here performs I/O.
 */
import type * as z from "zod";
import type { Json, JsonMap } from "#platform/json.ts";
import type { ProviderName } from "#schema/provider-names.ts";

/** What is known of a property, for editors and checks: the cloud itself judges what it is sent. */
export interface PropertyFacts {
  description: string;
  /** Absent: of more than one type. */
  type?: "string" | "integer" | "number" | "boolean" | "object" | "array";
}

/** What the planner must know of a resource type. */
export interface TypeFacts {
  /** Top-level property names whose change replaces the object. `"*"`: every change replaces. */
  immutable: readonly string[];
  /** Sent, never read back: left out of drift. */
  writeOnly: readonly string[];
  /** Required property names, for diagnostics. */
  required: readonly string[];
  /** The old object must be gone before the new one can be made (a unique name, say). */
  deleteBeforeReplace: boolean;
  /** What the type is, in a sentence. */
  description?: string;
  /** Every property the type takes; absent: not known, so any may be given. */
  properties?: Readonly<Record<string, PropertyFacts>>;
  /** The property that says in which region the object is made. */
  regionProperty?: string;
}

/** Everything a call needs from outside: built anew for each run, never stored. */
export interface ProviderContext {
  targetId: string;
  region: string;
  /** The target's `config`, as the tenant wrote it. */
  config: JsonMap;
  /** The resolved credential; `null` for providers that need none. */
  credential: Json;
  /** The operator's override of the base URL (`PROVIDER_ENDPOINTS`), if any. */
  endpoint?: string;
  fetch: (request: Request) => Promise<Response>;
  /** Epoch milliseconds. */
  now: () => number;
}

/** One object at one provider, as one call of the engine means it. */
export interface ResourceCall {
  type: string;
  /** The name the engine chose for the object: deterministic, so that a look-up after a crash finds it. */
  name: string;
  /** Plain properties, secrets revealed. */
  properties: JsonMap;
}

/** What a provider said in the end. */
export type Outcome =
  /** Done; `outputs` is the object as the provider shows it, unwrapped. */
  | { kind: "done"; id: string; outputs: JsonMap; requestId?: string }
  /** Accepted, not finished: ask again with `poll`. `handle` is opaque JSON; `id` as soon as it is known. */
  | {
      kind: "pending";
      id?: string;
      handle: Json;
      afterMs: number;
      note?: string;
      requestId?: string;
    }
  /** Not there (read, update) or already gone (delete). */
  | { kind: "gone"; requestId?: string }
  /**
   * Refused or lost. `retryable`: the same call may succeed later. `unknownOutcome`: the call may have
   * taken effect (time-out, dropped connection, 5xx): look before creating again. `afterMs`: the provider's
   * own wish. `id`: an object exists all the same (a create that failed half-way): it is tainted.
   */
  | {
      kind: "failed";
      code: string;
      message: string;
      retryable: boolean;
      unknownOutcome: boolean;
      afterMs?: number;
      id?: string;
      outputs?: JsonMap;
      requestId?: string;
    };

export interface CreateCall extends ResourceCall {
  /** Stable over every repetition of this step: sent where the provider has idempotency tokens. */
  token: string;
  /** An earlier try may have reached the provider: use the token or look the object up before creating. */
  repeated: boolean;
}

export interface UpdateCall extends ResourceCall {
  id: string;
  /** The properties as last applied. */
  before: JsonMap;
  token: string;
}

export interface DeleteCall {
  type: string;
  id: string;
  properties: JsonMap;
  token: string;
}

export interface ReadCall {
  type: string;
  id: string;
  properties: JsonMap;
}

/** What a pending outcome was about: `poll` needs all of it, so that a runner that lost its memory can ask. */
export interface PollCall {
  type: string;
  verb: "create" | "update" | "delete";
  name: string;
  properties: JsonMap;
  id?: string;
  handle: Json;
}

/** What resource types a provider has, known without loading what calls its cloud. */
export interface ProviderTypes {
  name: ProviderName;
  /** Undefined: the provider has no such type. */
  facts(type: string): TypeFacts | undefined;
  /** All type names, `<provider>:<Type>`; where a provider takes any type (aws, azure), the well-known ones. */
  types(): readonly string[];
  /** True when any well-formed type name is accepted. */
  openTypes: boolean;
}

/** `retryable`: the provider could not say; nothing is known about the credential. */
export type Verified =
  | { ok: true }
  | { ok: false; code: string; message: string; retryable: boolean };

/**
 * One cloud. Every method makes a bounded number of requests and returns; it never waits, never throws
 * for what a cloud may answer (a throw is a bug), and is safe to repeat.
 */
export interface Provider extends ProviderTypes {
  /** The whole credential, as a target's `credentialRef` must resolve to it. */
  credential: z.ZodType;
  /** The keys of a target's config that this provider reads; others are ignored. */
  config: z.ZodType;
  /** Calls at a time that the provider's rate allows one target. */
  concurrency: number;
  /**
   * How requests reach a cloud that is not on the network: by a binding of the Worker. Absent: by the network.
   * Not asked where the operator points the provider elsewhere (`PROVIDER_ENDPOINTS`).
   */
  connect?(bindings: object, targetId: string): ProviderContext["fetch"];
  /** Whether the credential and config reach the provider: one request, nothing changed. */
  verify(context: ProviderContext): Promise<Verified>;
  create(context: ProviderContext, call: CreateCall): Promise<Outcome>;
  read(context: ProviderContext, call: ReadCall): Promise<Outcome>;
  update(context: ProviderContext, call: UpdateCall): Promise<Outcome>;
  delete(context: ProviderContext, call: DeleteCall): Promise<Outcome>;
  poll(context: ProviderContext, call: PollCall): Promise<Outcome>;
  /** Milliseconds after which a step of this verb is given up, whatever retries are left. */
  timeoutMs(type: string, verb: "create" | "update" | "delete"): number;
}

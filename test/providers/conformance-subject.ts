import { expect } from "vitest";
import type { Json, JsonMap } from "#platform/json.ts";
import type { FailureMeaning, Outcome, Provider, ProviderContext } from "#providers/provider.ts";
import type { RealCloud } from "#test/support/fake-cloud/real/behaviour.ts";
import { untilFinal } from "./type-cycle.ts";

export type ConformanceVerb = "create" | "read" | "update" | "delete";

/** A fault that occurs once: `dropped` is a connection that ends without a response. */
export interface ConformanceFault {
  on: ConformanceVerb;
  status: number | "dropped";
  effect: "before" | "after";
  body?: Json;
}

/** One type of one provider, and how to inject faults into its cloud. */
export interface ConformanceSubject {
  provider: Provider;
  type: string;
  /** Properties of a new object, without a name if the provider allows that. */
  properties: (name: string) => JsonMap;
  /** The same with one property changed that can be updated in place. */
  changed: (name: string) => JsonMap;
  /** The same with one property changed that cannot be updated; absent if there is none. */
  immutableChanged?: (name: string) => JsonMap;
  missingId: string;
  /** No two objects have the same name. */
  uniqueNames?: true;
  /** A look-up reads the object, at its place or by its id: no list has to show it before. */
  placed?: true;
  /** Objects are usable at once. */
  readyAtOnce?: true;
  /** A create ends with a call that is an update to the cloud. */
  createUpdates?: true;
  /** What this cloud answers when it refuses a call, and what that means. */
  refusals?: readonly Refusal[];
  /** A context on a separate, empty cloud with these faults. `listLagMs`: how long lists lack what is new. */
  cloud: (script: ConformanceScript) => ConformanceCloud;
}

export interface ConformanceScript {
  faults?: ConformanceFault[];
  slow?: true;
  endsFailed?: true;
  listLagMs?: number;
  /** It misbehaves as this real cloud does. */
  real?: { cloud: RealCloud; seed: number };
}

export interface Refusal {
  on: ConformanceVerb;
  status: number;
  body: Json;
  means: FailureMeaning;
}

export interface ConformanceCloud {
  context: ProviderContext;
  /** Ids of the objects that exist at the cloud. */
  existing: () => Promise<string[]>;
  /** Finishes every create in progress. */
  finish: () => Promise<void>;
  /** Makes objects of this name as a stranger would, before anything of ours. Absent: the cloud's fake cannot. */
  addForeign?: (name: string, count: number) => void;
  /** Lets time pass at the cloud and here. */
  advance?: (ms: number) => void;
  /** Where requests went: origins. */
  origins?: () => ReadonlySet<string>;
}

export type Done = Extract<Outcome, { kind: "done" }>;

export function done(outcome: Outcome): Done {
  expect(outcome, JSON.stringify(outcome)).toMatchObject({ kind: "done" });
  return outcome as Done;
}

/** The name of the object. */
export const NAME = "conforming-one";

/** The calls of a step, each polled to its end. */
export interface Acts {
  create: (context: ProviderContext, token?: string) => Promise<Outcome>;
  lookUp: (context: ProviderContext, known?: readonly string[]) => Promise<Outcome>;
  /** As the engine does once no earlier attempt can take effect any more. */
  createAgain: (context: ProviderContext) => Promise<Outcome>;
  read: (context: ProviderContext, id: string) => Promise<Outcome>;
  update: (context: ProviderContext, id: string, properties: JsonMap) => Promise<Outcome>;
  remove: (context: ProviderContext, id: string) => Promise<Outcome>;
}

export function createCall(subject: ConformanceSubject, token = "token-1") {
  return { type: subject.type, name: NAME, properties: subject.properties(NAME), token };
}

export function actsOf(subject: ConformanceSubject): Acts {
  const { provider, type } = subject;
  const of = { type, name: NAME, properties: subject.properties(NAME) };
  const target = (id: string) => ({ ...of, id });
  const sent = new WeakMap<ProviderContext, number>();
  const acts: Acts = {
    create: async (context, token) => {
      if (!sent.has(context)) sent.set(context, context.now());
      const call = createCall(subject, token);
      const outcome = await provider.create(context, call);
      return untilFinal(provider, context, outcome, { ...call, verb: "create" });
    },
    lookUp: async (context, known = []) => {
      const call = { ...createCall(subject), known, sentMs: sent.get(context) ?? context.now() };
      const outcome = await provider.lookUp(context, call);
      return untilFinal(provider, context, outcome, { ...createCall(subject), verb: "create" });
    },
    createAgain: async (context) => {
      if (provider.repeats(context, type).repeatableMs > 0) return acts.create(context);
      const found = await acts.lookUp(context);
      return found.kind === "gone" ? acts.create(context) : found;
    },
    read: (context, id) => provider.read(context, target(id)),
    update: async (context, id, properties) => {
      const before = subject.properties(NAME);
      const call = { ...target(id), before, properties, token: "token-2" };
      const outcome = await provider.update(context, call);
      return untilFinal(provider, context, outcome, { ...of, properties, before, verb: "update" });
    },
    remove: async (context, id) => {
      const outcome = await provider.delete(context, { ...target(id), token: "token-3" });
      return untilFinal(provider, context, outcome, { ...of, verb: "delete" });
    },
  };
  return acts;
}

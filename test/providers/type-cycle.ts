/**
 * A type through its whole life at a cloud: created, read, changed, replaced, deleted. The problems are returned, so that
 * both a test and `npm run test:specs` can use it.
 */
import { jsonAt, omitted } from "#platform/at-path.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { LookUpCall, Outcome, Provider, ProviderContext } from "#providers/provider.ts";
import { unknownOutputs } from "./known-outputs.ts";

export interface Life {
  type: string;
  properties: JsonMap;
  changed?: JsonMap | undefined;
  replaced?: JsonMap | undefined;
  /** It always exists: a delete sets it back. */
  stays?: true;
}

type Done = Extract<Outcome, { kind: "done" }>;

class Unexpected extends Error {}

const MAX_POLLS = 50;

/** Polls without waiting until the outcome is final. */
export async function untilFinal(
  provider: Provider,
  context: ProviderContext,
  outcome: Outcome,
  call: {
    type: string;
    verb: "create" | "update" | "delete";
    name: string;
    properties: JsonMap;
    before?: JsonMap;
    token?: string;
  },
): Promise<Outcome> {
  const { before, ...asked } = call;
  let current = outcome;
  for (let turn = 0; current.kind === "pending" && turn < MAX_POLLS; turn += 1) {
    const { id, handle } = current;
    current = await provider.poll(context, {
      ...asked,
      handle: JSON.parse(JSON.stringify(handle)) as Json,
      ...(id !== undefined && { id }),
      ...(before !== undefined && { update: { before } }),
    });
  }
  return current;
}

function done(outcome: Outcome, what: string): Done {
  if (outcome.kind === "done") return outcome;
  throw new Unexpected(`${what}: ${JSON.stringify(outcome)}`);
}

export class Lives {
  readonly #provider: Provider;
  readonly #context: ProviderContext;
  #number = 0;

  constructor(provider: Provider, context: ProviderContext) {
    this.#provider = provider;
    this.#context = context;
  }

  async create(type: string, properties: JsonMap): Promise<Done> {
    const call = { type, name: `chosen-${(this.#number += 1)}`, properties };
    const token = `token-${this.#number}`;
    const sentMs = this.#context.now();
    const outcome = await this.#provider.create(this.#context, { ...call, token });
    const final = await untilFinal(this.#provider, this.#context, outcome, {
      ...call,
      verb: "create",
    });
    const made = done(final, `create ${type}`);
    await this.#findAgain({ ...call, token, known: [], sentMs }, made.id);
    return made;
  }

  /** As if the create had not been answered: what it made is found, or nothing is told of it, but it is not missing. */
  async #findAgain(call: LookUpCall, id: string): Promise<void> {
    const { type } = call;
    if (!this.#provider.repeats(this.#context, type).findable) return;
    const found = await this.#provider.lookUp(this.#context, call);
    const isFound =
      found.kind === "failed"
        ? found.code === "cannot_tell"
        : (found.kind === "done" || found.kind === "pending") && found.id === id;
    if (!isFound) throw new Unexpected(`look-up of ${type} ${id}: ${JSON.stringify(found)}`);
  }

  async read(type: string, id: string, properties: JsonMap): Promise<Outcome> {
    return this.#provider.read(this.#context, { type, id, properties });
  }

  async update(type: string, id: string, before: JsonMap, properties: JsonMap): Promise<Done> {
    const call = { type, name: "chosen", properties };
    const outcome = await this.#provider.update(this.#context, {
      ...call,
      id,
      before,
      token: `token-${(this.#number += 1)}`,
    });
    const final = await untilFinal(this.#provider, this.#context, outcome, {
      ...call,
      verb: "update",
      before,
    });
    return done(final, `update ${type}`);
  }

  async remove(type: string, id: string, properties: JsonMap): Promise<void> {
    const call = { type, name: "chosen", properties };
    const outcome = await this.#provider.delete(this.#context, { ...call, id, token: "token-d" });
    const final = await untilFinal(this.#provider, this.#context, outcome, {
      ...call,
      verb: "delete",
    });
    if (final.kind !== "gone") throw new Unexpected(`delete ${type}: ${JSON.stringify(final)}`);
  }
}

/** What went wrong in the life of an object; empty: nothing. */
export async function problemsInLife(
  provider: Provider,
  context: ProviderContext,
  { type, properties, changed, replaced, stays }: Life,
): Promise<string[]> {
  const lives = new Lives(provider, context);
  const problems: string[] = [];
  const expectShown = (verb: string, { outputs }: Done, wanted: JsonMap): void => {
    for (const path of notShown(provider, type, wanted, outputs))
      problems.push(`${verb} ${type}: ${path} is not shown as it was sent`);
    for (const output of unknownOutputs(provider, type, outputs))
      problems.push(`${verb} ${type}: no table knows the output ${output}`);
  };
  try {
    const made = await lives.create(type, properties);
    expectShown("create", made, properties);
    const read = done(await lives.read(type, made.id, properties), `read ${type}`);
    expectShown("read", read, properties);
    if (changed !== undefined) {
      expectShown("update", await lives.update(type, made.id, properties, changed), changed);
      expectShown("read", done(await lives.read(type, made.id, changed), "read"), changed);
    }
    await lives.remove(type, made.id, changed ?? properties);
    const after = await lives.read(type, made.id, properties);
    if (after.kind !== "gone" && stays !== true)
      problems.push(`read of a deleted ${type}: ${after.kind}`);
    await lives.remove(type, made.id, properties);
    if (replaced !== undefined) {
      const other = await lives.create(type, replaced);
      expectShown("create", other, replaced);
      await lives.remove(type, other.id, replaced);
    }
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error;
    problems.push(error.message);
  }
  return problems;
}

/** The properties that the cloud shows in another way than the type's facts say. */
export function notShown(
  provider: Provider,
  type: string,
  wanted: JsonMap,
  outputs: JsonMap,
): string[] {
  const facts = provider.facts(type);
  const expected = omitted(wanted, facts?.writeOnly ?? []);
  return Object.keys(expected).filter((name) => {
    const shown = jsonAt(outputs, facts?.shownAt?.[name] ?? name) ?? null;
    const cased = (value: Json): Json =>
      typeof value === "string" && facts?.caseInsensitive?.includes(name) === true
        ? value.toLowerCase()
        : value;
    return !contains(cased(shown), cased(expected[name] ?? null));
  });
}

/** True when everything wanted is there; clouds add defaults. */
function contains(shown: Json | undefined, wanted: Json): boolean {
  if (isJsonMap(wanted))
    return (
      isJsonMap(shown) &&
      Object.entries(wanted).every(([key, value]) => contains(shown[key], value))
    );
  if (Array.isArray(wanted))
    return (
      Array.isArray(shown) &&
      shown.length === wanted.length &&
      wanted.every((one) => shown.some((other) => contains(other, one)))
    );
  return shown === wanted;
}

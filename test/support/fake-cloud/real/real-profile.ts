/**
 * A cloud that misbehaves as the real one does. Stands in front of a fake: a seed decides which behaviours of the table
 * happen to which call. Each is bounded in number or time, so that a service which waits as it should always succeeds.
 */
import { isJsonMap, type Json, type JsonMap, readJson } from "#platform/json.ts";
import type { Behaviour, FailedChange, MadeObject, RealCall, RealCloud } from "./behaviour.ts";

const RECENT_MS = 120_000;
/** In a row. */
const TIMES = 2;
/** Of one behaviour at one place, in all. */
const MAX_AT_PLACE = 6;

type Of<Does extends Behaviour["does"]> = Extract<Behaviour, { does: Does }>;
type Fetch = (request: Request) => Promise<Response>;

interface Made extends MadeObject {
  atMs: number;
}

export interface RealOptions {
  seed: number;
  /** The share of cases in which a behaviour happens, from 0 to 1. */
  chance?: number;
  now?: () => number;
  /** Told what happens, in words. */
  happens?: (what: string, call: RealCall) => void;
}

export class RealProfile {
  /** How often each behaviour has happened. */
  readonly happened = new Map<string, number>();
  readonly #cloud: RealCloud;
  readonly #inner: Fetch;
  readonly #options: RealOptions;
  readonly #made = new Map<string, Made>();
  /** By place; `atMs` is the time of the delete. */
  readonly #gone = new Map<string, Made>();
  /** How often a behaviour was due at a place, and how often it happened: in all, and in a row. */
  readonly #counts = new Map<string, { due: number; happened: number; row: number }>();
  readonly #hidden: (MadeObject & { from: "reads" | "lists"; untilMs: number })[] = [];
  readonly #kept = new Map<string, { answer: string; untilMs: number }>();
  /** The last answers to reads, by their places. */
  readonly #shown = new Map<string, string>();
  readonly #polls = new Map<string, FailedChange>();
  /** The ends that the cloud remembers, by the clients' tokens. */
  readonly #ended = new Map<string, FailedChange>();
  /** Calls that the cloud has taken. */
  readonly #accepted = new Set<string>();
  readonly #left = new Map<string, NonNullable<FailedChange["left"]>>();

  constructor(cloud: RealCloud, inner: Fetch, options: RealOptions) {
    this.#cloud = cloud;
    this.#inner = inner;
    this.#options = options;
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const text = new TextDecoder().decode(await request.clone().arrayBuffer());
    const call = this.#cloud.callOf(request, text);
    if (call === undefined) return this.#inner(request);
    const refused = await this.#refused(request, call);
    return refused ?? this.#instead(call) ?? (await this.#changed(request, call));
  };

  async #refused(request: Request, call: RealCall): Promise<Response | undefined> {
    for (const one of this.#due("refuse", call)) {
      if (!this.#strikes(one, call, one.times)) continue;
      if (one.hasEffect === true) await this.#inner(request);
      const says = filled(one.says, call, this.#namedIn(one, call));
      const refused = this.#cloud.refuse(call, { ...one, says });
      for (const [name, value] of Object.entries(one.headers ?? {}))
        refused.headers.set(name, value);
      return refused;
    }
    return undefined;
  }

  /** An answer in place of the cloud's. */
  #instead(call: RealCall): Response | undefined {
    const known = this.#polls.get(call.at);
    if (known !== undefined) return known.polled();
    const ended = call.token === undefined ? undefined : this.#ended.get(call.token);
    if (ended !== undefined) return ended.answer.clone();
    if (!this.#cloud.reads(call)) return undefined;
    if (this.#hiddenFrom("reads").some(({ at }) => at === call.at))
      return this.#cloud.missing(call);
    const kept = this.#kept.get(call.at);
    return kept !== undefined && kept.untilMs > this.#now() ? jsonAnswer(kept.answer) : undefined;
  }

  /** The cloud's answer, with its behaviours. */
  async #changed(request: Request, call: RealCall): Promise<Response> {
    // A repeated call starts no second operation.
    const isRepeatable = call.token !== undefined || call.method === "PUT";
    const once = `${call.method} ${call.at} ${call.token ?? ""}`;
    if (!this.#accepted.has(once))
      for (const one of this.#due("end failed", call))
        if (this.#strikes(one, call, one.times))
          return this.#fail(
            one,
            call,
            one.leaves === true ? await this.#inner(request) : undefined,
          );
    const accepted = this.#accepted.has(once);
    // Without an answer nobody knows: a repetition must not begin anew.
    if (isRepeatable) this.#accepted.add(once);
    const answer = await this.#inner(request);
    if (!answer.ok) {
      if (!accepted) this.#accepted.delete(once);
      return answer;
    }
    const text = await answer.clone().text();
    const json = readJson(text);
    this.#remember(call, json ?? null);
    if (this.#cloud.deletes(call)) this.#keep(call);
    if (this.#cloud.reads(call)) this.#shown.set(call.at, text);
    if (json === undefined) return answer;
    const shown = this.#asShown(call, json);
    return shown === json
      ? answer
      : Response.json(shown, { status: answer.status, headers: withoutLength(answer.headers) });
  }

  #fail(one: Of<"end failed">, call: RealCall, accepted: Response | undefined): Response {
    const says = filled(one.says, call, this.#namedIn(one, call));
    const failed = this.#cloud.failed?.(call, says, accepted);
    if (failed === undefined) throw new Error(`${one.what}: the cloud has no operations`);
    this.#polls.set(failed.polledAt, failed);
    if (call.token !== undefined) this.#ended.set(call.token, failed);
    if (failed.left !== undefined) this.#left.set(failed.left.at, failed.left);
    return failed.answer.clone();
  }

  #asShown(call: RealCall, json: Json): Json {
    const left = this.#left.get(call.at);
    if (left !== undefined && isJsonMap(json)) {
      if (this.#cloud.reads(call)) return left.as(json);
      this.#left.delete(call.at);
    }
    if (this.#cloud.lists(call)) return this.#withoutHidden(json);
    if (!isJsonMap(json)) return json;
    const changes = this.#due("show", call).filter(
      (one) => this.#isDrawn(one.what) && this.#ageMs(call) < (one.youngMs ?? Infinity),
    );
    if (changes.length === 0) return json;
    const change = (object: JsonMap): JsonMap => {
      for (const one of changes) this.#note(one.what, call);
      return changes.reduce((shown, one) => one.as(shown), object);
    };
    return this.#cloud.withObject?.(json, change) ?? change(json);
  }

  #remember(call: RealCall, answer: Json): void {
    const made = this.#cloud.madeBy(call, answer);
    if (made === undefined || this.#made.has(made.at)) return;
    const nowMs = this.#now();
    this.#made.set(made.at, { ...made, atMs: nowMs });
    this.#kept.delete(made.at);
    for (const one of this.#due("hide", { ...call, at: made.at })) {
      const forMs = this.#drawnMs(one, made.at);
      if (forMs === 0) continue;
      this.#hidden.push({ ...made, from: one.from, untilMs: nowMs + forMs });
      this.#note(one.what, call);
    }
  }

  /** A part of its longest time, by chance; 0: it does not happen. */
  #drawnMs({ what, forMs }: Of<"hide"> | Of<"keep">, at: string): number {
    const share = drawnOf(this.#options.seed, `${what} ${at}`);
    return share < this.#chance ? (forMs * share) / this.#chance : 0;
  }

  #hiddenFrom(from: "reads" | "lists"): MadeObject[] {
    const nowMs = this.#now();
    return this.#hidden.filter((one) => one.from === from && one.untilMs > nowMs);
  }

  #withoutHidden(json: Json): Json {
    const names = new Set(this.#hiddenFrom("lists").flatMap((one) => one.names));
    return names.size === 0 ? json : withoutNamed(json, names);
  }

  #keep(call: RealCall): void {
    const made = this.#made.get(call.at);
    if (made !== undefined) this.#gone.set(call.at, { ...made, atMs: this.#now() });
    this.#made.delete(call.at);
    const answer = this.#shown.get(call.at);
    if (answer === undefined) return;
    for (const one of this.#due("keep", call)) {
      const forMs = this.#drawnMs(one, call.at);
      if (forMs === 0) continue;
      this.#kept.set(call.at, { answer, untilMs: this.#now() + forMs });
      this.#note(one.what, call);
    }
  }

  #due<Does extends Behaviour["does"]>(does: Does, call: RealCall): Of<Does>[] {
    return this.#cloud.behaviours.filter(
      (one): one is Of<Does> =>
        one.does === does &&
        (one.method === undefined || one.method.test(call.method)) &&
        one.at.test(call.at) &&
        ((one.fresh ?? one.gone) === undefined || this.#namedIn(one, call) !== undefined),
    );
  }

  /** The name of a new or deleted object that the call names, as the behaviour wants. */
  #namedIn({ fresh, gone }: Behaviour, { text }: RealCall): string | undefined {
    const [place, objects] = fresh === undefined ? [gone, this.#gone] : [fresh, this.#made];
    const sinceMs = this.#now() - RECENT_MS;
    return [...objects.values()]
      .filter(({ at, atMs }) => atMs >= sinceMs && place?.test(at) === true)
      .flatMap(({ names }) => names)
      .find((name) => text.includes(name));
  }

  /** Whether it happens now: by chance, and not too often in a row. */
  #strikes(one: Behaviour, call: RealCall, times = TIMES): boolean {
    const place = `${one.what} ${call.method} ${call.at}`;
    const count = this.#counts.get(place) ?? { due: 0, happened: 0, row: 0 };
    this.#counts.set(place, count);
    count.due += 1;
    const isBounded = count.row < times && count.happened < MAX_AT_PLACE;
    const happens =
      isBounded && drawnOf(this.#options.seed, `${place} ${count.due}`) < this.#chance;
    count.row = happens ? count.row + 1 : 0;
    if (!happens) return false;
    count.happened += 1;
    this.#note(one.what, call);
    return true;
  }

  /** Since the create of the object of the call. */
  #ageMs({ at }: RealCall): number {
    return this.#now() - (this.#made.get(at)?.atMs ?? 0);
  }

  /** Whether it happens in this run at all. */
  #isDrawn(what: string): boolean {
    return drawnOf(this.#options.seed, what) < Math.max(this.#chance, 0.5);
  }

  #note(what: string, call: RealCall): void {
    this.happened.set(what, (this.happened.get(what) ?? 0) + 1);
    this.#options.happens?.(what, call);
  }

  get #chance(): number {
    return this.#options.chance ?? 1 / 3;
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

function filled(
  { code, message }: { code: string; message: string },
  { at }: RealCall,
  name = "",
): { code: string; message: string } {
  return { code, message: message.replaceAll("{at}", at).replaceAll("{name}", name) };
}

function jsonAnswer(text: string): Response {
  return new Response(text, { headers: { "content-type": "application/json" } });
}

function withoutLength(headers: Headers): Headers {
  const rest = new Headers(headers);
  rest.delete("content-length");
  return rest;
}

/** The lists in it without the objects that have one of these values in a member. */
function withoutNamed(json: Json, names: ReadonlySet<string>, depth = 0): Json {
  const isName = (value: Json): boolean =>
    (typeof value === "string" || typeof value === "number") && names.has(String(value));
  const has = (one: Json): boolean =>
    isJsonMap(one) &&
    Object.values(one).some(
      (value) => isName(value) || (isJsonMap(value) && Object.values(value).some(isName)),
    );
  if (Array.isArray(json)) return json.filter((one) => !has(one));
  if (!isJsonMap(json) || depth > 1) return json;
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [key, withoutNamed(value, names, depth + 1)]),
  );
}

/** A number in [0, 1), the same for each seed and text. */
function drawnOf(seed: number, text: string): number {
  let hash = seed ^ 0x9e3779b9;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x85ebca6b) ^ (hash >>> 13);
  hash = Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
}

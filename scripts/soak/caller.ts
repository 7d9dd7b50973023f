/** A client of a service that is killed: it repeats unanswered requests under the same idempotency key. */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Random } from "#test/simulation/random.ts";
import type { Book, KeyedCall } from "./book.ts";
import type { Canaries } from "./canaries.ts";

const ANSWER_WITHIN_MS = 20_000;
const REPEAT_AFTER_MS = 300;
const REPEAT_FOR_MS = 120_000;
/** The share of answered calls that are repeated all the same. */
const AGAIN_CHANCE = 0.15;

export interface Answer {
  status: number;
  // The client reads what the endpoint declares; the audit looks at what is stored.
  body: Record<string, unknown>;
  headers: Headers;
}

export interface Request {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** The client gave up, because the soak is over or the service did not come back. */
export class Unanswered extends Error {
  override readonly name = "Unanswered";
}

export class Caller {
  readonly #address: string;
  readonly key: string;
  readonly #book: Book;
  readonly #canaries: Canaries;
  readonly #random: Random;
  readonly #signal: AbortSignal;

  constructor(
    place: { address: string; book: Book; canaries: Canaries; random: Random; signal: AbortSignal },
    key: string,
  ) {
    this.#address = place.address;
    this.#book = place.book;
    this.#canaries = place.canaries;
    this.#random = place.random;
    this.#signal = place.signal;
    this.key = key;
  }

  /** The first answer of the service itself, once it is up. */
  async ask(request: Request): Promise<Answer> {
    const until = performance.now() + REPEAT_FOR_MS;
    for (;;) {
      const answer = await this.#once(request);
      if (answer !== undefined && answer.status !== 503) return answer;
      if (performance.now() > until || this.#signal.aborted)
        throw new Unanswered(`${request.method} ${request.path} was not answered`);
      await wait(REPEAT_AFTER_MS);
    }
  }

  async get(path: string): Promise<Answer> {
    return this.ask({ method: "GET", path });
  }

  /** A change under an idempotency key of its own. Some that were answered are asked for once more. */
  async change(request: Request): Promise<Answer> {
    const key = randomUUID();
    const headers = { ...request.headers, "idempotency-key": key };
    const call: KeyedCall = {
      key,
      what: `${request.method} ${request.path}`,
      ids: [],
      atMs: Date.now(),
    };
    this.#book.calls.push(call);
    const note = ({ body, status }: Answer): void => {
      if (status < 300 && typeof body["id"] === "string") call.ids.push(body["id"]);
    };
    const answer = await this.ask({ ...request, headers });
    note(answer);
    const window = this.#book.lossWindow;
    if (answer.status < 300 && this.#random.chance(AGAIN_CHANCE)) {
      const again = await this.ask({ ...request, headers });
      // A restore of D1 between the two forgets the first.
      if (this.#book.lossWindow !== window) return again;
      note(again);
      if (again.status !== answer.status || again.headers.get("idempotent-replayed") !== "true")
        this.#book.wrongly(
          `${call.what} with the key ${key} was answered ${answer.status}, and ${again.status} when it was repeated`,
        );
    }
    return answer;
  }

  async #once({ method, path, body, headers = {} }: Request): Promise<Answer | undefined> {
    try {
      const response = await fetch(`${this.#address}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.key}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      const text = await response.text();
      this.#canaries.look(`the answer of ${method} ${path}`, text);
      const parsed = parsedAnswer(text);
      if (response.status >= 500 && parsed["code"] !== undefined && response.status !== 503)
        this.#book.wrongly(
          `${method} ${path} answered ${response.status}: ${text.slice(0, 300)} (request ${response.headers.get("x-request-id")})`,
        );
      // Wrangler's own page, while the Worker behind it is gone.
      if (response.status >= 500 && parsed["code"] === undefined) return undefined;
      return { status: response.status, body: parsed, headers: response.headers };
    } catch {
      return undefined;
    }
  }
}

function parsedAnswer(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

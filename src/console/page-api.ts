/**
 * The reads of a page: answers of the API, requested inside the Worker with the reader's own cookie. A page thus shows
 * exactly the data that the API shows the reader (docs/decisions/0086-console.md).
 */
import type * as z from "zod";
import { API_PREFIX } from "#http/api-prefix.ts";
import type { Endpoint } from "#http/endpoint.ts";

/** Serves a request inside the Worker. */
export type Serve = (request: Request) => Response | Promise<Response>;

/**
 * A failed answer of the API, which the page displays. `status`: its status. `setCookie`: the header that deletes an
 * invalid cookie.
 */
export class PageProblem extends Error {
  readonly status: number;
  readonly setCookie: string | undefined;

  constructor(status: number, detail: string, setCookie?: string) {
    super(detail);
    this.name = "PageProblem";
    this.status = status;
    this.setCookie = setCookie;
  }
}

/** An answer and its ETag. */
interface Tagged<T> {
  answer: T;
  etag: string | undefined;
}

/** Headers of the person's request that identify the person, the origin and the trace in the log. */
const passedOn = ["cookie", "cf-connecting-ip", "user-agent", "traceparent"] as const;

export class PageApi {
  readonly #origin: string;
  readonly #headers: Headers;
  readonly #serve: Serve;
  /** Shares answers between the page and its frame. */
  readonly #asked = new Map<string, Promise<Tagged<unknown>>>();

  constructor(
    request: { url: string; header: (name: string) => string | undefined; requestId: string },
    serve: Serve,
  ) {
    this.#origin = new URL(request.url).origin;
    this.#headers = new Headers({ accept: "application/json", "x-request-id": request.requestId });
    for (const name of passedOn) {
      const value = request.header(name);
      if (value !== undefined) this.#headers.set(name, value);
    }
    this.#serve = serve;
  }

  /**
   * Reads an endpoint that changes nothing, once per page. `query`: empty values are left out. Throws `PageProblem`.
   */
  async read<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
    endpoint: Endpoint<P, Q, B, A>,
    params: Readonly<Record<string, string>> = {},
    query: Readonly<Record<string, string | undefined>> = {},
    body?: z.input<B>,
  ): Promise<z.output<A>> {
    return (await this.readTagged(endpoint, params, query, body)).answer;
  }

  /** Reads an endpoint, and also returns the ETag for a later change. */
  async readTagged<
    P extends z.ZodType,
    Q extends z.ZodType,
    B extends z.ZodType,
    A extends z.ZodType,
  >(
    { method, path, safe, answer }: Endpoint<P, Q, B, A>,
    params: Readonly<Record<string, string>> = {},
    query: Readonly<Record<string, string | undefined>> = {},
    body?: z.input<B>,
  ): Promise<Tagged<z.output<A>>> {
    // Following a link to a page must change nothing. A GET with a redirect takes part in signing in.
    const changesNothing = safe === true || (method === "GET" && answer.status !== 302);
    if (!changesNothing) throw new Error(`${method} ${path} is not for reading`);
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(params[name] ?? ""),
    );
    const sent = Object.entries(query).filter((one): one is [string, string] => Boolean(one[1]));
    const url = `${this.#origin}${API_PREFIX}${filled}?${new URLSearchParams(sent).toString()}`;
    const key = `${url} ${JSON.stringify(body)}`;
    const asked = this.#asked.get(key) ?? this.#ask(new Request(url, this.#request(method, body)));
    this.#asked.set(key, asked);
    return (await asked) as Tagged<z.output<A>>;
  }

  async #ask(request: Request): Promise<Tagged<unknown>> {
    const response = await this.#serve(request);
    if (response.ok)
      return { answer: await response.json(), etag: response.headers.get("etag") ?? undefined };
    const { detail } = (await response.json().catch(() => ({}))) as { detail?: string };
    throw new PageProblem(
      response.status,
      detail ?? "The service failed. Try again later.",
      response.headers.get("set-cookie") ?? undefined,
    );
  }

  /** Reads an endpoint. Returns null for 403 and 404. */
  async readIfAny<
    P extends z.ZodType,
    Q extends z.ZodType,
    B extends z.ZodType,
    A extends z.ZodType,
  >(
    endpoint: Endpoint<P, Q, B, A>,
    params: Readonly<Record<string, string>> = {},
    query: Readonly<Record<string, string | undefined>> = {},
  ): Promise<z.output<A> | null> {
    try {
      return await this.read(endpoint, params, query);
    } catch (error) {
      if (error instanceof PageProblem && (error.status === 403 || error.status === 404))
        return null;
      throw error;
    }
  }

  #request(method: string, body: unknown): RequestInit {
    if (body === undefined) return { method, headers: this.#headers };
    const headers = new Headers(this.#headers);
    headers.set("content-type", "application/json");
    headers.set("x-service-csrf", "1");
    headers.set("origin", this.#origin);
    return { method, headers, body: JSON.stringify(body) };
  }
}

/** An API client, as an integrator would write it. */

type State =
  | "QUEUED"
  | "PLANNING"
  | "AWAITING_APPROVAL"
  | "APPLYING"
  | "CANCELING"
  | "SUCCEEDED"
  | "FAILED"
  | "NO_CHANGES"
  | "CANCELED"
  | "DISCARDED"
  | "EXPIRED"
  | "SUPERSEDED";

export interface Summary {
  create: number;
  update: number;
  replace: number;
  delete: number;
  unchanged: number;
}

export interface Deployment {
  id: string;
  instanceId: string;
  operation: string;
  state: State;
  summary: Summary | null;
  planHash: string | null;
  error: { code: string; message: string } | null;
  /** When each state was entered. */
  timestamps: Partial<Record<State, string>>;
}

/** The time that a client waits for a service that does not answer. */
const RECONNECT_FOR_MS = 60_000;
const RECONNECT_STEP_MS = 250;

export interface LogEntry {
  seq: number;
  at: string;
  level: string;
  message: string;
  resource?: string;
}

export interface Resource {
  name: string;
  type: string;
  id: string;
}

export interface Named {
  id: string;
}

/** An unsuccessful response, with the code and detail of its problem. */
class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  readonly status: number;
  readonly code: string;
  constructor(request: string, status: number, text: string) {
    const problem = parsedProblem(text);
    super(`${request} answered ${status}: ${problem.code}. ${problem.detail}`);
    this.status = status;
    this.code = problem.code;
  }
}

function parsedProblem(text: string): { code: string; detail: string } {
  try {
    const { code, detail, errors } = JSON.parse(text) as Record<string, unknown>;
    const more = Array.isArray(errors) ? ` ${JSON.stringify(errors)}` : "";
    return { code: String(code), detail: `${String(detail)}${more}` };
  } catch {
    return { code: "not_a_problem", detail: text.slice(0, 200) };
  }
}

export interface Client {
  get: <Answer>(path: string) => Promise<Answer>;
  /** The answer as lines to read. */
  text: (path: string) => Promise<string>;
  post: <Answer>(path: string, body?: unknown) => Promise<Answer>;
  patch: <Answer>(path: string, body: unknown) => Promise<Answer>;
  /** Every item of a paged list. */
  list: <Item>(path: string) => Promise<Item[]>;
  /** Streams the log from the first entry to the end of the run, across broken connections. */
  followLog: (deploymentId: string) => AsyncGenerator<LogEntry>;
}

/**
 * A client for the service at the origin `address`; paths are relative to `/api/v1`. Calls throw `ApiProblem` on an
 * unsuccessful response.
 */
export function clientOf(address: string, key: string): Client {
  const send = async (
    method: string,
    path: string,
    { body, accept = "application/json" }: { body?: unknown; accept?: string } = {},
  ): Promise<Response> => {
    const response = await fetch(`${address}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        accept,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    if (response.ok) return response;
    throw new ApiProblem(`${method} ${path}`, response.status, await response.text());
  };
  const json = async (method: string, path: string, body?: unknown) =>
    (await send(method, path, { body })).json();

  const client: Client = {
    get: (path) => json("GET", path) as Promise<never>,
    text: async (path) => (await send("GET", path, { accept: "text/plain" })).text(),
    post: (path, body) => json("POST", path, body) as Promise<never>,
    patch: (path, body) => json("PATCH", path, body) as Promise<never>,
    list: (path) => everyItem(path, (page) => client.get(page)),
    async *followLog(deploymentId) {
      let lastSeq: number | undefined;
      for (;;) {
        const headers = {
          authorization: `Bearer ${key}`,
          accept: "text/event-stream",
          ...(lastSeq === undefined ? {} : { "last-event-id": String(lastSeq) }),
        };
        const response = await reachable(() =>
          fetch(`${address}/api/v1/deployments/${deploymentId}/log`, { headers }),
        );
        if (!response.ok || response.body === null)
          throw new ApiProblem("GET /log", response.status, await response.text());
        const events = serverSentEvents(response.body);
        for (;;) {
          const next = await events.next().catch(() => undefined);
          // The stream ended early: resume after the last received entry.
          if (next === undefined || next.done === true) break;
          if (next.value.name === "end") {
            await events.return(undefined);
            return;
          }
          if (next.value.name === "problem") {
            await events.return(undefined);
            const { status } = JSON.parse(next.value.data) as { status: number };
            throw new ApiProblem("GET /log", status, next.value.data);
          }
          if (next.value.data === "") continue;
          const entry = JSON.parse(next.value.data) as LogEntry;
          lastSeq = entry.seq;
          yield entry;
        }
      }
    },
  };
  return client;
}

interface Page<Item> {
  data: readonly Item[];
  nextCursor: string | null;
}

/** Every item of the list at the path. `read`: one page of it. */
export async function everyItem<Item>(
  path: string,
  read: (path: string) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  const first = `${path}${path.includes("?") ? "&" : "?"}limit=100`;
  for (let at: string | undefined = first; at !== undefined;) {
    const { data, nextCursor }: Page<Item> = await read(at);
    items.push(...data);
    at = nextCursor === null ? undefined : `${first}&cursor=${encodeURIComponent(nextCursor)}`;
  }
  return items;
}

/** The answer of `ask`, once the service can be reached. */
async function reachable(ask: () => Promise<Response>): Promise<Response> {
  const until = performance.now() + RECONNECT_FOR_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > until) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, RECONNECT_STEP_MS);
      });
    }
  }
}

export interface ServerSentEvent {
  name: string;
  data: string;
}

/** The events of a `text/event-stream`, without comments and events that have neither data nor a name. */
export async function* serverSentEvents(
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  let name = "message";
  let data: string[] = [];
  for await (const chunk of stream) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split(/\r\n|\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0 || name !== "message") yield { name, data: data.join("\n") };
        name = "message";
        data = [];
        continue;
      }
      const [, field, value] = /^([^:]*)(?::\s?(.*))?$/.exec(line) ?? [];
      if (field === "data") data.push(value ?? "");
      if (field === "event") name = value ?? "";
    }
  }
}

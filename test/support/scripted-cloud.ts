import type { Json, JsonMap } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";

export interface SeenRequest {
  method: string;
  /** Path and query. */
  path: string;
  headers: Headers;
  body: Json | undefined;
}

export type ScriptedAnswer = Response | Error;

/** A cloud with scripted answers, in order, that records its requests. A missing answer throws. */
export function scriptedCloud(...answers: ScriptedAnswer[]): {
  requests: SeenRequest[];
  lines: () => string[];
  context: (more?: Partial<ProviderContext>) => ProviderContext;
} {
  const requests: SeenRequest[] = [];
  const left = [...answers];
  const fetch = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    const text = await request.text();
    requests.push({
      method: request.method,
      path: url.pathname + url.search,
      headers: request.headers,
      body: text === "" ? undefined : (JSON.parse(text) as Json),
    });
    const answer = left.shift();
    if (answer === undefined) throw new Error(`No answer is scripted for ${request.url}`);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return {
    requests,
    lines: () => requests.map(({ method, path }) => `${method} ${path}`),
    context: (more = {}) => ({
      targetId: "target-1",
      region: "eu-1",
      config: {},
      credential: { token: "s3cr3t-token" },
      fetch,
      now: () => 1_000_000,
      ...more,
    }),
  };
}

/** A JSON answer. */
export function json(body: Json, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers });
}

/** An answer without a body. */
export function empty(status = 204): Response {
  return new Response(null, { status });
}

/** An object of an invented cloud. */
export function thing(more: JsonMap = {}): JsonMap {
  return { id: "t-1", name: "thing-one", size: 1, ...more };
}

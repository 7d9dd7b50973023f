import type { IncomingMessage, ServerResponse } from "node:http";
import { startLoopbackServer } from "../service/loopback-server.ts";

export interface ServedCloud {
  url: string;
  close: () => Promise<void>;
}

/** Serves a fake cloud on loopback. If `fetch` rejects, the connection is dropped. */
export async function serveFakeCloud(
  fetch: (request: Request) => Promise<Response>,
  { port = 0, latencyMs = 0 }: { port?: number; latencyMs?: number } = {},
): Promise<ServedCloud> {
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await incoming.toArray());
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headers))
      if (typeof value === "string") headers.set(name, value);
    const response = await fetch(
      new Request(`http://${incoming.headers.host ?? "127.0.0.1"}${incoming.url ?? "/"}`, {
        method: incoming.method ?? "GET",
        headers,
        ...(body.length === 0 ? {} : { body }),
      }),
    );
    await new Promise((resolve) => {
      setTimeout(resolve, latencyMs);
    });
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  };
  const server = await startLoopbackServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  }, port);
  return { url: new URL(server.url).origin, close: server.close };
}

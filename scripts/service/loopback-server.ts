import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface LoopbackServer {
  url: string;
  /** Also ends the requests that are still open. */
  close: () => Promise<void>;
}

/** A server on 127.0.0.1. `port` 0: a free one. */
export async function startLoopbackServer(
  listener: RequestListener,
  port = 0,
): Promise<LoopbackServer> {
  const server = createServer(listener);
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => {
        server.close(closed);
      });
    },
  };
}

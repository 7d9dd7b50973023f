import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

export interface WebhookEvent {
  id: string;
  type: string;
  timestamp: string;
  tenantId: string;
  sequence: number;
  data: Readonly<Record<string, unknown>>;
}

export interface Receiver {
  url: string;
  /** The secret that what comes from now on must be signed with. */
  setSecret: (secret: string) => void;
  /** In the order they came; an event that is delivered twice is there twice. */
  verified: readonly WebhookEvent[];
  /** Why each request that did not verify was refused. */
  refused: readonly string[];
  /** False when `condition` did not come to hold in time. Looks again whenever something was received. */
  until: (condition: () => boolean, withinMs: number) => Promise<boolean>;
  close: () => Promise<void>;
}

/** An HTTP server on loopback that takes webhooks, and believes only what Standard Webhooks' own library verifies. */
export async function startReceiver(): Promise<Receiver> {
  const verified: WebhookEvent[] = [];
  const refused: string[] = [];
  const waiting = new Set<() => void>();
  let webhook: Webhook | undefined;

  const take = async (request: IncomingMessage): Promise<number> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    try {
      if (webhook === undefined) throw new Error("It came before there was a secret.");
      const headers = request.headers as Record<string, string>;
      const event = webhook.verify(Buffer.concat(chunks), headers) as WebhookEvent;
      if (event.id !== headers["webhook-id"])
        throw new Error("The event's id is not the webhook-id.");
      verified.push(event);
      return 204;
    } catch (error) {
      refused.push(String(error));
      return 401;
    } finally {
      for (const look of waiting) look();
    }
  };
  const server = createServer((request, response) => {
    take(request).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    setSecret: (secret) => {
      webhook = new Webhook(secret);
    },
    verified,
    refused,
    until: (condition, withinMs) =>
      new Promise((resolve) => {
        const settle = (): void => {
          waiting.delete(look);
          clearTimeout(timer);
          resolve(condition());
        };
        const look = (): void => {
          if (condition()) settle();
        };
        const timer = setTimeout(settle, withinMs);
        waiting.add(look);
        look();
      }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => {
        server.close(closed);
      });
    },
  };
}

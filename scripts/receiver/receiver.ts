import type { IncomingMessage } from "node:http";
import { Webhook } from "standardwebhooks";
import { startLoopbackServer } from "../service/loopback-server.ts";

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
  /** Sets the secret for verifying further requests. */
  setSecret: (secret: string) => void;
  /** In order of arrival, including duplicates. */
  verified: readonly WebhookEvent[];
  /** The reason for each rejected request. */
  refused: readonly string[];
  /** Waits for `condition`, checked after each request; false on timeout. */
  until: (condition: () => boolean, withinMs: number) => Promise<boolean>;
  close: () => Promise<void>;
}

/** An HTTP server on loopback that receives webhooks and verifies them with the Standard Webhooks library. */
export async function startReceiver(): Promise<Receiver> {
  const verified: WebhookEvent[] = [];
  const refused: string[] = [];
  const waiting = new Set<() => void>();
  let webhook: Webhook | undefined;

  const take = async (request: IncomingMessage): Promise<number> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    try {
      if (webhook === undefined) throw new Error("The webhook arrived before a secret was set.");
      const headers = request.headers as Record<string, string>;
      const event = webhook.verify(Buffer.concat(chunks), headers) as WebhookEvent;
      if (event.id !== headers["webhook-id"])
        throw new Error("The event's id differs from the webhook-id header.");
      verified.push(event);
      return 204;
    } catch (error) {
      refused.push(String(error));
      return 401;
    } finally {
      for (const look of waiting) look();
    }
  };
  const server = await startLoopbackServer((request, response) => {
    take(request).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    );
  });
  return {
    url: `${server.url}webhooks`,
    setSecret: (secret) => {
      webhook = new Webhook(secret);
    },
    verified,
    refused,
    until: (condition, withinMs) =>
      new Promise((resolve) => {
        const finish = (): void => {
          waiting.delete(look);
          clearTimeout(timer);
          resolve(condition());
        };
        const look = (): void => {
          if (condition()) finish();
        };
        const timer = setTimeout(finish, withinMs);
        waiting.add(look);
        look();
      }),
    close: () => server.close(),
  };
}

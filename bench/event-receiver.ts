import type { IncomingMessage } from "node:http";
import { type LoopbackServer, startLoopbackServer } from "../scripts/service/loopback-server.ts";

export interface EventReceiver extends LoopbackServer {
  /** Arrival time of the event of this type for this resource, by `performance.now()`. Rejects on timeout. */
  arrival: (type: string, resourceId: string, withinMs: number) => Promise<number>;
}

/** A server on loopback that records the arrival time of each webhook. It does not verify them, which would take time. */
export async function startEventReceiver(): Promise<EventReceiver> {
  const arrivals = new Map<string, number>();
  const waiting = new Map<string, (atMs: number) => void>();
  const take = async (request: IncomingMessage): Promise<void> => {
    const atMs = performance.now();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { type, data } = JSON.parse(Buffer.concat(chunks).toString()) as {
      type: string;
      data: { resource: { id: string } };
    };
    const name = `${type} ${data.resource.id}`;
    arrivals.set(name, atMs);
    waiting.get(name)?.(atMs);
  };
  const server = await startLoopbackServer((request, response) => {
    take(request).then(
      () => response.writeHead(204).end(),
      () => response.writeHead(400).end(),
    );
  });
  return {
    ...server,
    arrival: (type, resourceId, withinMs) => {
      const name = `${type} ${resourceId}`;
      const known = arrivals.get(name);
      if (known !== undefined) return Promise.resolve(known);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(name);
          reject(new Error(`No ${type} arrived for ${resourceId} within ${withinMs} ms.`));
        }, withinMs);
        waiting.set(name, (atMs) => {
          clearTimeout(timer);
          waiting.delete(name);
          resolve(atMs);
        });
      });
    },
  };
}

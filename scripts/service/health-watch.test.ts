import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { untilSilent } from "./health-watch.ts";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const quick = { everyMs: 10, withinMs: 100, misses: 3 };

/** Answers the checks that `answered` says, the first being 1. */
async function serve(
  answered: (nth: number) => boolean,
): Promise<{ address: string; asked: () => number }> {
  let asked = 0;
  server = createServer((_, response) => {
    asked += 1;
    if (answered(asked)) response.writeHead(503).end("x");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { address, asked: () => asked };
}

it("notices a service that accepts connections and answers nothing", async () => {
  const { address, asked } = await serve((nth) => nth <= 2);
  expect(await untilSilent(address, new AbortController().signal, quick)).toBe(true);
  expect(asked()).toBe(5);
});

it("forgives checks that are missed now and then", async () => {
  const { address, asked } = await serve((nth) => nth % 3 === 0 && nth <= 9);
  expect(await untilSilent(address, new AbortController().signal, quick)).toBe(true);
  expect(asked()).toBe(12);
});

it("ends when it is told to", async () => {
  const { address } = await serve(() => true);
  const stop = new AbortController();
  const watching = untilSilent(address, stop.signal, quick);
  stop.abort();
  expect(await watching).toBe(false);
});

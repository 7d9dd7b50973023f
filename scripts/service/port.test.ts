import { expect, it } from "vitest";
import { startLoopbackServer } from "./loopback-server.ts";
import { portGetsFree } from "./port.ts";

it("waits for a port that its process is about to give back, and not for one that stays in use", async () => {
  const server = await startLoopbackServer((_, response) => response.end());
  const port = Number(new URL(server.url).port);
  expect(await portGetsFree(port, 100)).toBe(false);
  const waiting = portGetsFree(port, 10_000);
  await server.close();
  expect(await waiting).toBe(true);
});

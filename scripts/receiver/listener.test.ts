/** `npm run listen` with forged deliveries and with hostile texts. */
import { request as httpRequest } from "node:http";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { LoopbackServer } from "../service/loopback-server.ts";
import { startListener } from "./listener.ts";

const KEY = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
/** Clears the screen, goes up a line, turns the line around, and begins another one. */
const HOSTILE = "\u001b[2J\u009b1A\u202e\u2028\r\nall is well";

let lines: string[] = [];
let listener: LoopbackServer;
beforeAll(async () => {
  listener = await startListener(
    { port: 0, key: KEY, status: 204, delayMs: 0, first: Infinity },
    (line) => lines.push(line),
  );
});
afterAll(() => listener.close());
beforeEach(() => {
  lines = [];
});

it.each([
  ["an event", { type: "instance.created", sequence: 1, data: { resource: {}, name: HOSTILE } }],
  ["an event's kind", { type: HOSTILE, sequence: 1, data: { [HOSTILE]: { [HOSTILE]: HOSTILE } } }],
  ["an event's resource", { sequence: 1, data: { resource: { type: HOSTILE, id: HOSTILE } } }],
  ["a chat message", { blocks: [{ text: { text: HOSTILE } }] }],
  ["a text", HOSTILE],
])("prints %s without what moves a cursor", async (_, event) => {
  expect(await deliver(JSON.stringify(event), { id: "msg_\u009b2J" })).toBe(204);
  expect(lines.join("\n")).toContain("all is well");
  expect(lines.join("\n")).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}|\u2028|^all is well/mu);
});

it.each([
  ["that was recorded ten minutes ago", { sentAtMs: Date.now() - 600_000 }],
  ["of another key", { key: `whsec_${Buffer.alloc(32, 8).toString("base64")}` }],
  ["of another id", { headerId: "msg_\u009b2J" }],
])("refuses a delivery %s", async (_, given) => {
  expect(await deliver("{}", given)).toBe(401);
  expect(lines).toEqual([expect.stringMatching(/^REFUSED with 401: [\x20-\x7e]+$/)]);
});

it("distinguishes a repeated delivery from a new one", async () => {
  for (const id of ["msg_again", "msg_again"]) expect(await deliver("{}", { id })).toBe(204);
  expect(lines[1]).toContain("for the second time");
});

it("reads no more than a delivery can have, and goes on", async () => {
  await expect(deliver("x".repeat(3 * 1024 * 1024))).rejects.toThrow(
    /ECONNRESET|EPIPE|socket hang up/,
  );
  expect(await deliver("{}")).toBe(204);
  expect(lines).toHaveLength(1);
});

function deliver(
  body: string,
  given: { id?: string; headerId?: string; key?: string; sentAtMs?: number } = {},
): Promise<number | undefined> {
  const { id = "msg_1", headerId = id, key = KEY, sentAtMs = Date.now() } = given;
  const sentAt = new Date(sentAtMs);
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      new URL("/../..//etc/%00", listener.url),
      {
        method: "POST",
        headers: {
          "webhook-id": headerId,
          "webhook-timestamp": String(Math.floor(sentAtMs / 1000)),
          "webhook-signature": new Webhook(key).sign(id, sentAt, body),
        },
      },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    sent.on("error", reject);
    sent.end(Buffer.from(body));
  });
}

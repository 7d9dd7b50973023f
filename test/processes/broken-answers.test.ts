/** What the sender of webhooks makes of answers that no HTTP server of a test would send: bytes on real sockets, in workerd. */
import { build } from "esbuild";
import { createRequire } from "node:module";
import { createServer, type Server, type Socket } from "node:net";
import { type AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";

interface Miniflare {
  ready: Promise<URL>;
  dispose: () => Promise<void>;
}

const TIMEOUT_MS = 1_500;
const open = new Set<Socket>();
let receiver: Server;
let miniflare: Miniflare;
let origin: URL;
/** What the receiver sends once it has the request. */
let answer: (socket: Socket) => void = () => undefined;

beforeAll(async () => {
  receiver = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined).once("data", () => answer(socket));
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const { outputFiles } = await build({
    stdin: {
      contents: `import { send } from "./src/areas/webhooks/delivery/send.ts";
        export default { fetch: async (request) => {
          const url = new URL(request.headers.get("x-receiver"));
          const parts = { now: Date.now, fetch: (one) => fetch(one), timeoutMs: ${TIMEOUT_MS} };
          return Response.json(await send({ url, headers: {}, body: "{}" }, parts));
        } };`,
      resolveDir: process.cwd(),
    },
    bundle: true,
    format: "esm",
    conditions: ["workerd"],
    write: false,
  });
  const ofWrangler = createRequire(createRequire(import.meta.url).resolve("wrangler"));
  const { Miniflare: Runtime, convertV4MiniflareOptions } = (await import(
    ofWrangler.resolve("miniflare")
  )) as {
    Miniflare: new (options: unknown) => Miniflare;
    convertV4MiniflareOptions: (options: unknown) => unknown;
  };
  miniflare = new Runtime(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      modules: true,
      script: outputFiles[0]?.text,
      compatibilityDate: "2026-10-20",
    }),
  );
  origin = await miniflare.ready;
}, 60_000);

afterAll(async () => {
  await miniflare.dispose();
  for (const socket of open) socket.destroy();
  receiver.close();
});

async function attempt(bytes: readonly (string | Uint8Array)[], then: "end" | "reset" | "hang") {
  answer = (socket) => {
    for (const part of bytes) socket.write(part);
    if (then === "end") socket.end();
    // After the bytes have left.
    if (then === "reset") setTimeout(() => socket.resetAndDestroy(), 100);
  };
  const { port } = receiver.address() as AddressInfo;
  const headers = { "x-receiver": `http://127.0.0.1:${port}/in` };
  return (await (await fetch(origin, { headers })).json()) as Record<string, unknown>;
}

const head = (status: string, ...headers: string[]) =>
  `HTTP/1.1 ${status}\r\n${headers.map((line) => `${line}\r\n`).join("")}\r\n`;
const LONG = "content-length: 100";
const CHUNKED = "transfer-encoding: chunked";
const GZIP = "content-encoding: gzip";
const gzipped = gzipSync("x".repeat(1_000));

it.each([
  ["a body that hangs", [head("200 OK", LONG), "tha"], "hang", "tha"],
  ["a body that never begins", [head("202 Accepted", LONG)], "hang", ""],
  ["chunks that hang", [head("200 OK", CHUNKED), "3\r\ntha\r\n"], "hang", "tha"],
  ["a body without a length that hangs", [head("200 OK"), "tha"], "hang", "tha"],
  ["a connection reset in the body", [head("200 OK", LONG), "tha"], "reset", "tha"],
  ["a connection reset before the body", [head("200 OK", LONG)], "reset", ""],
  ["a shorter body than its length", [head("200 OK", LONG), "tha"], "end", "tha"],
  ["chunks that end early", [head("200 OK", CHUNKED), "3\r\ntha\r\n"], "end", "tha"],
  ["a chunk whose size is no number", [head("200 OK", CHUNKED), "zz\r\ntha\r\n"], "end", ""],
  ["a body that is no gzip", [head("200 OK", GZIP, "content-length: 6"), "thanks"], "end", ""],
  ["an empty body as gzip", [head("200 OK", GZIP, "content-length: 0")], "end", ""],
  [
    "a gzip that breaks off",
    [head("200 OK", GZIP, `content-length: ${gzipped.length - 8}`), gzipped.subarray(0, -8)],
    "end",
    undefined,
  ],
  ["an unknown coding", [head("200 OK", "content-encoding: zip", LONG), "tha"], "reset", "tha"],
] as const)("%s is delivered if its head says 2xx", async (_, bytes, then, text) => {
  const sent = await attempt(bytes, then);
  expect(sent).toMatchObject({ status: expect.any(Number), errorClass: null });
  if (text !== undefined) expect(sent["answer"]).toBe(text);
});

it.each([
  ["no head", "hang", "timeout"],
  ["no head", "reset", "network"],
  ["no head", "end", "network"],
] as const)("%s and a %s is no delivery", async (_, then, errorClass) => {
  expect(await attempt([], then)).toMatchObject({ status: null, errorClass });
});

it("judges a failure by its head too", async () => {
  expect(await attempt([head("410 Gone", LONG), "x"], "hang")).toMatchObject({
    status: 410,
    errorClass: "http_status",
    answerCut: true,
  });
});

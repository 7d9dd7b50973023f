import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { delayMsBefore, fireScheduledHandler } from "./scheduled-handler.ts";

let server: Server | undefined;
afterEach(() => server?.close());

async function serve(status: number, onRequest: (path: string) => void): Promise<string> {
  server = createServer((request, response) => {
    onRequest(request.url ?? "");
    response.writeHead(status).end("x");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it("is called at once, after 35 s, and then every minute", () => {
  expect([0, 1, 2, 3, 100].map(delayMsBefore)).toEqual([0, 35_000, 60_000, 60_000, 60_000]);
});

it("is called until aborted", async () => {
  const paths: string[] = [];
  const stop = new AbortController();
  const problems: string[] = [];
  const address = await serve(200, (path) => {
    paths.push(path);
    setImmediate(() => {
      stop.abort();
    });
  });
  await fireScheduledHandler({ address, key: "k" }, stop.signal, (problem) =>
    problems.push(problem),
  );
  expect(paths).toEqual(["/cdn-cgi/local/scheduled?cron=k"]);
  expect(problems).toEqual([]);
});

it("reports an unsuccessful answer and a missing one", async () => {
  const problems: string[] = [];
  const report = (stop: AbortController) => (problem: string) => {
    problems.push(problem);
    stop.abort();
  };
  const address = await serve(500, () => {});
  const first = new AbortController();
  await fireScheduledHandler({ address, key: "k" }, first.signal, report(first));
  server?.close();
  server?.closeAllConnections();
  const second = new AbortController();
  await fireScheduledHandler({ address, key: "k" }, second.signal, report(second));
  expect(problems).toEqual([
    "The scheduled handler answered 500: see the errors above.",
    expect.stringContaining("The scheduled handler could not be called"),
  ]);
});

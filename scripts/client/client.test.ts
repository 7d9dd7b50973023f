import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { clientOf, everyItem, serverSentEvents } from "./client.ts";

async function eventsOf(...chunks: string[]) {
  const bytes = new TextEncoder().encode(chunks.join("\u0000"));
  const stream = async function* () {
    let from = 0;
    for (let at = 0; at <= bytes.length; at += 1)
      if (at === bytes.length || bytes[at] === 0) {
        yield bytes.slice(from, at);
        from = at + 1;
      }
  };
  const events = [];
  for await (const event of serverSentEvents(stream())) events.push(event);
  return events;
}

it("assembles an event from several chunks", async () => {
  expect(await eventsOf("id: 1\nda", 'ta: {"seq":1}\n', "\n: alive\n\nid: 2\ndata: b\n\n")).toEqual(
    [
      { name: "message", data: '{"seq":1}' },
      { name: "message", data: "b" },
    ],
  );
});

it("yields the last event of the stream", async () => {
  expect(await eventsOf("data: a\n\nevent: end\ndata:\n\n")).toEqual([
    { name: "message", data: "a" },
    { name: "end", data: "" },
  ]);
  expect(await eventsOf("event: end\n\n")).toEqual([{ name: "end", data: "" }]);
});

it("does not yield an incomplete event", async () => {
  expect(await eventsOf("data: a\n\ndata: b\n")).toEqual([{ name: "message", data: "a" }]);
});

it("resumes a broken log stream without gaps or repetition", async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const after = Number(request.headers["last-event-id"] ?? 0);
    asked.push(request.headers["last-event-id"] as string | undefined);
    response.writeHead(200, { "content-type": "text/event-stream" });
    const entry = `id: ${after + 1}\ndata: {"seq":${after + 1}}\n\n`;
    if (after === 2) response.end(`${entry}event: end\ndata: {}\n\n`);
    else response.write(entry, () => setImmediate(() => response.destroy()));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const seqs: number[] = [];
  for await (const { seq } of clientOf(`http://127.0.0.1:${port}`, "key").followLog("d1"))
    seqs.push(seq);
  server.close();
  expect(seqs).toEqual([1, 2, 3]);
  expect(asked).toEqual([undefined, "1", "2"]);
});

it("reads every page of a list, from the first on", async () => {
  const asked: string[] = [];
  const pages = [
    { data: [1, 2], nextCursor: "a/b" },
    { data: [], nextCursor: "c" },
    { data: [3], nextCursor: null },
  ];
  const items = await everyItem("/things?state=X", async (path) => {
    asked.push(path);
    return pages[asked.length - 1] ?? { data: [], nextCursor: null };
  });
  expect(items).toEqual([1, 2, 3]);
  const first = "/things?state=X&limit=100";
  expect(asked).toEqual([first, `${first}&cursor=a%2Fb`, `${first}&cursor=c`]);
});

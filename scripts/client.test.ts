import { expect, it } from "vitest";
import { serverSentEvents } from "./client.ts";

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

it("puts an event together that came in pieces", async () => {
  expect(await eventsOf("id: 1\nda", 'ta: {"seq":1}\n', "\n: alive\n\nid: 2\ndata: b\n\n")).toEqual(
    [
      { name: "message", data: '{"seq":1}' },
      { name: "message", data: "b" },
    ],
  );
});

it("gives the event that ends the stream", async () => {
  expect(await eventsOf("data: a\n\nevent: end\ndata:\n\n")).toEqual([
    { name: "message", data: "a" },
    { name: "end", data: "" },
  ]);
  expect(await eventsOf("event: end\n\n")).toEqual([{ name: "end", data: "" }]);
});

it("gives no event that was cut off", async () => {
  expect(await eventsOf("data: a\n\ndata: b\n")).toEqual([{ name: "message", data: "a" }]);
});

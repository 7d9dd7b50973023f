/** A resolver on loopback that answers well, badly, late, too much, or something else. */
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { challengeRecord, newChallenge, unusable } from "./email-domain.ts";
import { txtRecords } from "./txt-records.ts";

const NAME = "_control-challenge.acme.example";
const Question = [{ name: NAME, type: 16 }];
const txt = (data: unknown, name: string = NAME) => ({ name, type: 16, TTL: 60, data });

let server: Server;
let resolver: string;
let answer: (response: ServerResponse, url: URL) => void;
const json = (body: unknown) => (response: ServerResponse) => {
  response.writeHead(200, { "content-type": "application/dns-json" });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
};
const asked: { accept: string | undefined; query: string }[] = [];

beforeAll(async () => {
  server = createServer(({ url = "", headers }, response) => {
    const at = new URL(url, "http://127.0.0.1");
    asked.push({ accept: headers.accept, query: at.search });
    answer(response, at);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  resolver = `http://127.0.0.1:${(server.address() as AddressInfo).port}/dns-query`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => asked.splice(0));

describe("a resolver that answers", () => {
  it.each<[string, unknown, string[]]>([
    ["one text", { Status: 0, Question, Answer: [txt('"control-api=x"')] }, ["control-api=x"]],
    [
      "a text in parts",
      { Status: 0, Question, Answer: [txt('"control-" "api=x"')] },
      ["control-api=x"],
    ],
    [
      "a text without quotation marks",
      { Status: 0, Question, Answer: [txt("control-api=x")] },
      ["control-api=x"],
    ],
    [
      "another spelling of the name",
      {
        Status: 0,
        Question: [{ name: `${NAME.toUpperCase()}.`, type: 16 }],
        Answer: [txt('"x"', `${NAME}.`)],
      },
      ["x"],
    ],
    ["several records", { Status: 0, Question, Answer: [txt('"a"'), txt('"b"')] }, ["a", "b"]],
    ["no such name", { Status: 3, Question }, []],
    ["no records", { Status: 0, Question }, []],
    [
      "records of other names and kinds",
      {
        Status: 0,
        Question,
        Answer: [txt('"x"', "acme.example"), { ...txt('"x"'), type: 1 }, null, 7, txt(5)],
      },
      [],
    ],
    [
      "a record behind a CNAME",
      {
        Status: 0,
        Question,
        Answer: [
          { name: NAME, type: 5, data: "x.vendor.example." },
          txt('"x"', "x.vendor.example"),
        ],
      },
      [],
    ],
  ])("%s", async (_, body, texts) => {
    answer = json(body);
    expect(await txtRecords(resolver, NAME)).toEqual({ kind: "records", texts });
    expect(asked).toEqual([{ accept: "application/dns-json", query: `?name=${NAME}&type=TXT` }]);
  });
});

describe("no answer is", () => {
  it.each<[string, typeof answer]>([
    ["a failure of DNS", json({ Status: 2, Question })],
    ["a status that is no number", json({ Status: "0", Question, Answer: [txt('"x"')] })],
    [
      "an answer to another question",
      json({ Status: 0, Question: [{ name: "other.example", type: 16 }], Answer: [txt('"x"')] }),
    ],
    ["an answer to no question", json({ Status: 0, Answer: [txt('"x"')] })],
    ["a cut answer", json({ Status: 0, TC: true, Question, Answer: [txt('"x"')] })],
    ["records that are no list", json({ Status: 0, Question, Answer: { 0: txt('"x"') } })],
    ["no JSON", json("<html>")],
    ["a list", json([])],
    ["null", json("null")],
    ["an error", (response) => response.writeHead(500).end("{}")],
    [
      "a redirect",
      (response, url) => response.writeHead(302, { location: `${url.pathname}2` }).end(),
    ],
    ["a broken connection", (response) => response.destroy()],
    [
      "a huge answer",
      (response) => {
        response.writeHead(200);
        const write = (): void => {
          if (!response.destroyed) response.write("x".repeat(100_000), () => setImmediate(write));
        };
        write();
      },
    ],
    ["a slow answer", () => undefined],
    ["an answer that does not end", (response) => response.writeHead(200).write("{")],
  ])("%s", async (_, bad) => {
    answer = bad;
    const startedMs = performance.now();
    expect((await txtRecords(resolver, NAME, 300)).kind).toBe("unknown");
    expect(performance.now() - startedMs).toBeLessThan(3_000);
  });

  it.each(["", "dns", "http://resolver.example/dns-query", "ftp://127.0.0.1/"])(
    "what stands at %j",
    async (setting) => {
      answer = json({ Status: 0, Question, Answer: [txt('"x"')] });
      if (setting.startsWith("ftp"))
        return expect((await txtRecords(setting, NAME)).kind).toBe("unknown");
      expect((await txtRecords(setting, NAME)).kind).toBe("unknown");
      return expect(asked).toEqual([]);
    },
  );
});

describe("a domain", () => {
  it.each(["acme.example", "a.b.c.example", "xn--bcher-kva.example", "x1.co"])(
    "may be %j",
    (domain) => expect(unusable(domain)).toBeUndefined(),
  );
  it.each([
    "gmail.com",
    "outlook.com",
    "acme",
    "@acme.example",
    "*.example",
    "acme.example.",
    ".example",
    "a..b",
    "-a.example",
    "a-.example",
    "127.0.0.1",
    "bücher.example",
    "acme.example/x",
    "acme.example&type=A",
    `${"a.".repeat(120)}example`,
  ])("may not be %j", (domain) => expect(unusable(domain)).toBeTypeOf("string"));

  it("has a record of its own for each tenant", () => {
    const [one, two] = [newChallenge(), newChallenge()];
    expect(one).toMatch(/^[\w-]{43}$/);
    expect(one).not.toBe(two);
    expect(challengeRecord({ domain: "acme.example", challenge: one })).toEqual({
      name: NAME,
      value: `control-api=${one}`,
    });
  });
});

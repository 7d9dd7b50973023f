/** Hostile or broken bodies for every endpoint, generated from the declarations: never a 5xx. */
import { beforeEach, describe, expect, it } from "vitest";
import { endpoints } from "#app.ts";
import { DEFAULT_MAX_BODY_BYTES } from "#http/body.ts";
import type { Endpoint } from "#http/endpoint.ts";
import { makeKey as inventKey } from "#kernel/authn/api-key.ts";
import type { RequestFault } from "#kernel/errors.ts";
import { newId } from "#platform/ids.ts";
import { type Answer, OPERATOR_KEY, send } from "#test/support/api.ts";
import {
  ask,
  type Asked,
  expectRefused,
  fieldsOf,
  isForeignFailure,
} from "#test/support/declared.ts";
import {
  answerEveryReceiver,
  inParts,
  makeRoomForTriggers,
  makeWorld,
  pathIn,
  sampleBody,
  statusIn,
} from "#test/support/world.ts";

answerEveryReceiver();
const world = await makeWorld();
beforeEach(({ task }) => makeRoomForTriggers(world, task));
const unknownKey = inventKey(newId(), false);

const keyFor = ({ access }: Endpoint) =>
  access !== "public" && access.role === "operator" ? OPERATOR_KEY : world.tenant.key;
const request = (endpoint: Endpoint, asked: Asked): Promise<Answer> =>
  ask(endpoint, pathIn(world, endpoint), { key: keyFor(endpoint), ...asked });

/** The sample body with this text after its last member. */
const textOf = (endpoint: Endpoint, more = ""): string =>
  `${JSON.stringify(sampleBody(world, endpoint) ?? {}).slice(0, -1)}${more}}`;
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

function streamOf(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.slice(at, at + 10_000));
      at += 10_000;
      if (at >= bytes.length) controller.close();
    },
  });
}

/** The evaluation protocol's clients may send more than this service knows. */
const isOpen = ({ path }: Endpoint) => path.startsWith("/ofrep/");
const withBody = endpoints.filter(({ body }) => body !== undefined);

describe.each(inParts(withBody))("%s", (_, endpoint, part) => {
  const maxBytes = endpoint.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
  const success = statusIn(endpoint);
  const pad = (bytes: number) => textOf(endpoint).padEnd(bytes, " ");

  it.each(
    part([
      ["text/plain"],
      ["text/json"],
      ["application/x-www-form-urlencoded"],
      ["multipart/form-data; boundary=x"],
      ["application/jsonp"],
      ["application/json, text/plain"],
      [""],
    ]),
  )("rejects a body of the type %j", async (type) => {
    const answer = await request(endpoint, {
      body: new TextEncoder().encode(textOf(endpoint)),
      headers: { "content-type": type },
    });
    expectRefused(endpoint, answer, [415, "unsupported_media_type"]);
  });

  it.each(part([["gzip"], ["br"], ["identity, deflate"]]))(
    "rejects a body that is packed as %s, and says so",
    async (coding) => {
      const answer = await request(endpoint, {
        body: new Uint8Array([0x1f, 0x8b, 8, 0]),
        headers: { "content-type": "application/json", "content-encoding": coding },
      });
      expectRefused(endpoint, answer, [415, "unsupported_media_type"]);
      if (isOpen(endpoint)) return;
      expect(answer.body.detail).toContain("without Content-Encoding");
      expect(answer.headers.get("accept-encoding")).toBe("identity");
    },
  );

  it("takes a body whose coding is none", async () => {
    const answer = await request(endpoint, {
      body: textOf(endpoint),
      headers: { "content-type": "application/json", "content-encoding": "identity" },
    });
    expect(answer.status, answer.text).toBe(success);
  });

  it.each(
    part([
      ["application/json; charset=utf-8"],
      ["APPLICATION/JSON ; x=1"],
      ["application/merge-patch+json"],
    ]),
  )("accepts a body of the type %j", async (type) => {
    const answer = await request(endpoint, {
      body: textOf(endpoint),
      headers: { "content-type": type },
    });
    expect(answer.status, answer.text).toBe(success);
  });

  it("treats a missing body as {}, or reports it", async () => {
    const answer = await request(endpoint, {});
    const optional = endpoint.bodyOptional === true;
    expect(answer.status, answer.text).toBe(optional ? success : 400);
    if (isForeignFailure(endpoint, answer)) return;
    expect(
      answer.body.errors?.map(({ in: place, pointer, code }: RequestFault) => [
        place,
        pointer,
        code,
      ]),
    ).toEqual(optional ? undefined : [["body", "", "required"]]);
  });

  it.each(
    part([
      ["cut", '{"name":'],
      ["with a comma too many", '{"name":"x",}'],
      ["no JSON at all", "hello"],
      ["two values", "{}{}"],
      ["not a number", '{"x":NaN}'],
      ["a control character in a text", '{"x":"\u0001"}'],
      ["half a surrogate pair", String.raw`{"x":["\uD83D"]}`],
      ["half a surrogate pair in a name", String.raw`{"\udca9":1}`],
      ["33 levels", `{"x":${nested(32)}}`],
      ["10,000 levels", nested(10_000)],
      ["as many levels as fit, at most 100,000", "[".repeat(Math.min(100_000, maxBytes))],
    ]),
  )("rejects invalid JSON: %s", async (what, body) => {
    const answer = await request(endpoint, { body });
    expectRefused(endpoint, answer, [400, "malformed_json"]);
    if (!/surrogate|levels/.test(what) && !isForeignFailure(endpoint, answer))
      expect(answer.body.detail).toMatch(/line 1, column \d+\.$/);
  });

  it("rejects bytes that are not UTF-8", async () => {
    const body = Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]);
    const answer = await request(endpoint, { body });
    expectRefused(endpoint, answer, [400, "malformed_json"]);
  });

  it.each(
    part([
      ["an unknown member", ',"unknown_member":{"x":[1,2,{}]}'],
      ["a member named __proto__", ',"__proto__":{"polluted":true,"name":1}'],
      ["a member named constructor", ',"constructor":{"prototype":{"polluted":true}}'],
      ["a member with a name of many characters", `,"${"n".repeat(5_000)}":1`],
    ]),
  )("refuses %s, unless the caller is lenient", async (_, more) => {
    const body = textOf(endpoint, more);
    if (!isOpen(endpoint)) {
      const answer = await request(endpoint, { body });
      expectRefused(endpoint, answer, [400, "unknown_parameter"]);
      expect(answer.headers.has("preference-applied")).toBe(false);
      expect(answer.text.length).toBeLessThan(5_000);
    }
    const lenient = await request(endpoint, { body, headers: { prefer: "handling=lenient" } });
    expect(lenient.status, lenient.text).toBe(success);
    expect(lenient.headers.get("preference-applied")).toBe("handling=lenient");
    expect(({} as { polluted?: true }).polluted).toBeUndefined();
    expect(lenient.text).not.toContain("unknown_member");
    expect(lenient.text).not.toContain("polluted");
  });

  it.each(
    part([
      ["32 levels", `,"unknown_member":${nested(31)}`],
      ["brackets in a text", `,"unknown_member":"${"[{".repeat(100)}\\"["`],
      ["a whole surrogate pair", String.raw`,"unknown_member":"\uD83D\uDE80 \\ud800"`],
    ]),
  )("can read %s", async (_, more) => {
    const answer = await request(endpoint, {
      body: textOf(endpoint, more),
      headers: { prefer: "handling=lenient" },
    });
    expect(answer.status, answer.text).toBe(success);
  });

  it("accepts a body up to the limit, and none longer", async () => {
    expect((await request(endpoint, { body: pad(maxBytes) })).status).toBe(success);
    const answer = await request(endpoint, { body: pad(maxBytes + 1) });
    expectRefused(endpoint, answer, [413, "payload_too_large"]);
  });

  it.each(
    part([
      ["does not say", {}],
      ["lies about", { "content-length": "2" }],
    ]),
  )("counts the bytes of a body that %s its length", async (_, headers) => {
    const long = await request(endpoint, { body: streamOf(pad(maxBytes + 1)), headers });
    expectRefused(endpoint, long, [413, "payload_too_large"]);
    const fits = await request(endpoint, { body: streamOf(pad(maxBytes)), headers });
    expect(fits.status, fits.text).toBe(success);
  });

  it.each(part([["null"], ["[]"], ["1"], ['"text"'], ["true"], ["[{}]"]]))(
    "rejects %s as a body",
    async (body) => {
      const answer = await request(endpoint, { body });
      expectRefused(endpoint, answer, [400, "validation_failed"]);
      if (!isForeignFailure(endpoint, answer))
        expect(answer.body.errors[0]).toMatchObject({ in: "body", pointer: "" });
    },
  );

  it.each(
    part([
      ["broken JSON", { body: "{" }],
      ["no JSON", { body: "{}", headers: { "content-type": "text/plain" } }],
      ["too long a body", { body: " ".repeat(maxBytes + 1) }],
      ["an invalid body", { body: "null" }],
      ["no body", {}],
    ]),
  )("answers an unauthenticated caller with 401 only, for %s", async (_, asked) => {
    const answer = await request(endpoint, { ...asked, key: unknownKey });
    expect(answer.status, answer.text).toBe(401);
  });
});

const values: readonly (readonly [string, string])[] = [
  ["null", "null"],
  ["a truth value", "true"],
  ["zero", "0"],
  ["a negative number", "-1"],
  ["a fraction", "1.5"],
  ["a number beyond all", "1e400"],
  ["a number beyond integers", "9007199254740993"],
  ["an empty text", '""'],
  ["a long text", JSON.stringify("x".repeat(50_000))],
  ["a text that would break a header", JSON.stringify("ab\r\nX-Evil: 1\r\n\r\n")],
  ["a text with a NUL", JSON.stringify("a\0b")],
  ["a text of signs outside ASCII", JSON.stringify("🚀 \u202e\u2028ÄÖ\ufeff")],
  ["SQL", JSON.stringify("'); DROP TABLE tenants; --")],
  ["a path", JSON.stringify("../../etc/passwd")],
  ["an expression", JSON.stringify("${config.secret} {{7*7}} %s%n")],
  ["a time beyond four digits", '"9999-12-31T23:59:59-14:00"'],
  ["an empty list", "[]"],
  ["a list of lists", "[[[]]]"],
  ["a list of many", `[${Array.from({ length: 5_000 }, (_, i) => i).join()}]`],
  ["a map of anything", '{"a":1,"b":[null],"c":{"d":"e"}}'],
  ["a map with dangerous names", '{"__proto__":{"x":1},"constructor":1,"toString":null,"":2}'],
  ["a map that looks sealed", '{"$sealed":"v1.k1.AAAA.AAAA"}'],
  ["a nested map that looks sealed", '{"password":{"$sealed":"v1.k1.AAAA.AAAA"}}'],
];

/** Fields whose validity depends on this one: a flag's default must be one of its variants. */
const judgedWith: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  putFeatureFlag: { variants: ["defaultVariant"] },
};

/** Why the created objects are read as a part of another object. */
const readWithin: Readonly<Record<string, string>> = {
  addIncidentUpdate: "an update is read with its incident",
};

describe.each(inParts(withBody))("%s, field by field", (_, endpoint, part) => {
  const fields = fieldsOf(endpoint.body);

  it.each(part(values))("handles %s in each", async (_, value) => {
    for (const field of fields) {
      const { [field]: _, ...rest } = sampleBody(world, endpoint) ?? {};
      const others = JSON.stringify(rest).slice(1, -1);
      const body = `{${JSON.stringify(field)}:${value}${others === "" ? "" : `,${others}`}}`;
      const answer = await request(endpoint, { body });
      expect([...answer.headers.keys()]).not.toContain("x-evil");
      const faults: RequestFault[] =
        answer.body?.code === "validation_failed" ? answer.body.errors : [];
      const judged = [field, ...(judgedWith[endpoint.operationId]?.[field] ?? [])];
      const elsewhere = faults.filter(
        ({ pointer }) => !judged.some((name) => `${pointer}/`.startsWith(`/${name}/`)),
      );
      expect(elsewhere, answer.text).toEqual([]);
      if (answer.status < 300 && endpoint.answer.schema !== undefined)
        await expectReadable(endpoint, answer);
    }
  });
});

/** Checks that an accepted object can be read back. */
async function expectReadable(endpoint: Endpoint, answer: Answer): Promise<void> {
  const { operationId } = endpoint;
  const location = answer.headers.get("location");
  if (location === null) return;
  const key = location.startsWith("/api/v1/tenants/") ? OPERATOR_KEY : world.tenant.key;
  const read = await send("GET", location.replace("/api/v1", ""), {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(read.status, read.text).toBe(200);
  if (Object.hasOwn(readWithin, operationId)) return expectUpdateIn(read, answer);
  // A started deployment goes on after the answer: only the given fields stay as they were answered.
  const stable = endpoint.waits === true ? fieldsOf(endpoint.body) : Object.keys(answer.body);
  const shown = stable.filter((name) => Object.hasOwn(read.body, name));
  for (const name of shown) expect(read.body[name], name).toEqual(answer.body[name]);
}

function expectUpdateIn(incident: Answer, update: Answer): void {
  expect(incident.body.updates).toContainEqual(update.body);
}

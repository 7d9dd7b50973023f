import { describe, expect, it } from "vitest";
import { isJsonType, readJsonBody } from "./body.ts";

describe("readJsonBody", () => {
  const post = (body: string, type: string) =>
    new Request("https://control.test", {
      method: "POST",
      body,
      headers: { "content-type": type },
    });

  it("treats an empty body of any type as none, as curl -d '' sends it", async () => {
    for (const type of ["application/x-www-form-urlencoded", "text/plain", "application/json"])
      expect(await readJsonBody(post("", type), 100)).toBeUndefined();
  });

  it("refuses a body of another type, whatever its length header says", async () => {
    const request = post("{}", "text/plain");
    request.headers.set("content-length", "0");
    await expect(readJsonBody(request, 100)).rejects.toMatchObject({
      code: "unsupported_media_type",
    });
  });
});

describe("a packed body", () => {
  const sent = (coding: string, body: BodyInit = "{}") =>
    readJsonBody(
      new Request("https://control.test", {
        method: "POST",
        body,
        headers: { "content-type": "application/json", "content-encoding": coding },
      }),
      100,
    );

  it.each(["gzip", "GZIP", "br", "identity, deflate", "x-made-up"])(
    "%s is refused",
    async (coding) => {
      await expect(sent(coding)).rejects.toMatchObject({
        code: "unsupported_media_type",
        message: expect.stringContaining("without Content-Encoding"),
      });
      expect(await sent(coding, "")).toBeUndefined();
    },
  );

  it.each(["", "identity", "Identity", " identity , identity"])("%j is none", async (coding) => {
    expect(await sent(coding)).toMatchObject({ value: {} });
  });
});

describe("a body that breaks off", () => {
  it("is the client's fault", async () => {
    const body = new ReadableStream({
      pull: (controller) => {
        controller.enqueue(new TextEncoder().encode('{"name":'));
        controller.error(new Error("Network connection lost."));
      },
    });
    const request = new Request("https://control.test/", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      duplex: "half",
    } as RequestInit);
    await expect(readJsonBody(request, 1_000)).rejects.toMatchObject({
      code: "malformed_json",
      message: "The body broke off before its end. Send the whole request again.",
    });
  });
});

describe("isJsonType", () => {
  it.each([
    "application/json",
    "application/json; charset=utf-8",
    " Application/JSON ;x",
    "application/merge-patch+json",
    "application/vnd.a_1-b.c+json",
  ])("accepts %j", (type) => {
    expect(isJsonType(type)).toBe(true);
  });

  it.each([
    undefined,
    "",
    "text/plain",
    "text/json",
    "application/jsonp",
    "application/x+jsonx",
    "application/+json",
    "application/json, text/plain",
    "xapplication/json",
    "application/ json",
    `application/${"a+".repeat(50_000)}`,
  ])("rejects %j", (type) => {
    expect(isJsonType(type)).toBe(false);
  });
});

describe("readJsonBody", () => {
  const read = (body: BodyInit | null, type: string | null = "application/json", limit = 100) => {
    const headers = new Headers();
    const request = new Request("https://x.test/", { method: "POST", body, headers });
    if (type === null) request.headers.delete("content-type");
    else request.headers.set("content-type", type);
    return readJsonBody(request, limit);
  };

  it("returns the text as sent and its parsed value", async () => {
    expect(await read('{"a": [1]}')).toEqual({ text: '{"a": [1]}', value: { a: [1] } });
    expect(await read(null)).toBeUndefined();
    expect(await read("", null)).toBeUndefined();
    expect(await read(null, null)).toBeUndefined();
  });

  it("drops a byte order mark", async () => {
    expect((await read("\ufeff{}"))?.value).toEqual({});
  });

  it("rejects another content type before it reads, and unpaired surrogates after it", async () => {
    await expect(read("x".repeat(1000), "text/plain")).rejects.toMatchObject({
      code: "unsupported_media_type",
    });
    await expect(read("{}", null)).rejects.toMatchObject({ code: "unsupported_media_type" });
    await expect(read('["\\ud800"]')).rejects.toMatchObject({ code: "malformed_json" });
    expect((await read('["\\ud83d\\ude80","\\\\ud800"]'))?.value).toEqual(["🚀", "\\ud800"]);
  });

  it("takes 32 levels of nesting, and not one more", async () => {
    const nested = (depth: number) => read("[".repeat(depth) + "]".repeat(depth));
    expect((await nested(32))?.text).toHaveLength(64);
    await expect(nested(33)).rejects.toMatchObject({ code: "malformed_json" });
  });

  it("counts bytes, not characters", async () => {
    expect((await read(`"${"é".repeat(49)}"`))?.value).toHaveLength(49);
    await expect(read(`"${"é".repeat(50)}"`)).rejects.toMatchObject({ code: "payload_too_large" });
  });
});

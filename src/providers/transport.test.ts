import { describe, expect, it } from "vitest";
import { requestIdOf, retryAfterMs, send, type TransportRequest } from "./transport.ts";

const NOW_MS = Date.parse("2030-01-01T00:00:00Z");

function contextWith(fetch: (request: Request) => Promise<Response>) {
  return { fetch, credential: { token: "s3cr3t-token" }, now: () => NOW_MS };
}

const get: TransportRequest = {
  method: "GET",
  url: "https://cloud.example/v1/things",
  headers: { authorization: "Bearer s3cr3t-token" },
};

function answering(response: Response) {
  return contextWith(async () => response);
}

describe("send", () => {
  it("returns JSON, request id and Retry-After for any status", async () => {
    const response = Response.json(
      { code: "slow_down" },
      { status: 429, headers: { "retry-after": "3", "x-request-id": "r-1" } },
    );
    expect(await send(answering(response), get)).toMatchObject({
      ok: true,
      status: 429,
      json: { code: "slow_down" },
      requestId: "r-1",
      afterMs: 3_000,
    });
  });

  it("sends method, headers and body as given", async () => {
    let seen: Request | undefined;
    const context = contextWith(async (request) => {
      seen = request.clone();
      return new Response(null, { status: 204 });
    });
    const answer = await send(context, { ...get, method: "PUT", body: '{"a":1}' });
    expect(seen?.method).toBe("PUT");
    expect(seen?.headers.get("authorization")).toBe("Bearer s3cr3t-token");
    expect(await seen?.text()).toBe('{"a":1}');
    expect(answer).toMatchObject({ ok: true, status: 204 });
    expect(answer).not.toHaveProperty("text");
  });

  it("does not follow redirects", async () => {
    let asked: string | undefined;
    const context = contextWith(async (request) => {
      asked = request.redirect;
      return new Response(null, { status: 302, headers: { location: "https://evil.example" } });
    });
    expect(await send(context, get)).toMatchObject({ ok: true, status: 302 });
    expect(asked).toBe("manual");
  });

  it("times out when the cloud never answers, and aborts the connection", async () => {
    let signal: AbortSignal | undefined;
    const context = contextWith(async (request) => {
      signal = request.signal;
      return new Promise<Response>(() => undefined);
    });
    const answer = await send(context, get, { timeoutMs: 5 });
    expect(answer).toMatchObject({ ok: false, kind: "timeout", sent: true });
    expect(signal?.aborted).toBe(true);
  });

  it("reports an aborted connection as a timeout", async () => {
    const context = contextWith(
      async (request) =>
        new Promise<Response>((_, reject) => {
          request.signal.addEventListener("abort", () => reject(new Error("aborted")));
        }),
    );
    const answer = await send(context, get, { timeoutMs: 5 });
    expect(answer).toMatchObject({ ok: false, kind: "timeout" });
  });

  it("times out on a body that stalls, and cancels it", async () => {
    let cancelled = false;
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
      cancel: () => {
        cancelled = true;
      },
    });
    const answer = await send(answering(new Response(body)), get, { timeoutMs: 5 });
    expect(answer).toMatchObject({ ok: false, kind: "timeout", status: 200 });
    expect(cancelled).toBe(true);
  });

  it("cancels an answer that arrives after the timeout", async () => {
    const late = Promise.withResolvers<Response>();
    const cancelled = Promise.withResolvers<string>();
    const context = contextWith(async () => late.promise);
    await send(context, get, { timeoutMs: 5 });
    const body = new ReadableStream({ cancel: () => cancelled.resolve("cancelled") });
    late.resolve(new Response(body));
    expect(await cancelled.promise).toBe("cancelled");
  });

  it("reads an endless body up to the limit, and cancels it", async () => {
    let sent = 0;
    let cancelled = false;
    const body = new ReadableStream({
      pull: (controller) => {
        sent += 1000;
        controller.enqueue(new Uint8Array(1000).fill(32));
      },
      cancel: () => {
        cancelled = true;
      },
    });
    const answer = await send(answering(new Response(body)), get, { maxBytes: 10_000 });
    expect(answer).toMatchObject({ ok: false, kind: "too_large" });
    expect(cancelled).toBe(true);
    expect(sent).toBeLessThan(15_000);
  });

  it("accepts a body of exactly the limit", async () => {
    const answer = await send(answering(new Response("x".repeat(100))), get, { maxBytes: 100 });
    expect(answer).toMatchObject({ ok: true, text: "x".repeat(100) });
  });

  it("decodes a character split over two chunks", async () => {
    const bytes = new TextEncoder().encode('{"a":"é"}');
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(bytes.slice(0, 7));
        controller.enqueue(bytes.slice(7));
        controller.close();
      },
    });
    expect(await send(answering(new Response(body)), get)).toMatchObject({ json: { a: "é" } });
  });

  it("reports a 2xx with a JSON content type but invalid JSON", async () => {
    const response = new Response('{"a":', { headers: { "content-type": "application/json" } });
    const answer = await send(answering(response), get);
    expect(answer).toMatchObject({ ok: false, kind: "invalid", status: 200, sent: true });
  });

  const nested = (depth: number, status: number) =>
    new Response("[".repeat(depth) + "]".repeat(depth), {
      status,
      headers: { "content-type": "application/json" },
    });

  it("does not take an answer that is nested deeper than what walks through it can bear", async () => {
    expect(await send(answering(nested(100, 200)), get)).toHaveProperty("json");
    for (const depth of [101, 200_000])
      expect(await send(answering(nested(depth, 200)), get)).toMatchObject({
        ok: false,
        kind: "invalid",
        sent: true,
        message: "The answer is nested more than 100 levels deep.",
      });
    const refused = await send(answering(nested(3_000, 422)), get);
    expect(refused).toMatchObject({ ok: true, status: 422 });
    expect(refused).not.toHaveProperty("json");
  });

  it("returns an error page as text", async () => {
    const headers = { "content-type": "application/json" };
    const response = new Response("<html>", { status: 502, headers });
    const answer = await send(answering(response), get);
    expect(answer).toMatchObject({ ok: true, status: 502, text: "<html>" });
    expect(answer).not.toHaveProperty("json");
  });

  it("reports a lost connection with secrets redacted", async () => {
    const context = contextWith(async () => {
      throw new Error("reset while sending s3cr3t-token");
    });
    const answer = await send(context, get);
    expect(answer).toMatchObject({ ok: false, kind: "network", sent: true });
    expect(answer.ok ? "" : answer.message).toBe(
      "The connection failed: reset while sending [redacted]",
    );
  });

  it("reports a failed stream as a lost connection", async () => {
    const body = new ReadableStream({ start: (controller) => controller.error(new Error("cut")) });
    const answer = await send(answering(new Response(body)), get);
    expect(answer).toMatchObject({ ok: false, kind: "network", status: 200 });
  });

  it("rejects a line break in the credential without showing it", async () => {
    let called = false;
    const context = contextWith(async () => {
      called = true;
      return new Response();
    });
    const headers = { authorization: "Bearer s3cr3t\ntoken" };
    const answer = await send(context, { ...get, headers });
    expect(answer).toMatchObject({ ok: false, kind: "invalid", sent: false });
    expect(answer.ok ? "" : answer.message).not.toContain("s3cr3t");
    expect(called).toBe(false);
  });

  it("shows nothing of a long message of the runtime: who knows the secrets in it could not find a cut one", async () => {
    const context = contextWith(async () => {
      throw new Error("x".repeat(100_000));
    });
    const answer = await send(context, get);
    expect(answer.ok ? "" : answer.message).toBe(
      "The connection failed: the reason is too long to show",
    );
  });
});

describe("requestIdOf", () => {
  it.for(["x-request-id", "x-amzn-requestid", "x-ms-request-id", "opc-request-id", "cf-ray"])(
    "reads %s",
    (name) => {
      expect(requestIdOf(new Headers({ [name]: "abc" }))).toBe("abc");
    },
  );

  it("drops unprintable characters, and passes over what is too long for an id", () => {
    expect(requestIdOf(new Headers({ "x-request-id": "a\u00ffb" }))).toBe("ab");
    const headers = new Headers({ "x-request-id": "b".repeat(201), "cf-ray": "c".repeat(200) });
    expect(requestIdOf(headers)).toBe("c".repeat(200));
  });
});

describe("retryAfterMs", () => {
  it.for([
    ["0", 0],
    ["1.5", 1_500],
    ["Tue, 01 Jan 2030 00:00:30 GMT", 30_000],
    ["Mon, 31 Dec 2029 23:59:00 GMT", 0],
    ["99999999999", 86_400_000],
    ["-5", undefined],
    ["soon", undefined],
    ["", undefined],
  ] as const)("reads %j as %j", ([text, expected]) => {
    const waitMs = retryAfterMs(new Headers({ "retry-after": text }), NOW_MS);
    expect(waitMs).toBe(expected);
  });
});

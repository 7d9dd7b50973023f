import { describe, expect, it } from "vitest";
import { send, type SendParts } from "./send.ts";

const url = new URL("https://hooks.example.com/in");
const KEPT = 16 * 1024;

function post(answer: SendParts["fetch"], timeoutMs = 5_000) {
  let at = 0;
  const now = () => (at += 10);
  return send(
    { url, headers: { "webhook-id": "e" }, body: "{}" },
    { now, fetch: answer, timeoutMs },
  );
}

function endless(chunk: Uint8Array): { stream: ReadableStream; canceled: () => boolean } {
  let canceled = false;
  const stream = new ReadableStream({
    pull: (controller) => controller.enqueue(chunk),
    cancel: () => {
      canceled = true;
    },
  });
  return { stream, canceled: () => canceled };
}

describe("one attempt", () => {
  it("posts bytes and headers unchanged, and follows no redirect", async () => {
    const seen: Request[] = [];
    const sent = await post(async (request) => {
      seen.push(request);
      return new Response("thanks", { status: 202 });
    });
    expect(sent).toEqual({
      status: 202,
      errorClass: null,
      durationMs: 10,
      answer: "thanks",
      answerCut: false,
    });
    const [request] = seen;
    expect([request?.method, request?.url, request?.redirect]).toEqual([
      "POST",
      url.href,
      "manual",
    ]);
    expect(request?.headers.get("webhook-id")).toBe("e");
    expect(await request?.text()).toBe("{}");
  });

  it.each([
    [200, null],
    [204, null],
    [299, null],
    [301, "redirect"],
    [304, "redirect"],
    [307, "redirect"],
    [400, "http_status"],
    [410, "http_status"],
    [503, "http_status"],
  ])("an answer of %i is %j", async (status, errorClass) => {
    const sent = await post(async () => new Response(null, { status }));
    expect(sent).toMatchObject({ status, errorClass });
  });

  it("keeps 16 KiB of an endless answer and cancels the rest", async () => {
    const { stream, canceled } = endless(new TextEncoder().encode("x".repeat(1000)));
    const sent = await post(async () => new Response(stream, { status: 200 }));
    expect(sent).toMatchObject({ status: 200, errorClass: null, answerCut: true });
    expect(sent.answer).toBe("x".repeat(KEPT));
    expect(canceled()).toBe(true);
  });

  it("does not wait for more than 16 KiB", async () => {
    const stalled = new ReadableStream({
      start: (controller) => controller.enqueue(new Uint8Array(KEPT).fill(0x61)),
    });
    const sent = await post(async () => new Response(stalled), 60_000);
    expect(sent).toMatchObject({ errorClass: null, answerCut: true });
  });

  it("keeps an answer of one byte less completely", async () => {
    const sent = await post(async () => new Response("x".repeat(KEPT - 1)));
    expect(sent).toMatchObject({ answerCut: false });
    expect(sent.answer).toHaveLength(KEPT - 1);
  });

  it("cuts no character in half and keeps no NUL", async () => {
    const { stream } = endless(new TextEncoder().encode("€"));
    const cut = await post(async () => new Response(stream));
    expect(cut.answer).toBe("€".repeat(Math.floor(KEPT / 3)));
    const nul = await post(async () => new Response("a\0b"));
    expect(nul.answer).toBe("a\ufffdb");
  });

  it("aborts the request if no response head arrives in time", async () => {
    // A reference is held here: Node's signal does not reach a collected request.
    let posted: Request | undefined;
    const sent = await post((request) => {
      posted = request;
      return new Promise(() => undefined);
    }, 5);
    expect(sent).toMatchObject({ status: null, errorClass: "timeout", answer: "" });
    expect(posted?.signal.aborted).toBe(true);
  });

  it.each([
    [200, null],
    [204, null],
    [302, "redirect"],
    [410, "http_status"],
    [503, "http_status"],
  ] as const)(
    "an answer of %i is %j, also if its body hangs, breaks off or never begins",
    async (status, errorClass) => {
      const part = new Uint8Array([0x61]);
      const bodies = [
        new ReadableStream({ start: (c) => c.enqueue(part) }),
        new ReadableStream({ start: () => undefined }),
        new ReadableStream({ start: (c) => c.error(new Error("reset")) }),
      ];
      for (const body of bodies) {
        // A response of 204 has no body in JavaScript; one on the wire may.
        const head = new Response(null, { status });
        Object.defineProperty(head, "body", { value: body });
        const sent = await post(async () => head, 5);
        expect(sent).toMatchObject({ status, errorClass, answerCut: true });
      }
    },
  );

  it("keeps the received part of an answer that breaks off", async () => {
    let reads = 0;
    const broken = new ReadableStream({
      pull: (c) =>
        (reads += 1) === 1
          ? c.enqueue(new TextEncoder().encode("tha"))
          : c.error(new Error("reset")),
    });
    const sent = await post(async () => new Response(broken));
    expect(sent).toMatchObject({ errorClass: null, answer: "tha", answerCut: true });
  });

  it("reports a refused connection as a network failure", async () => {
    const refused = await post(() => Promise.reject(new TypeError("refused")));
    expect(refused).toMatchObject({ status: null, errorClass: "network" });
  });

  it("returns the receiver's Retry-After", async () => {
    const headers = { "retry-after": "30" };
    const sent = await post(async () => new Response(null, { status: 503, headers }));
    expect(sent.retryAfterMs).toBe(30_000);
  });
});

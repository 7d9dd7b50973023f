/** What a stranger could bring about with bodies of the largest kind: an isolate has 128 MB, which all tenants share. */
import { describe, expect, it } from "vitest";
import { endpoints } from "#app.ts";
import { makeKey } from "#kernel/authn/api-key.ts";
import { newId } from "#platform/ids.ts";
import { makeTenant, send } from "#test/support/api.ts";
import { SESSION_COOKIE } from "#test/support/sessions.ts";

const CHUNK = 16 * 1024;
const large = endpoints.filter(({ maxBodyBytes, path }) => maxBodyBytes && !path.includes("{"));

/** A body of which is counted how much was taken. */
function counted(text: string): { stream: ReadableStream<Uint8Array>; taken: () => number } {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, at + CHUNK));
      at += CHUNK;
    },
  });
  return { stream, taken: () => at };
}

const body = JSON.stringify({ source: "x".repeat(900_000) });
const json = { "content-type": "application/json" };

describe("a body that most endpoints do not take", () => {
  it("is taken by some", () => {
    expect(large.map(({ operationId }) => operationId)).toContain("createImport");
  });

  it.each(large.map(({ path }) => path))("is not read of strangers: POST %s", async (path) => {
    const credentials = {
      "a made-up key": { authorization: `Bearer ${makeKey(newId(), false)}` },
      "a made-up operator's key": { authorization: `Bearer ${makeKey(newId(), true)}` },
      "a made-up session": {
        cookie: `${SESSION_COOKIE}=${"A".repeat(43)}`,
        "x-service-csrf": "1",
        "sec-fetch-site": "same-origin",
      },
    };
    for (const [name, credential] of Object.entries(credentials)) {
      const { stream, taken } = counted(body);
      const answer = await send("POST", path, {
        headers: { ...json, ...credential },
        body: stream,
      });
      expect([answer.status, answer.body.code], name).toEqual([401, "unauthenticated"]);
      expect(taken(), name).toBeLessThanOrEqual(64 * 1024 + 3 * CHUNK);
    }
  });

  it("is read of a key that is new to the isolate", async () => {
    const tenant = await makeTenant();
    const headers = { ...json, authorization: `Bearer ${tenant.key}` };
    const files = [{ path: "a.tf", content: "#".repeat(200_000) }];
    const { stream } = counted(JSON.stringify({ files }));
    const taken = await send("POST", "/imports", { headers, body: stream });
    expect(taken.status, taken.text).toBe(201);
  });
});

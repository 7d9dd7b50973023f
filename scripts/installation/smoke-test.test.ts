import { describe, expect, it } from "vitest";
import { smokeTest, type SmokeResult } from "./smoke-test.ts";

const address = "https://control.example.com";

/** The answers of the health endpoint one after the other, the last one again and again. */
async function testWith(
  answers: readonly (() => Response)[],
  { key, read = 200 }: { key?: string; read?: number } = {},
): Promise<SmokeResult & { pauses: number }> {
  let asked = 0;
  let pauses = 0;
  const result = await smokeTest(
    { address, version: "2.0.0", key },
    {
      fetch: async (input) => {
        const { pathname } = new URL(new Request(input).url);
        if (pathname !== "/api/v1/health") return Response.json({}, { status: read });
        asked += 1;
        return answers[Math.min(asked, answers.length) - 1]?.() ?? Response.error();
      },
      pause: async () => {
        pauses += 1;
      },
    },
  );
  return { ...result, pauses };
}

const unreachable = (): Response => {
  throw new TypeError("fetch failed", { cause: new Error("getaddrinfo ENOTFOUND") });
};
const healthy = (version?: string) => (): Response =>
  Response.json({ status: "ok", ...(version === undefined ? {} : { version }) });

describe("the test of a deploy", () => {
  it("waits until the address is reached and the new version answers", async () => {
    const answers = [unreachable, healthy("1.0.0"), healthy("2.0.0")];
    expect(await testWith(answers, { key: "key" })).toMatchObject({ ok: true, pauses: 2 });
  });

  it.each([
    ["the version from before keeps answering", [healthy("1.0.0")], 'is "1.0.0", not 2.0.0'],
    ["nothing answers", [unreachable], "got no answer: getaddrinfo ENOTFOUND"],
    ["the key is refused", [healthy()], "The operator's key is refused"],
    ["something else answers", [() => Response.json({})], "Something else than Control API"],
  ])("fails in the end when %s", async (_, answers, problem) => {
    const result = await testWith(answers, { key: "key" });
    expect(result).toMatchObject({ ok: false, pauses: 59 });
    expect(JSON.stringify(result)).toContain(JSON.stringify(problem).slice(1, -1));
  });

  it("fails when a read with the key does", async () => {
    expect(await testWith([healthy("2.0.0")], { key: "key", read: 401 })).toEqual({
      ok: false,
      problem: "GET /api/v1/tenants with the operator's key answered 401",
      pauses: 0,
    });
  });

  it("says what it did not test without a key", async () => {
    const result = await testWith([healthy()]);
    expect(result).toMatchObject({ ok: true });
    expect(JSON.stringify(result)).toContain("set OPERATOR_KEY");
  });
});

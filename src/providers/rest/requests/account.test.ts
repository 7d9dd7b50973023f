import { describe, expect, it } from "vitest";
import type { RestProviderDefinition } from "#providers/rest/definition.ts";
import { sampleProvider } from "#test/support/sample-provider.ts";
import { json, scriptedCloud } from "#test/support/scripted-cloud.ts";

type Ask = NonNullable<RestProviderDefinition["account"]>;
const asks =
  (times: number): Ask =>
  async (_, request) => {
    for (let sent = 1; ; sent += 1) {
      const asked = await request({ method: "GET", path: "/me" });
      if (!asked.ok) return asked.failed;
      if (sent === times) return "own";
    }
  };
const ask = (account: Ask, ...answers: Response[]) =>
  sampleProvider({}, { account }).account?.(scriptedCloud(...answers).context());

describe("the account of a credential", () => {
  it("is what the definition says", async () => {
    expect(await ask(asks(1), json({}))).toEqual({ kind: "account", id: "own" });
    expect("account" in sampleProvider()).toBe(false);
  });

  it("takes two requests at most", async () => {
    expect(await ask(asks(2), json({}), json({}))).toMatchObject({ kind: "account" });
    expect(await ask(asks(3), json({}), json({}), json({}))).toMatchObject({ code: "internal" });
  });

  it("that cannot be told is judged as any failure, and has changed nothing", async () => {
    expect(await ask(asks(1), json({}, 503))).toMatchObject({
      retryable: true,
      unknownOutcome: false,
    });
    expect(await ask(asks(1), json({}, 401))).toMatchObject({ retryable: false, means: "denied" });
  });

  it.for(["", "two\nlines", "x".repeat(3_000)])("is no text like %j", async (id) => {
    const told = await ask(async () => id);
    expect(told).toMatchObject({ kind: "failed", code: "invalid_answer", retryable: true });
  });
});

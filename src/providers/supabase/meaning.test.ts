import { describe, expect, it } from "vitest";
import type { Answered } from "#providers/rest/definition.ts";
import { readError } from "./meaning.ts";

const meansOf = (status: number, message: string, verb: Answered["verb"]) =>
  readError({ ok: true, status, headers: new Headers(), json: { message } }, { verb }).means;

describe("what an answer of Supabase means", () => {
  it("waits until a new project is known to the service of functions", () => {
    expect(meansOf(406, "Could not obtain service for project 1527228", "create")).toBe("busy");
    expect(meansOf(406, "Not acceptable", "create")).toBeUndefined();
  });
});

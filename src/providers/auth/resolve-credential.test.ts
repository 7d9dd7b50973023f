import { describe, expect, it } from "vitest";
import { type ResolvedCredential, resolveCredential } from "./resolve-credential.ts";

const owner = "0190a5c6-1111-7abc-8def-0123456789ab";
const hex = "0190A5C611117ABC8DEF0123456789AB";

describe("resolveCredential", () => {
  const name = `TARGET_${hex}_A`;
  const resolve = (value: unknown) => resolveCredential(`env://${name}`, owner, { [name]: value });
  const problemOf = (resolved: ResolvedCredential): string => {
    if (resolved.ok) throw new Error("It was not refused");
    return resolved.problem;
  };

  it("reads a JSON object or a bare token and trims a trailing line break", () => {
    expect(resolve('{"token":"a","n":{"m":[1]}}')).toEqual({
      ok: true,
      credential: { token: "a", n: { m: [1] } },
    });
    expect(resolve("tok en-1=\n")).toEqual({ ok: true, credential: "tok en-1=" });
    expect(resolve(' {"a":1}\n')).toEqual({ ok: true, credential: { a: 1 } });
  });

  it.for([
    ["is not set", undefined],
    ["is empty", " \n"],
    ["is a binding, not a secret", { get: () => "x" }],
    ["is broken JSON", '{"token":"s3cret'],
    ["spans lines", "s3cret\r\nx-evil: 1"],
  ] as const)("refuses a secret that %s, and shows nothing of it", ([, value]) => {
    const problem = problemOf(resolve(value));
    expect(problem).toContain(name);
    expect(problem).not.toContain("s3cret");
  });

  it("reads own properties only", () => {
    const inherited = Object.create({ [name]: "inherited" }) as Record<string, unknown>;
    expect(resolveCredential(`env://${name}`, owner, inherited).ok).toBe(false);
  });

  it("checks the owner again, whatever reference was stored", () => {
    const env = { TARGET_PLATFORM_A: "t", SEALING_KEYS: "k" };
    expect(resolveCredential("env://TARGET_PLATFORM_A", "platform", env)).toEqual({
      ok: true,
      credential: "t",
    });
    for (const ref of ["env://TARGET_PLATFORM_A", "env://SEALING_KEYS"])
      expect(problemOf(resolveCredential(ref, owner, env))).toContain(`env://TARGET_${hex}_`);
  });

  it("reports that AWS Secrets Manager is not supported", () => {
    const resolved = resolveCredential(`aws-sm://control/${owner}/a`, owner, {});
    expect(problemOf(resolved)).toContain("AWS Secrets Manager");
  });
});

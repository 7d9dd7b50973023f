import { describe, expect, it } from "vitest";
import { keySignsFor } from "./check-key-issuer.ts";
import { checkResponseIssuer, expectedIssuer } from "./expected-issuer.ts";

const one = { issuer: "https://id.example.com", tenants: undefined };
const [tid, other] = [
  "11111111-2222-3333-4444-555555555555",
  "99999999-2222-3333-4444-555555555555",
];
const issuer = "https://login.microsoftonline.com/{tenantid}/v2.0";
const ofTenant = (id: string) => `https://login.microsoftonline.com/${id}/v2.0`;
const listed = { issuer, tenants: [tid] };
const any = { issuer, tenants: "any" as const };

describe("expectedIssuer", () => {
  it("is the configured one for every tenant in the token", () => {
    expect(expectedIssuer(one, undefined)).toEqual({ ok: true, value: one.issuer });
    expect(expectedIssuer(one, other)).toEqual({ ok: true, value: one.issuer });
  });

  it("is the issuer of the token's tenant, if that is allowed", () => {
    expect(expectedIssuer(listed, tid)).toEqual({ ok: true, value: ofTenant(tid) });
    expect(expectedIssuer(any, other)).toEqual({ ok: true, value: ofTenant(other) });
    expect(expectedIssuer(listed, other)).toMatchObject({ ok: false, reason: "token_invalid" });
  });

  it.each([
    undefined,
    "",
    "common",
    "../evil",
    `${tid}/..`,
    tid.toUpperCase().replace("1", "A"),
    7,
    [tid],
  ])("fails for the tenant %j", (odd) => {
    expect(expectedIssuer(any, odd)).toMatchObject({ ok: false, reason: "token_invalid" });
  });
});

describe("checkResponseIssuer", () => {
  it.each([
    [undefined, one, false],
    [one.issuer, one, false],
    [one.issuer, one, true],
    [undefined, listed, false],
    [issuer, listed, true],
    [ofTenant(tid), listed, true],
    [ofTenant(other), any, true],
  ])("accepts %j", (iss, provider, promised) => {
    expect(checkResponseIssuer(iss, provider, promised).ok).toBe(true);
  });

  it.each([
    [undefined, one, true],
    ["", one, false],
    [`${one.issuer}/`, one, false],
    ["https://evil.example", one, false],
    [ofTenant(other), listed, false],
    [ofTenant(""), any, false],
    [ofTenant("common"), any, false],
    ["https://evil.example", any, false],
    [`https://login.microsoftonline.com/`, any, false],
    [`${ofTenant(tid)}x`, any, false],
  ])("refuses %j", (iss, provider, promised) => {
    expect(checkResponseIssuer(iss, provider, promised)).toMatchObject({
      ok: false,
      reason: "issuer_mismatch",
    });
  });
});

describe("keySignsFor", () => {
  it.each([
    [{}, one, true],
    [{ issuer: "https://elsewhere.example" }, one, true],
    [{}, any, true],
    [{ issuer }, any, true],
    [{ issuer: ofTenant(tid) }, any, true],
    [{ issuer: ofTenant(other) }, any, false],
    [{ issuer: "" }, any, false],
  ])("of the key %j: %#", (key, provider, expected) => {
    expect(keySignsFor(key, ofTenant(tid), provider)).toBe(expected);
  });
});

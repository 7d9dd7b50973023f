import { describe, expect, it } from "vitest";
import { checkAtHash } from "./check-at-hash.ts";
import { checkUserInfo } from "./check-user-info.ts";
import { domainOf, identityOf } from "./identity.ts";
import { tokenParts } from "./token-parts.ts";

const who = { issuer: "https://id.example.com", subject: "ada" };

describe("identityOf", () => {
  it.each<[object, boolean, string, boolean]>([
    [{ email: "Ada@Example.com", email_verified: true }, true, "ada@example.com", true],
    [{ email: "ada@example.com", email_verified: true }, false, "ada@example.com", false],
    [{ email: "ada@example.com", email_verified: "true" }, true, "ada@example.com", false],
    [{ email: "ada@example.com", email_verified: 1 }, true, "ada@example.com", false],
    [{ email: "ada@example.com" }, true, "ada@example.com", false],
    [{ email: "no address", email_verified: true }, true, "", false],
    [{ email: ["ada@example.com"], email_verified: true }, true, "", false],
    [{ email_verified: true }, true, "", false],
    [{ email: "a@evil.example\u0000@example.com", email_verified: true }, true, "", false],
  ])("of %j, trusted %s, has the address %j, proved %s", (claims, trusted, email, emailTrusted) => {
    expect(identityOf(who, claims as Record<string, unknown>, trusted)).toMatchObject({
      ...who,
      email,
      emailTrusted,
    });
  });

  it.each<[object, boolean]>([
    [{ email: "ada@gmail.com" }, true],
    [{ email: "Ada@GMail.com" }, true],
    [{ email: "ada@company.example", hd: "company.example" }, true],
    [{ email: "ada@company.example" }, false],
    [{ email: "ada@company.example", hd: "" }, false],
    [{ email: "ada@company.example", hd: true }, false],
    [{ email: "ada@gmail.com.evil.example" }, false],
    [{ email: "ada@gmail.com", email_verified: false }, false],
  ])("trusts Google for %j: %s", (claims, emailTrusted) => {
    const google = { issuer: "https://accounts.google.com", subject: "1" };
    const said = { email_verified: true, ...claims };
    expect(identityOf(google, said, true).emailTrusted).toBe(emailTrusted);
  });

  it.each([
    ["Ada", "Ada"],
    ["A\u0000\r\nda", "Ada"],
    [" ", null],
    ["", null],
    [7, null],
    [undefined, null],
  ])("calls %j %j", (name, shown) => {
    expect(identityOf(who, { name }, true).name).toBe(shown);
  });
});

describe("domainOf", () => {
  it("is the part after the last @", () => {
    expect(domainOf('"a@evil.example"@example.com')).toBe("example.com");
  });
});

describe("checkAtHash", () => {
  // OpenID Connect Core 1.0, A.3: the example's own values.
  const token = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y";
  const hash = "77QmUPtjPfzWtF2AnpK9RQ";

  it.each<[unknown, boolean]>([
    [hash, true],
    [undefined, true],
    [`${hash}=`, false],
    [hash.toLowerCase(), false],
    ["", false],
    [null, false],
  ])("%j: %s", async (atHash, ok) => {
    expect((await checkAtHash(atHash, token)).ok).toBe(ok);
  });
});

describe("checkUserInfo", () => {
  it.each<[unknown, boolean]>([
    [{ sub: "ada", email: "x" }, true],
    [{ sub: "eve", email: "x" }, false],
    [{ email: "x" }, false],
    [{ sub: ["ada"] }, false],
    [[], false],
    [null, false],
    ["ada", false],
    [undefined, false],
  ])("%j: %s", (answer, ok) => {
    expect(checkUserInfo(answer, "ada").ok).toBe(ok);
  });
});

describe("tokenParts", () => {
  const part = (value: unknown) => btoa(JSON.stringify(value)).replace(/=+$/, "");
  const good = `${part({ alg: "RS256" })}.${part({ sub: "ada" })}.c2ln`;

  it("reads a header and claims", () => {
    expect(tokenParts(good)).toEqual({
      ok: true,
      value: { header: { alg: "RS256" }, claims: { sub: "ada" } },
    });
  });

  it.each([
    undefined,
    7,
    "",
    "a.b",
    `${good}.x`,
    `${part([])}.${part({})}.x`,
    `${part(null)}.${part({})}.x`,
    `!.${part({})}.x`,
    `${part({})}.${part("text")}.x`,
    `${part({})}.${"A".repeat(100_000)}.x`,
  ])("refuses %#", (token) => {
    expect(tokenParts(token)).toMatchObject({ ok: false, reason: "token_invalid" });
  });
});

import { describe, expect, it } from "vitest";
import { checkIdToken, type Claims } from "./check-id-token.ts";

const now = Date.UTC(2026, 10, 20);
const seconds = now / 1000;
const expected = {
  issuer: "https://id.example.com",
  clientId: "us",
  nonce: "n-0",
  algorithms: ["RS256", "ES256"],
  now,
};
const good: Claims = {
  iss: "https://id.example.com",
  sub: "ada",
  aud: "us",
  exp: seconds + 60,
  iat: seconds,
  nonce: "n-0",
};
const causeOf = (header: Claims, claims: Claims) => {
  const checked = checkIdToken(header, claims, expected);
  return checked.ok ? "passed" : checked.cause;
};

describe("checkIdToken", () => {
  it.each<[string, Claims]>([
    ["as it should be", {}],
    ["for us in a list", { aud: ["us"] }],
    ["that says we asked for it", { azp: "us" }],
    ["that expired within the skew", { exp: seconds - 29 }],
    ["issued ten minutes ago", { iat: seconds - 600 }],
    ["issued by a clock before ours", { iat: seconds + 600 }],
    ["good from within the skew on", { nbf: seconds + 30 }],
  ])("accepts a token %s", (_, more) => {
    expect(causeOf({ alg: "RS256" }, { ...good, ...more })).toBe("passed");
  });

  it.each<[cause: string, Claims]>([
    ["iss", { iss: undefined }],
    ["iss", { iss: "https://id.example.com/" }],
    ["iss", { iss: "https://ID.example.com" }],
    ["iss", { iss: ["https://id.example.com"] }],
    ["sub", { sub: undefined }],
    ["sub", { sub: "" }],
    ["sub", { sub: 7 }],
    ["sub", { sub: "a".repeat(256) }],
    ["sub", { sub: "a\u0000b" }],
    ["aud", { aud: undefined }],
    ["aud", { aud: "them" }],
    ["aud", { aud: [] }],
    ["aud", { aud: ["us", "them"] }],
    ["aud", { aud: ["us", "us"] }],
    ["aud", { aud: "us them" }],
    ["azp", { azp: "them" }],
    ["azp", { azp: null }],
    ["exp", { exp: undefined }],
    ["exp", { exp: seconds - 30 }],
    ["exp", { exp: String(seconds + 60) }],
    ["exp", { exp: Number.POSITIVE_INFINITY }],
    ["iat", { iat: undefined }],
    ["iat", { iat: seconds - 601 }],
    ["iat", { iat: seconds + 601 }],
    ["iat", { iat: String(seconds) }],
    ["nbf", { nbf: seconds + 31 }],
    ["nbf", { nbf: "now" }],
    ["nonce", { nonce: undefined }],
    ["nonce", { nonce: "n-1" }],
    ["nonce", { nonce: ["n-0"] }],
    ["nonce", { nonce: "" }],
  ])("rejects its %s: %j", (cause, more) => {
    expect(causeOf({ alg: "RS256" }, { ...good, ...more })).toBe(cause);
  });

  it.each<[cause: string, Claims]>([
    ["alg", {}],
    ["alg", { alg: "none" }],
    ["alg", { alg: "None" }],
    ["alg", { alg: "HS256" }],
    ["alg", { alg: "RS512" }],
    ["alg", { alg: "PS256" }],
    ["alg", { alg: ["RS256"] }],
    ["crit", { alg: "RS256", crit: ["exp"] }],
  ])("rejects the header's %s: %j", (cause, header) => {
    expect(causeOf(header, good)).toBe(cause);
  });
});

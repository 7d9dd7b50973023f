import { expect, it } from "vitest";
import { redactSecrets, secretsIn } from "./redact-secrets.ts";

it("redacts every string of the credential at any depth, also URI-encoded and JSON-escaped", () => {
  const credential = {
    token: "tok/en+1",
    key: ["-----BEGIN\nline"],
    nested: { a: "hidden-value" },
  };
  const text = "tok/en+1 tok%2Fen%2B1 -----BEGIN\\nline hidden-value stays";
  expect(redactSecrets(text, credential)).toBe("[redacted] [redacted] [redacted] [redacted] stays");
});

it("redacts the longer of two secrets with a common prefix", () => {
  expect(redactSecrets("secret-abc-def", ["secret-abc", "secret-abc-def"])).toBe("[redacted]");
});

it("redacts the values of authorization headers, with and without the scheme", () => {
  const headers = {
    "X-Api-Key": "k-123456",
    authorization: "Signature s-123456",
    accept: "application/json",
  };
  expect(redactSecrets("k-123456 s-123456 application/json", null, headers)).toBe(
    "[redacted] [redacted] application/json",
  );
});

it("redacts an unknown bearer token", () => {
  expect(redactSecrets("bad header: Bearer abc.def-ghi", null)).toBe(
    "bad header: Bearer [redacted]",
  );
});

it("does not redact short strings", () => {
  expect(redactSecrets("region eu", { region: "eu" })).toBe("region eu");
});

it("redacts what repeats a secret in base64, alone or within another text", () => {
  const secret = "canary/key+0123456789?";
  const encoded = (text: string) => btoa(text);
  expect(redactSecrets(`bad key ${encoded(secret)}!`, [secret])).toBe("bad key [redacted]!");
  const url = encoded(secret).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  expect(redactSecrets(`bad key ${url}!`, [secret])).toBe("bad key [redacted]!");
  for (const before of ["", "a", "ab", "abc"]) {
    const text = redactSecrets(encoded(`${before}${secret}, and more`), [secret]);
    expect(text).toContain("[redacted]");
    // No run of characters is left that has more than a fragment of the secret.
    for (const part of text.split("[redacted]"))
      for (let from = 0; from < 4; from += 1) {
        const left = part.slice(from).replaceAll(/=+$/g, "");
        const whole = left.slice(0, left.length - (left.length % 4));
        expect(atob(whole)).not.toMatch(/anary|0123/);
      }
  }
});

it("redacts a secret of characters that URLs and JSON write in several ways", () => {
  const secret = "a b/c\u00e9:d";
  const forms = [
    "a%20b%2Fc%C3%A9%3Ad",
    "a+b%2Fc%C3%A9%3Ad",
    "a%20b%2fc%c3%a9%3ad",
    "a b\\/c\u00e9:d",
  ];
  for (const form of forms) expect(redactSecrets(`<${form}>`, [secret])).toBe("<[redacted]>");
});

it.for([
  "dXNlcjpwYXNz",
  "c2VjcmV0cw==",
  "tok_live_51",
  "eyJhbGciOiJIUzI1NiJ9.e30.abc",
  "abcdefghijklmnopqrst",
])("redacts the unknown token %s", (token) => {
  expect(redactSecrets(`sent Token ${token}, refused`, null)).toBe(
    "sent Token [redacted], refused",
  );
});

it.for([
  "The token is wrong, has expired or was revoked.",
  "Basic authentication is disabled.",
  "This bearer token expired. Token required.",
  "Unexpected token < in line 1; token 401",
])("leaves the sentence %s", (sentence) => {
  expect(redactSecrets(sentence, { key: "another-secret-1" })).toBe(sentence);
});

it("redacts a JWT that nobody named, whole, cut or in base64", () => {
  const jwt = `${btoa('{"alg":"RS256"}')}.${btoa('{"sub":"canary"}')}.c2lnbmF0dXJl-_x`.replaceAll(
    "=",
    "",
  );
  expect(redactSecrets(`refused: ${jwt}!`, null)).toBe("refused: [redacted]!");
  expect(redactSecrets(`refused: "${jwt.slice(0, 30)}…"`, null)).toBe('refused: "[redacted]…"');
  expect(redactSecrets(`x=${encodeURIComponent(jwt)}&y`, null)).toBe("x=[redacted]&y");
  expect(redactSecrets(`b: ${btoa(jwt)}`, null)).toBe("b: [redacted]");
  expect(redactSecrets(`token_${jwt}`, null)).toBe("token_[redacted]");
  expect(redactSecrets("the member keyJsonDocument", null)).toBe("the member keyJsonDocument");
});

it("takes nothing for a secret that the target's config shows", () => {
  const key = { project: "shop-project", key: "hidden-value" };
  const secrets = secretsIn(key, { project: "shop-project", other: [1] });
  expect(redactSecrets("shop-project hidden-value", secrets)).toBe("shop-project [redacted]");
});

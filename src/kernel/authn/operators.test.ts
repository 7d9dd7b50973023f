import { describe, expect, it } from "vitest";
import { isOperator } from "./operators.ts";

const ada = {
  issuer: "https://id.example.com",
  subject: "ada",
  email: "ada@example.com",
  emailTrusted: true,
};

describe("isOperator", () => {
  it.each([
    ["https://id.example.com|ada", true],
    [" x@example.com , https://id.example.com|ada ", true],
    ["ada@example.com", true],
    ["Ada@Example.com", true],
    ["", false],
    [undefined, false],
    [",", false],
    ["|", false],
    ["@", false],
    ["https://id.example.com|ad", false],
    ["https://id.example.com|ada2", false],
    ["https://id.example.com/|ada", false],
    ["https://other.example.com|ada", false],
    ["@example.com", false],
    ["example.com", false],
    ["da@example.com", false],
  ])("on the list %j: %s", (operators, expected) => {
    expect(isOperator(operators, ada)).toBe(expected);
  });

  it("ignores an address that no trusted provider has verified", () => {
    expect(isOperator("ada@example.com", { ...ada, emailTrusted: false })).toBe(false);
    expect(isOperator("ada@example.com", { ...ada, emailTrusted: 0 })).toBe(false);
  });

  it("ignores a user who has never signed in", () => {
    const expected = { ...ada, issuer: null, subject: null };
    expect(isOperator("null|null, |", expected)).toBe(false);
  });
});

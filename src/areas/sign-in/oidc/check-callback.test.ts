import { describe, expect, it } from "vitest";
import { checkCallback } from "./check-callback.ts";

const state = "s".repeat(43);
const check = (query: string) => checkCallback(new URLSearchParams(query));

describe("checkCallback", () => {
  it.each([
    [`state=${state}&code=abc`, { state, code: "abc", iss: undefined, error: undefined }],
    [
      `state=${state}&code=abc&iss=https%3A%2F%2Fx&session_state=1&scope=openid`,
      { state, code: "abc", iss: "https://x", error: undefined },
    ],
    [
      `state=${state}&error=access_denied&error_description=No`,
      { state, code: undefined, iss: undefined, error: "access_denied" },
    ],
    [`state=${state}&error=%00%00`, { state, code: undefined, iss: undefined, error: "malformed" }],
  ])("reads %s", (query, value) => {
    expect(check(query)).toEqual({ ok: true, value });
  });

  it.each([
    "",
    "code=abc",
    `state=${state}`,
    `state=${state}&state=${state}&code=abc`,
    `state=${state}&code=abc&code=abc`,
    `state=${state}&code=abc&iss=a&iss=a`,
    `state=${state}&code=abc&x=1&x=2`,
    `state=${state}&code=abc&error=access_denied`,
    `state=${state}&code=`,
    `state=${state}&code=a%0Ab`,
    `state=${state}&code=${"a".repeat(4097)}`,
    `state=${state.slice(1)}&code=abc`,
    `state=${state}x&code=abc`,
    `state=&code=abc`,
    `state=${state}&code=abc&id_token=x`,
    `state=${state}&code=abc&access_token=x`,
    `state=${state}&code=abc&response=x`,
  ])("refuses %s", (query) => {
    expect(check(query)).toMatchObject({ ok: false, reason: "parameters_invalid" });
  });
});

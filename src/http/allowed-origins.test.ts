import { describe, expect, it } from "vitest";
import { allowedOrigins } from "./allowed-origins.ts";

describe("allowedOrigins", () => {
  it.each([
    ["", []],
    [undefined, []],
    ["https://a.example", ["https://a.example"]],
    [
      " https://A.example:443/ ,http://localhost:5173",
      ["https://a.example", "http://localhost:5173"],
    ],
    ["*, null, data:x, a.example, ,", []],
  ])("of %s are %s", (setting, origins) => {
    expect([...allowedOrigins(setting)]).toEqual(origins);
  });
});

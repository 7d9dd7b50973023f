import { expect, it } from "vitest";
import { data } from "./page-names.ts";

it("writes data attributes, omits undefined and false, and writes JSON where the script reads JSON", () => {
  expect(
    data({ act: "POST", next: "stay", preset: ["a"], after: 3, open: true, live: false }),
  ).toEqual({
    "data-act": "POST",
    "data-next": '"stay"',
    "data-preset": '["a"]',
    "data-after": "3",
    "data-open": "true",
    "data-live": undefined,
  });
});

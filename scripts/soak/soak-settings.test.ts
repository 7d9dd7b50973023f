import { expect, it } from "vitest";
import { soakSettings } from "./soak-settings.ts";

it("is ten minutes with a kill every twenty seconds unless told otherwise", () => {
  expect(soakSettings(["--seed", "7"])).toEqual({ minutes: 10, seed: 7, killEverySeconds: 20 });
  expect(soakSettings(["--minutes", "2.5", "--kill-every", "30", "--seed", "1"])).toEqual({
    minutes: 2.5,
    seed: 1,
    killEverySeconds: 30,
  });
});

it.for([
  ["--minutes", "0"],
  ["--minutes", ""],
  ["--seed", "x"],
  ["--kill-every", "1"],
])("refuses %s %s", (given) => {
  expect(() => soakSettings(given)).toThrow(/must be a number from/);
});

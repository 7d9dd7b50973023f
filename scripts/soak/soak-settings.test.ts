import { parseArgs } from "node:util";
import { expect, it } from "vitest";
import { soakOptions, soakSettings } from "./soak-settings.ts";

const settingsFor = (args: string[]) =>
  soakSettings(parseArgs({ args, options: soakOptions }).values);

it("is ten minutes with a kill every twenty seconds unless told otherwise", () => {
  expect(settingsFor(["--seed", "7"])).toEqual({ minutes: 10, seed: 7, killEverySeconds: 20 });
  expect(settingsFor(["--minutes", "2.5", "--kill-every", "30", "--seed", "1"])).toEqual({
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
  expect(() => settingsFor(given)).toThrow(/must be a number from/);
});

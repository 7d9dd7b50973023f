/** Seeds whose runs once failed, because of the service or the simulation itself. */
import { it, vi } from "vitest";
import { expectToHold } from "./seeds.ts";

vi.mock("cloudflare:workers", () => import("./workers-module.ts"));

it.each([
  [58, "a destroy fails after a delete that took effect and was never answered"],
  [5366, "an object is changed outside the service while alarms are lost"],
  [5475, "an update of an object that was deleted outside the service"],
  [9520, "an object is changed outside the service while it is being created"],
  [7027, "a slot that could not be released lapses"],
])("holds for seed %i: %s", { timeout: 60_000 }, async (seed) => {
  await expectToHold([{ kind: "tokens", seed }]);
});

/** Seeds whose runs once broke a demand, of the service or of the simulation itself. */
import { it, vi } from "vitest";
import { expectToHold } from "./seeds.ts";

vi.mock("cloudflare:workers", () => import("./workers-module.ts"));

it.each([
  [58, "a destroy is given up after a delete that was heard and never answered"],
  [5366, "somebody changes an object while alarms are lost"],
  [5475, "an object that somebody deleted is to be updated"],
  [9520, "somebody changes an object while it is being made"],
  [7027, "a slot that could not be given back lapses"],
])("holds for seed %i: %s", { timeout: 60_000 }, async (seed) => {
  await expectToHold([seed]);
});

import { expect, it } from "vitest";
import { Canaries } from "./canaries.ts";

it("finds a secret in plain text and in Base64, and reports its place, not its value", () => {
  const canaries = new Canaries();
  const secret = canaries.make();
  const encoded = Buffer.from(secret).toString("base64");
  canaries.look("nowhere", "nothing");
  canaries.look("a log", `password ${secret}!`);
  canaries.look("a header", `Basic ${encoded}`);
  expect(canaries.sightings).toEqual(["a log", "a header"]);
  expect(canaries.sightings.join()).not.toContain(secret);
});

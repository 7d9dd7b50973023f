import { expect, it } from "vitest";
import { actorMeant, actorWords } from "./actor-names.ts";

const names = new Map([
  ["member:1", "Dora Diaz"],
  ["key:2", "the key pipeline"],
]);

it.each([
  ["dora", "member:1"],
  ["Pipe", "key:2"],
  ["key:7", "key:7"],
  ["nobody", "nobody"],
  ["", ""],
  [undefined, undefined],
])("finds who is meant by %s", async (text, actor) => {
  expect(await actorMeant(text, Promise.resolve(names))).toBe(actor);
});

it.each([
  ["member:1", "Dora Diaz"],
  ["member:9", "a person who left"],
  ["key:9", "an API key"],
  ["operator:3", "an operator"],
  ["system:drift_sweep", "the service (drift sweep)"],
])("tells %s in words", (actor, words) => {
  expect(actorWords(actor, names)).toBe(words);
});

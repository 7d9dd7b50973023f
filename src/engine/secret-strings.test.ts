import { expect, it } from "vitest";
import { markRepeatedSecrets, secretStrings } from "./secret-strings.ts";
import { PartlyKnown, Secret, unknown, type Value } from "./value.ts";

it("finds every string inside a secret, at any depth, and nothing else", () => {
  const value = {
    open: "open-text",
    password: new Secret("pass-word"),
    list: [new Secret({ user: "some-user", pins: [123_456, 12, true, null] }), "open-too"],
    later: new Secret(unknown),
    part: new PartlyKnown({ key: new Secret("part-key") }),
  };
  expect(secretStrings(value)).toEqual(["pass-word", "some-user", "123456", "part-key"]);
});

it("marks outputs that repeat a secret, under any name", () => {
  const inputs = { settings: { password: new Secret("pass-word"), pin: new Secret(123_456) } };
  const outputs = {
    id: "db-1",
    settings: { password: new Secret("pass-word") },
    connection: { uri: "pg://me:pass-word@host" },
    history: [{ pin: 123_456 }],
    size: 1,
  };
  expect(markRepeatedSecrets(outputs, inputs)).toEqual({
    ...outputs,
    connection: new Secret(outputs.connection),
    history: new Secret(outputs.history),
  });
  expect(markRepeatedSecrets(outputs, { settings: { password: "pass-word" } })).toBe(outputs);
});

it("marks repetitions of the template's own secret as its own, and of a sealed one as sealed", () => {
  const own = (value: Value) => new Secret(value, { sealed: false });
  const inputs = { note: own("grind-it"), both: own(["grind-it", new Secret("pass-word")]) };
  const outputs = { a: "to grind-it", b: "pass-word, grind-it", c: own("pass-word"), d: "plain" };
  expect(markRepeatedSecrets(outputs, inputs)).toEqual({
    a: own("to grind-it"),
    b: new Secret("pass-word, grind-it"),
    c: new Secret("pass-word"),
    d: "plain",
  });
});

it("marks repetitions of a secret of another resource or of the config", () => {
  expect(markRepeatedSecrets({ a: "pass-word" }, {}, { config: new Secret("pass-word") })).toEqual({
    a: new Secret("pass-word"),
  });
});

it("does not tell whether a list of guesses contains the secret", () => {
  const guesses = { tags: ["letmein", "pass-word", "qwertz"] };
  const inputs = { ...guesses, password: new Secret("pass-word") };
  expect(markRepeatedSecrets(guesses, inputs)).toEqual(guesses);
});

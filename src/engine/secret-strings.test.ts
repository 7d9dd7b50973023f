import { expect, it } from "vitest";
import { markRepeatedSecrets, secretStrings } from "./secret-strings.ts";
import { PartlyKnown, Secret, unknown } from "./value.ts";

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

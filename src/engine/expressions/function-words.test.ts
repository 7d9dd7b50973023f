import { expect, it } from "vitest";
import { functionWords } from "./function-words.ts";
import { functions } from "./functions.ts";

it("describes every function once, by a sentence and a call", () => {
  const words = functionWords();
  const names = words.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining(functions.map(({ name }) => name)));
  for (const { name, form, description } of words) {
    expect([name, description]).toEqual([name, expect.stringMatching(/^[A-Z].*\.$/)]);
    expect([name, form]).toEqual([
      name,
      expect.stringMatching(/^([a-z]+\.)?[A-Za-z0-9_.]+\(.*\)$/),
    ]);
  }
});

it.for([
  ["split", true, "text.split(separator, most?)"],
  ["cidrHost", false, "cidrHost(range, number)"],
  ["json.encode", false, "json.encode(value)"],
  ["omit", false, "omit()"],
  ["orValue", true, "optional.orValue(value)"],
  ["exists", true, "list.exists(item, condition)"],
  ["has", false, "has(value.member)"],
] as const)("writes %s as it is called", ([name, isMethod, form]) => {
  expect(functionWords().find((one) => one.name === name)).toMatchObject({ isMethod, form });
});

import * as fc from "fast-check";
import { expect, it } from "vitest";
import { addressIn, aliasFor, partsOfAddress } from "./address.ts";

const part = fc.record(
  { name: fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,5}$/), key: fc.string() },
  { requiredKeys: ["name"] },
);

it("reads every address that it writes, and no two are alike", () => {
  const written = (parts: readonly { name: string; key?: string }[]) =>
    parts.reduce((address, { name, key }) => addressIn({ address }, name, key), "");
  const parts = fc.array(part, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(parts, parts, (one, other) => {
      expect(partsOfAddress(written(one))).toEqual(one);
      if (written(one) === written(other)) expect(one).toEqual(other);
    }),
  );
});

it.for(["", "a/", "/a", "a[b]", 'a["b]', 'a["\\u0061"]', 'a["b"]c', "a b", "1a"])(
  "refuses %s",
  (text) => {
    expect(partsOfAddress(text)).toBeUndefined();
  },
);

it.for<[from: string, to: string, alias: string, on: string]>([
  ["old", "new", "old", "new"],
  ["node", 'node["a"]', '{ name: node, to: "a" }', "node"],
  ['node["a"]', 'node["b"]', '{ name: node, key: "a", to: "b" }', "node"],
  ['node["a"]', "server", '{ name: node, key: "a" }', "server"],
  ["network/old", "network/new", "old", "new"],
  ["old", "network/new", '{ address: "old", to: "new" }', "network"],
  ["old", 'network["eu"]/new', '{ address: "old", to: "[\\"eu\\"]/new" }', "network"],
  ['network/subnet["a"]', "subnet", '{ address: "network/subnet[\\"a\\"]" }', "subnet"],
  ["net/subnet", "network/subnet", '{ address: "net/subnet", to: "subnet" }', "network"],
])("an object moves from %s to %s by the alias %s on %s", ([from, to, alias, on]) => {
  expect(aliasFor(from, to)).toEqual({ alias, on });
});

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KnownResource, StoredResource } from "#engine/state/state.ts";
import { isMap, PartlyKnown, Secret, unknown, type Value } from "#engine/value.ts";
import { sealerFrom } from "#platform/crypto/seal.ts";
import { asLost } from "#test/support/stored-resource.ts";
import { decodeResource, decodeValue, encodeResource, encodeValue } from "./state-codec.ts";

const sealer = sealerFrom(`k1:${btoa("7".repeat(32))}`);
const place = { table: "instance_state", tenantId: "t", row: "i", column: "resource" };

async function roundTrip(value: Value): Promise<Value> {
  return decodeValue(await encodeValue(value, sealer, place), sealer, place);
}

/** Spells out every kind and key of a value: a matcher could confuse a map with a secret, or special keys. */
function shape(value: Value): unknown {
  if (value instanceof Secret) return [value.sealed ? "sealed" : "secret", shape(value.value)];
  if (Array.isArray(value)) return ["list", ...value.map(shape)];
  if (!isMap(value)) return value;
  return ["map", ...Object.entries(value).map(([name, item]) => [name, shape(item)])];
}

/** Any keys, including keys with a meaning for the codec or JavaScript. */
const key = fc.oneof(
  fc.constantFrom("$secret", "$plain", "own", "__proto__", "constructor", "a", "0"),
  fc.string(),
);
const { json, value: anyValue } = fc.letrec<{ json: Value; value: Value }>((tie) => {
  const leaf = fc.oneof(
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.string(),
  ) as fc.Arbitrary<Value>;
  const nested = (inner: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
    fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      leaf,
      fc.array(inner, { maxLength: 3 }),
      fc
        .uniqueArray(fc.tuple(key, inner), { maxLength: 3, selector: ([name]) => name })
        .map((entries) => Object.fromEntries(entries)),
    );
  return {
    json: nested(tie("json")),
    value: fc.oneof(
      nested(tie("value")),
      fc.tuple(tie("json"), fc.boolean()).map(([plain, sealed]) => new Secret(plain, { sealed })),
    ),
  };
});

describe("a value in the runner's storage", () => {
  it("survives a round trip with its secrets, whatever its keys are", async () => {
    await fc.assert(
      fc.asyncProperty(anyValue, async (value) => {
        expect(shape(await roundTrip(value))).toEqual(shape(value));
      }),
    );
  });

  it("may contain the codec's own marker keys", async () => {
    for (const value of [
      { $secret: 0 },
      { $plain: { $secret: 0 } },
      { $secret: 1, $plain: 2, list: [{ $plain: null }] },
      { token: new Secret("s"), fake: { $secret: 0 } },
    ] as Value[])
      expect(shape(await roundTrip(value))).toEqual(shape(value));
  });

  it("keeps a secret whose own keys look like markers", async () => {
    await fc.assert(
      fc.asyncProperty(json, async (plain) => {
        expect(shape(await roundTrip(new Secret(plain)))).toEqual(shape(new Secret(plain)));
      }),
    );
  });

  it("merges nested secrets into one", async () => {
    const value = new Secret({ inner: new Secret("hunter2"), list: [new Secret(1)] });
    expect(await roundTrip(value)).toEqual(new Secret({ inner: "hunter2", list: [1] }));
  });

  it("keeps the key __proto__ as a key", async () => {
    const value = JSON.parse('{"__proto__": {"a": 1}}') as Value;
    const back = (await roundTrip(value)) as object;
    expect(Object.keys(back)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
  });

  it("contains no secret in plain text, and has no sealed part without secrets", async () => {
    const encoded = await encodeValue({ a: new Secret("hunter2"), b: 1 }, sealer, place);
    expect(JSON.stringify(encoded)).not.toContain("hunter2");
    expect(encoded.plain).toEqual({ a: { $secret: 0 }, b: 1 });
    expect((await encodeValue({ a: 1 }, sealer, place)).sealed).toBeNull();
  });

  it("cannot be stored while it is unknown until apply", async () => {
    await expect(encodeValue({ a: unknown }, sealer, place)).rejects.toThrow("cannot be stored");
    await expect(encodeValue(new PartlyKnown({}), sealer, place)).rejects.toThrow(
      "cannot be stored",
    );
  });
});

describe("a resource in the runner's storage", () => {
  const known: KnownResource = {
    name: "db",
    type: "mock:Database",
    state: "tainted",
    id: "db-1",
    objectName: "web-db-1",
    inputs: { name: "db", password: new Secret("hunter2") },
    outputs: { id: "db-1", password: new Secret("hunter2") },
    dependsOn: ["net"],
    protect: true,
    retainOnDelete: false,
    deleteSeconds: 7,
  };

  it.for<StoredResource>([
    known,
    { ...known, state: "ready", drift: { kind: "missing" } },
    { ...known, state: "ready", drift: { kind: "changed", observed: { name: "other" } } },
    asLost(known),
  ])(
    "survives a round trip, and its secrets can be opened for its instance only",
    async (resource) => {
      const text = await encodeResource(resource, sealer, place);
      expect(text).not.toContain("hunter2");
      expect(await decodeResource(text, sealer, place)).toEqual(resource);
      await expect(decodeResource(text, sealer, { ...place, row: "other" })).rejects.toThrow(
        "changed or moved",
      );
    },
  );
});

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Run } from "#orchestrator/storage/run.ts";
import type { NameRule } from "#providers/provider.ts";
import { newObjectName } from "./object-name.ts";

const runOf = (name: string, deploymentId = "0190a5c0-0000-7000-8000-0123456789ab"): Run =>
  ({ deploymentId, spec: { inputs: { instance: { name } } } }) as unknown as Run;

describe("the engine's name for an object", () => {
  it("is readable, and unique by the run and the call", async () => {
    expect(await newObjectName(runOf("Web Shop"), "db", "2-0")).toBe("web-shop-db-23456789ab-2-0");
    expect(await newObjectName(runOf("web"), 'net/subnet["a b"]', "2-0")).toBe(
      "web-net-subnet-a-b-23456789ab-2-0",
    );
    expect(await newObjectName(runOf("Web Shop"), "db", "2-1")).toBe("web-shop-db-23456789ab-2-1");
  });

  it("follows the rule, and stays whole if the rule has room for it", async () => {
    const rule: NameRule = { maxLength: 63, letterFirst: true };
    expect(await newObjectName(runOf("web"), "db", "2-0", rule)).toBe("web-db-23456789ab-2-0");
    expect(await newObjectName(runOf("3d"), "db", "2-0", rule)).toBe("r3d-db-23456789ab-2-0");
    const underscores: NameRule = { maxLength: 63, alphabet: "underscores" };
    expect(await newObjectName(runOf("web"), "db", "2-0", underscores)).toBe(
      "web_db_23456789ab_2_0",
    );
  });

  it("ends in ten characters of a digest if it has to be cut", async () => {
    const rule: NameRule = { maxLength: 24, alphabet: "alphanumeric", letterFirst: true };
    const name = await newObjectName(runOf("web-shop"), "storage", "2-0", rule);
    expect(name).toMatch(/^webshopstorag[0-9a-z]{10}$/);
    expect(await newObjectName(runOf("web-shop"), "storage", "2-0", rule)).toBe(name);
    const others = await Promise.all([
      newObjectName(runOf("web-shop"), "storage", "2-1", rule),
      newObjectName(runOf("web-shop"), "storage", "21-0", rule),
      newObjectName(
        runOf("web-shop", "0190a5c0-0000-7000-8000-0123456789ac"),
        "storage",
        "2-0",
        rule,
      ),
    ]);
    expect(new Set([name, ...others]).size).toBe(4);
  });

  it("always fits the rule, whatever the names", async () => {
    const alphabets: Record<string, RegExp> = {
      default: /^[a-z0-9-]+$/,
      alphanumeric: /^[a-z0-9]+$/,
      underscores: /^[a-z0-9_]+$/,
    };
    await fc.assert(
      fc.asyncProperty(
        fc.string(),
        fc.string(),
        fc.integer({ min: 12, max: 80 }),
        fc.constantFrom("alphanumeric" as const, "underscores" as const, undefined),
        fc.boolean(),
        async (instance, resource, maxLength, alphabet, letterFirst) => {
          const rule: NameRule = {
            maxLength,
            ...(alphabet === undefined ? {} : { alphabet }),
            ...(letterFirst ? { letterFirst: true } : {}),
          };
          const name = await newObjectName(runOf(instance), resource, "12-3", rule);
          expect(name.length).toBeLessThanOrEqual(maxLength);
          expect(name).toMatch(alphabets[alphabet ?? "default"] ?? /^$/);
          if (letterFirst) expect(name).toMatch(/^[a-z]/);
          expect(name).toMatch(/[0-9a-z]$/);
        },
      ),
    );
  });
});

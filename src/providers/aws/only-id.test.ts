import { expect, it } from "vitest";
import { lookUpCall, sampleProvider } from "#test/support/sample-provider.ts";
import { empty, json, scriptedCloud, thing } from "#test/support/scripted-cloud.ts";
import { onlyId } from "./only-id.ts";
import type { AwsType } from "./row-parts.ts";

it("an object that can have one id alone is read, and not looked for in a list", async () => {
  const row: Partial<AwsType> = {
    find: { by: "label", property: "Tags", key: "made-by", as: "entry" },
    identifier: "{zone}|{title}",
    compare: { caseInsensitive: ["title"] },
  };
  const properties = { zone: "Z", title: "A" };
  const Tags = [{ Key: "made-by", Value: "token-1" }];
  const cloud = scriptedCloud(
    json(thing({ id: "Z|a", Tags })),
    json(thing({ id: "Z|a", Tags })),
    json(thing({ id: "Z|a" })),
    empty(404),
  );
  const look = (more = {}) =>
    sampleProvider(row, { onlyId }).lookUp(cloud.context(), lookUpCall({ properties, ...more }));
  expect(await look()).toMatchObject({ kind: "done", id: "Z|a" });
  expect(cloud.lines()[0]).toBe("GET /v1/things/Z%7Ca");
  expect(await look()).toEqual({ kind: "gone" });
  expect(await look()).toEqual({ kind: "gone" });
  expect(await look({ known: ["Z|a"] })).toEqual({ kind: "gone" });
  expect(cloud.requests).toHaveLength(4);
});

it("an identifier is not known while one of its properties is not given", () => {
  const row: AwsType = { path: "/", update: "none", identifier: "{zone}|{title}" };
  expect(onlyId(row, { zone: "Z" })).toBeUndefined();
  expect(onlyId(row, { zone: "Z", title: "" })).toBeUndefined();
  expect(onlyId(row, { zone: "Z", title: 1 })).toBeUndefined();
  expect(onlyId({ path: "/", update: "none" }, { zone: "Z" })).toBeUndefined();
});

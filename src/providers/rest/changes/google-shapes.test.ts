/** What rows of Google's APIs need of changes: masks in bodies, fingerprints of parts, conditions in queries, marks as UUIDs. */
import { describe, expect, it } from "vitest";
import type { RestType } from "#providers/rest/rest-type.ts";
import { createBody, updateBody } from "./body.ts";
import { markOf } from "./mark.ts";
import { nextPart } from "./parts.ts";

const row = (more: Partial<RestType>): RestType => ({
  path: "/v1/things",
  update: "MERGE",
  ...more,
});

describe("a mask", () => {
  it("stands in the body beside the changed properties", () => {
    const masked = row({
      bodyKey: "whole",
      updateMask: { body: "updateMask", key: "topic" },
      unsent: ["name"],
    });
    const before = { name: "a", labels: { a: "b" }, retention: "1s", note: "x" };
    const after = { name: "a", labels: { a: "c" }, retention: "1s" };
    expect(updateBody(masked, { before, after })).toEqual({
      body: { topic: { labels: { a: "c" } }, updateMask: "labels,note" },
    });
    expect(updateBody(masked, { before: after, after })).toBeUndefined();
  });
});

it("a create has members beside its body, and no property that stands in paths alone", () => {
  const account = row({ bodyKey: "account", besideBody: { accountId: "name" }, unsent: ["name"] });
  expect(createBody(account, { name: "web", text: "one" }, "t")).toEqual({
    accountId: "web",
    account: { text: "one" },
  });
});

it("a part carries the fingerprint that the object shows by then", () => {
  const labelled = row({
    update: "none",
    parts: [
      {
        properties: ["labels"],
        method: "POST",
        path: "/v1/things/{id}/setLabels",
        carried: { labelFingerprint: "prints.labels", absent: "no.such" },
      },
    ],
  });
  const change = { before: { labels: { a: "b" } }, after: { labels: { a: "c" } }, unsure: false };
  const part = nextPart(labelled, change, { labels: { a: "b" }, prints: { labels: "abc=" } });
  expect(part?.body).toEqual({ labels: { a: "c" }, labelFingerprint: "abc=" });
});

it("a mark is a UUID where the cloud takes lower case alone", () => {
  const marked = { by: "label", property: "labels", key: "step", format: "uuid" } as const;
  const mark = markOf({ find: marked }, "DEP_01ABC-0-1") ?? "";
  expect(mark).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(markOf({ find: marked }, "DEP_01ABC-0-1")).toBe(mark);
  expect(markOf({ find: marked }, "DEP_01ABC-0-2")).not.toBe(mark);
});

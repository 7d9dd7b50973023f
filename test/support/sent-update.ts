import { expect } from "vitest";
import type { Json, JsonMap } from "#platform/json.ts";
import type { RestProviderDefinition } from "#providers/rest/definition.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { sampleProvider, updateCall } from "#test/support/sample-provider.ts";
import { json, scriptedCloud, thing } from "#test/support/scripted-cloud.ts";

export const beforeUpdate: JsonMap = {
  settings: { tier: "a", labels: { x: "1", y: "2" }, key: "k" },
  disks: [{ type: "ssd", gb: 1 }],
  old: 1,
};
export const afterUpdate: JsonMap = {
  settings: { tier: "a", labels: { x: "3" }, key: "k" },
  disks: [{ type: "ssd", gb: 2 }],
};

export interface SentUpdate {
  lines: string[];
  body: Json | undefined;
  type: string | null | undefined;
}

/** What an update sends, by the row; the object is as `current`. */
export async function sentUpdate(
  row: Partial<RestType>,
  more: { before?: JsonMap; after?: JsonMap; current?: JsonMap; unsure?: true } = {},
  definition: Partial<RestProviderDefinition> = {},
): Promise<SentUpdate> {
  const object = json(thing(more.current));
  const reads = more.current === undefined ? [] : [object];
  const cloud = scriptedCloud(...reads, json(thing()));
  const call = updateCall({
    before: more.before ?? beforeUpdate,
    properties: more.after ?? afterUpdate,
    ...(more.unsure === undefined ? {} : { unsure: more.unsure }),
  });
  const nameless: Partial<RestType> = { name: { property: "title" }, ...row };
  const named = { ...call, properties: { title: "t", ...call.properties } };
  const outcome = await sampleProvider(nameless, definition).update(cloud.context(), {
    ...named,
    before: { title: "t", ...call.before },
  });
  expect(outcome).toMatchObject({ kind: "done" });
  const request = cloud.requests.at(-1);
  return {
    lines: cloud.lines(),
    body: request?.body,
    type: request?.headers.get("content-type"),
  };
}

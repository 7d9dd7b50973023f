import { describe, expect, it } from "vitest";
import { rankEntries } from "./rank-entries.ts";
import type { SearchEntry } from "./search-entry.ts";

function entry(more: Partial<SearchEntry>): SearchEntry {
  return {
    kind: "endpoint",
    path: "",
    title: "",
    name: "",
    call: "",
    fields: [],
    text: "",
    ...more,
  };
}

const create = entry({
  name: "createWebhook",
  title: "Create a webhook",
  call: "POST /api/v1/webhooks",
  fields: ["url", "events"],
});
const list = entry({
  name: "listWebhooks",
  title: "List webhooks",
  call: "GET /api/v1/webhooks",
  fields: ["limit"],
});
const target = entry({
  name: "createCloudTarget",
  title: "Create a target",
  call: "POST /api/v1/cloud/targets",
  fields: ["maxConcurrentDeployments"],
  text: "A webhook hears of it.",
});
const error = entry({ kind: "error", name: "webhook_disabled", title: "webhook_disabled" });
const all = [list, target, error, create];
const found = (query: string) => rankEntries(all, query).map(({ name }) => name);

describe("a search", () => {
  it("puts an entry of that name before an entry that mentions it", () => {
    expect(found("webhook")).toEqual([
      "createWebhook",
      "listWebhooks",
      "webhook_disabled",
      "createCloudTarget",
    ]);
  });

  it("puts an exact name first", () => {
    expect(found("webhook_disabled")[0]).toBe("webhook_disabled");
    expect(found("LISTWEBHOOKS")).toEqual(["listWebhooks"]);
  });

  it("wants every word", () => {
    expect(found("post maxconcurrent")).toEqual(["createCloudTarget"]);
    expect(found("create webhook")).toEqual(["createWebhook", "createCloudTarget"]);
    expect(found("create elsewhere")).toEqual([]);
  });

  it("finds part of a word", () => {
    expect(found("ConcurrentDepl")).toEqual(["createCloudTarget"]);
  });

  it("finds nothing for nothing", () => {
    expect(found("  ")).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { replacementReason } from "./replacement-reason.ts";

const change = (path: string, replaces = true) => ({ path, before: 1, after: 2, replaces });

describe("the reason of a replacement", () => {
  it.for([
    [[change("image")], ["image"], "image cannot be changed in place"],
    [
      [change("disk.size"), change("image"), change("label", false)],
      ["image", "disk"],
      "disk.size, image cannot be changed in place",
    ],
    [
      [change("settings.tier"), change("disks[1].type"), change("nets"), change("settings.size")],
      ["settings.tier", "disks[*].type", "nets[*].id"],
      "settings.tier, disks[1].type, nets cannot be changed in place; settings.size changed, which `replaceOnChanges` names",
    ],
    [[change("any")], ["*"], "any cannot be changed in place"],
    [[change("tag")], ["image"], "tag changed, which `replaceOnChanges` names"],
    [
      [change("image"), change("tag")],
      ["image"],
      "image cannot be changed in place; tag changed, which `replaceOnChanges` names",
    ],
  ] as const)("names the paths that force it: %j", ([changes, immutable, expected]) => {
    expect(replacementReason({ changes: [...changes] }, { immutable })).toBe(expected);
  });

  it("names other causes", () => {
    const about = { changes: [] };
    expect(replacementReason({ ...about, reason: "tainted" }, undefined)).toBe(
      "its object was not created to the end",
    );
    const type = "type: mock:Server to mock:Bucket";
    expect(replacementReason({ ...about, reason: type }, undefined)).toBe(type);
  });
});

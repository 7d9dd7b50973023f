import { describe, expect, it } from "vitest";
import { type Plan, PlanChanges } from "./plan-changes.tsx";

type Change = Plan["changes"][number];

const change = (action: Change["action"], more: Partial<Change> = {}): Change => ({
  resource: `a-${action}`,
  type: "mock:Server",
  action,
  tentative: false,
  changes: [],
  ...more,
});

function shown(...changes: Change[]): string {
  const plan = { changes } as Plan;
  const html = <PlanChanges plan={plan} empty="None." dependencies={new Map()} />;
  // oxlint-disable-next-line typescript/no-base-to-string -- Hono's nodes are texts of HTML.
  return html.toString();
}

function itemOf(page: string, resource: string): string {
  const [, after = ""] = page.split(`data-resource="${resource}"`);
  return after.split("</li>")[0] ?? "";
}

describe("the changes of a plan", () => {
  it("come with what is deleted and replaced first, each folded to its changed properties", () => {
    const changed = (path: string, replaces = false) => ({ path, before: 1, after: 2, replaces });
    const page = shown(
      change("create"),
      change("update", { changes: ["a", "b", "c", "d"].map((path) => changed(path)) }),
      change("replace", { changes: [changed("a"), changed("z", true)] }),
      change("delete"),
    );
    const order = [...page.matchAll(/data-resource="a-(\w+)"/g)].map(([, action]) => action);
    expect(order).toEqual(["delete", "replace", "update", "create"]);
    expect(page).not.toContain("<details open");
    expect(itemOf(page, "a-update")).toContain('<span class="soft">a, b, c and 1 more</span>');
    expect(itemOf(page, "a-replace")).toContain('<span class="soft">z, a</span>');
  });

  it("of a drift check tell what a deploy would do about each difference", () => {
    const changes = [{ path: "size", before: "big", after: "small", replaces: false }];
    const plan = {
      changes: [
        change("update", { changes }),
        change("unchanged", { resource: "kept", changes }),
        change("unchanged", { resource: "same" }),
        change("create", { resource: "lost" }),
      ],
    } as unknown as Plan;
    const html = <PlanChanges plan={plan} empty="" dependencies={new Map()} isDriftCheck />;
    // oxlint-disable-next-line typescript/no-base-to-string -- Hono's nodes are texts of HTML.
    const page = html.toString();
    for (const words of [
      "A deploy restores it.",
      "A deploy leaves it, because this cannot be changed back in place.",
      "A deploy creates it again.",
      "now <code>big</code>, deployed as <code>small</code>",
      "1 other is as deployed.",
    ])
      expect(page).toContain(words);
    expect(page).not.toMatch(/>(?:update|unchanged|create)</);
  });

  it("count unchanged resources apart from changes", () => {
    const same = (resource: string) => change("unchanged", { resource });
    const one = shown(change("update"), same("kept"));
    expect(one).toContain("1 resource stays unchanged.");
    expect(itemOf(one, "kept")).toBe("");
    expect(shown(same("kept"), same("other"))).toContain("2 resources stay unchanged.");
    expect(shown(same("kept"))).toContain("The plan changes nothing.");
    expect(one).not.toContain("The plan changes nothing.");
    expect(shown(change("update"))).not.toContain("unchanged.");
  });

  it("mark possible changes, and show replacements, their reasons and old names", () => {
    const item = itemOf(
      shown(
        change("replace", {
          tentative: true,
          id: "s-1",
          movedFrom: "web",
          leaves: "A snapshot.",
          reason: "cidr cannot be changed in place",
          changes: [{ path: "cidr", before: null, after: "x".repeat(2_001), replaces: true }],
        }),
      ),
      "a-replace",
    );
    for (const words of [
      "perhaps",
      "<code>s-1</code>",
      "It was called web before.",
      "What stays: A snapshot.",
      "It is replaced: cidr cannot be changed in place.",
      "replaces the object",
      '<span class="soft">nothing</span>',
      `<code>${"x".repeat(2_000)}…</code>`,
    ])
      expect(item).toContain(words);
    const plain = itemOf(
      shown(
        change("update", { changes: [{ path: "size", before: 1, after: 2, replaces: false }] }),
      ),
      "a-update",
    );
    for (const words of ["perhaps", "replaces the object", "was called", "Its id is"])
      expect(plain).not.toContain(words);
    expect(plain).toContain("<code>1</code>");
  });

  it("fold the resources of a loop or a component, with their number by action", () => {
    const page = shown(
      change("create", { resource: 'node["<b>"]' }),
      change("update", { resource: "web" }),
      change("create", { resource: 'node["c d"]' }),
      change("delete", { resource: 'part/disk["x"]' }),
    );
    const folds = [
      ...page.matchAll(/data-part="([^"]*)"><details( open="")?><summary>(.*?)<\/summary>/g),
    ];
    const words = folds.map(([, part, isOpen, summary = ""]) => [
      part,
      isOpen !== undefined,
      summary.replaceAll(/<[^>]*>/g, ""),
    ]);
    expect(words).toEqual([
      ["part", true, "1 delete part 1 resource"],
      ["node", false, "2 create node 2 resources"],
    ]);
    expect(page).toContain('<li id="resource-node[&quot;c d&quot;]"');
    expect(page).toContain("node[&quot;&lt;b&gt;&quot;]");
    expect(page).not.toContain("<b>");
  });

  it("have a row each, also for a pending delete with the name of its replacement", () => {
    const page = shown(
      change("create", { resource: "web" }),
      change("delete", { resource: "web", id: "s-1" }),
    );
    const ids = [...page.matchAll(/<li id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(2);
  });
});

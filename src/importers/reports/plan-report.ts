import type { JsonMap } from "#platform/json.ts";
import type { FindingList } from "./finding.ts";
import { mapAt, mapsAt, textAt, textsAt } from "./json-parts.ts";
import type { Report } from "./report.ts";
import { summaryOfState } from "./state-summary.ts";

/** The meaning of a change's `actions`. A delete and a create are one replacement. */
type PlanAction = "create" | "update" | "delete" | "replace" | "read" | "noop" | "forget";

const verbs: { readonly [A in PlanAction]: string } = {
  create: "creates",
  update: "changes",
  delete: "deletes",
  replace: "replaces",
  read: "reads",
  noop: "keeps",
  forget: "forgets",
};

const actionNames = new Map<string, PlanAction>([
  ["create", "create"],
  ["update", "update"],
  ["delete", "delete"],
  ["read", "read"],
  ["forget", "forget"],
  ["no-op", "noop"],
]);

/** The action of a change; undefined for unknown actions. */
export function planActionOf(actions: readonly string[]): PlanAction | undefined {
  const [first, second] = actions;
  if (second !== undefined) return actions.includes("create") ? "replace" : undefined;
  return first === undefined ? undefined : actionNames.get(first);
}

/** Counts the changes of `terraform show -json <plan>` by action, and adds a finding for each except no-ops. */
export function readPlan(report: JsonMap, findings: FindingList): Report["summary"] {
  if (!Array.isArray(report["resource_changes"])) return summaryOfState(report);
  const counts = new Map<PlanAction, number>([
    ["create", 0],
    ["update", 0],
    ["delete", 0],
    ["replace", 0],
    ["read", 0],
    ["noop", 0],
  ]);
  for (const change of mapsAt(report, "resource_changes")) {
    const action = planActionOf(textsAt(mapAt(change, "change"), "actions"));
    if (action === undefined) continue;
    counts.set(action, (counts.get(action) ?? 0) + 1);
    if (action === "noop") continue;
    const address = textAt(change, "address");
    findings.add({
      rule: action,
      severity: null,
      resource: address ?? null,
      file: null,
      line: null,
      message: `The plan ${verbs[action]} ${address ?? "a resource without address"}.`,
    });
  }
  return Object.fromEntries(counts);
}

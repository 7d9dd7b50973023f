import type { JsonMap } from "#platform/json.ts";
import type { FindingList, FindingSeverity } from "./finding.ts";
import { countAt, lineAt, mapAt, mapsAt, textAt } from "./json-parts.ts";
import type { Report } from "./report.ts";

/** https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html#_Toc34317648 */
type Level = "error" | "warning" | "note" | "none";

const severityOf: { readonly [L in Level]: FindingSeverity } = {
  error: "high",
  warning: "medium",
  note: "low",
  none: "info",
};

interface Rule {
  id: string | undefined;
  level: string | undefined;
  says: string | undefined;
}

/** Counts the results of a SARIF 2.1 log by level. Snippets are not read, because they may hold secrets. */
export function readSarif(report: JsonMap, findings: FindingList): Report["summary"] {
  const counts = { error: 0, warning: 0, note: 0, none: 0, passed: 0, suppressed: 0 };
  for (const run of mapsAt(report, "runs")) {
    const tool = mapAt(run, "tool");
    const rulesOf = (component: JsonMap | undefined) => mapsAt(component, "rules").map(ruleOf);
    const ofDriver = rulesOf(mapAt(tool, "driver"));
    const ofExtensions = mapsAt(tool, "extensions").map(rulesOf);
    const byId = new Map([...ofExtensions.flat(), ...ofDriver].map((rule) => [rule.id, rule]));
    for (const result of mapsAt(run, "results")) {
      const kind = textAt(result, "kind") ?? "fail";
      if (kind === "pass" || kind === "notApplicable") {
        counts.passed += 1;
        continue;
      }
      if (isSuppressed(result)) {
        counts.suppressed += 1;
        continue;
      }
      const reference = mapAt(result, "rule");
      const given = textAt(result, "ruleId") ?? textAt(reference, "id");
      const index = countAt(result, "ruleIndex") ?? countAt(reference, "index");
      const extension = countAt(mapAt(reference, "toolComponent"), "index");
      const rules = extension === undefined ? ofDriver : (ofExtensions[extension] ?? []);
      const rule = index === undefined ? byId.get(given) : rules[index];
      const level = levelOf(textAt(result, "level") ?? (kind === "fail" ? rule?.level : "none"));
      counts[level] += 1;
      const name = given ?? rule?.id ?? "unknown";
      const message = mapAt(result, "message");
      findings.add({
        rule: name,
        severity: severityOf[level],
        ...placeOf(result),
        message:
          textAt(message, "text") ??
          textAt(message, "markdown") ??
          rule?.says ??
          `The rule ${name} reports this place.`,
      });
    }
  }
  return counts;
}

function ruleOf(rule: JsonMap): Rule {
  return {
    id: textAt(rule, "id"),
    level: textAt(mapAt(rule, "defaultConfiguration"), "level"),
    says: textAt(mapAt(rule, "shortDescription"), "text"),
  };
}

function levelOf(text: string | undefined): Level {
  return text === "error" || text === "note" || text === "none" ? text : "warning";
}

function isSuppressed(result: JsonMap): boolean {
  const all = mapsAt(result, "suppressions");
  return all.length > 0 && all.every((one) => (textAt(one, "status") ?? "accepted") === "accepted");
}

function placeOf(result: JsonMap): {
  resource: string | null;
  file: string | null;
  line: number | null;
} {
  const [location] = mapsAt(result, "locations");
  const physical = mapAt(location, "physicalLocation");
  const [logical] = mapsAt(location, "logicalLocations");
  return {
    resource: textAt(logical, "fullyQualifiedName") ?? null,
    file: textAt(mapAt(physical, "artifactLocation"), "uri") ?? null,
    line: lineAt(mapAt(physical, "region"), "startLine"),
  };
}

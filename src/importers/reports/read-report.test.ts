import { describe, expect, it } from "vitest";
import { ImportLog } from "#importers/import-log.ts";
import type { JsonMap } from "#platform/json.ts";
import { MAX_FINDINGS } from "./finding.ts";
import { readReport } from "./read-report.ts";
import type { Report, SentReport } from "./report.ts";

function read(report: SentReport): Report | undefined {
  return readReport(report, new ImportLog());
}

function change(address: string, ...actions: string[]): JsonMap {
  return { address, mode: "managed", type: "aws_vpc", name: "x", change: { actions } };
}

describe("a Terraform plan", () => {
  const report = read({
    format_version: "1.2",
    resource_changes: [
      change("aws_vpc.new", "create"),
      change("aws_vpc.other", "update"),
      change("aws_vpc.gone", "delete"),
      change("module.net.aws_vpc.two[0]", "delete", "create"),
      change("aws_vpc.three", "create", "delete"),
      change("data.aws_ami.this", "read"),
      change("aws_vpc.same", "no-op"),
      change("aws_vpc.left", "forget"),
      change("aws_vpc.odd", "explode"),
    ],
  });

  it("is counted by action", () => {
    expect(report?.kind).toBe("terraform-plan");
    expect(report?.summary).toEqual({
      create: 1,
      update: 1,
      delete: 1,
      replace: 2,
      read: 1,
      noop: 1,
      forget: 1,
    });
  });

  it("has a finding for each change", () => {
    expect(report?.findings).toHaveLength(7);
    expect(report?.findings[3]).toEqual({
      rule: "replace",
      severity: null,
      resource: "module.net.aws_vpc.two[0]",
      file: null,
      line: null,
      message: "The plan replaces module.net.aws_vpc.two[0].",
    });
  });

  it("without changes is counted by its planned values", () => {
    const planned = {
      root_module: {
        resources: [
          { mode: "managed", type: "t", name: "a" },
          { mode: "data", type: "t", name: "b" },
        ],
        child_modules: [
          {
            address: "module.net",
            resources: [{ mode: "managed", type: "t", name: "a" }],
            child_modules: [{ address: "module.net.module.sub" }],
          },
        ],
      },
      outputs: { one: { value: 1 } },
    };
    expect(read({ format_version: "1.2", planned_values: planned })).toEqual({
      kind: "terraform-plan",
      summary: { resources: 2, data: 1, outputs: 1, modules: 1 },
      findings: [],
    });
  });
});

describe("a Terraform state", () => {
  it("is counted from its JSON", () => {
    const root = { resources: [{ mode: "managed", type: "t", name: "a", index: 0 }] };
    expect(read({ format_version: "1.0", values: { root_module: root } })).toEqual({
      kind: "terraform-state",
      summary: { resources: 1, data: 0, outputs: 0, modules: 0 },
      findings: [],
    });
  });

  it("is counted by instance from its file, without deposed ones", () => {
    const resources = [
      {
        module: "module.net",
        mode: "managed",
        type: "t",
        name: "a",
        instances: [{ index_key: 0 }, { index_key: 1 }, { index_key: 1, deposed: "0123abcd" }],
      },
      { mode: "data", type: "t", name: "b", instances: [{}] },
    ];
    expect(read({ version: 4, resources, outputs: { a: {}, b: {} } })).toEqual({
      kind: "terraform-raw-state",
      summary: { resources: 2, data: 1, outputs: 2, modules: 1 },
      findings: [],
    });
  });
});

describe("a report of Checkov", () => {
  const failed = {
    check_id: "CKV_AWS_20",
    check_name: "The bucket must not be public",
    severity: "HIGH",
    file_path: "/main.tf",
    file_line_range: [3, 9],
    resource: "aws_s3_bucket.logs",
    code_block: [[3, "CANARY"]],
  };

  it("has its failed checks as findings", () => {
    const report = read({
      check_type: "terraform",
      results: {
        failed_checks: [failed, { check_id: "X" }],
        passed_checks: [{}],
        skipped_checks: [],
      },
    });
    expect(report?.summary).toEqual({ failed: 2, passed: 1, skipped: 0 });
    expect(report?.findings).toEqual([
      {
        rule: "CKV_AWS_20",
        severity: "high",
        resource: "aws_s3_bucket.logs",
        file: "main.tf",
        line: 3,
        message: "The bucket must not be public",
      },
      {
        rule: "X",
        severity: null,
        resource: null,
        file: null,
        line: null,
        message: "The check X failed.",
      },
    ]);
  });

  it("takes the counts that a compact one has without the checks", () => {
    const report = read({ results: { failed_checks: [] }, summary: { passed: 7, skipped: 2 } });
    expect(report?.summary).toEqual({ failed: 0, passed: 7, skipped: 2 });
  });
});

describe("a report of driftctl", () => {
  const report = read({
    summary: {
      total_resources: 4,
      total_managed: 1,
      total_changed: 1,
      total_unmanaged: 1,
      total_missing: 1,
    },
    unmanaged: [{ id: "sg-1", type: "aws_security_group" }],
    missing: [
      {
        id: "b",
        type: "aws_s3_bucket",
        source: { source: "tfstate://a.tfstate", namespace: "module.m", internal_name: "logs" },
      },
    ],
    differences: [
      {
        res: { id: "i-1", type: "aws_instance" },
        changelog: [{ type: "update", path: ["user_data"], from: "CANARY", to: "CANARY" }],
      },
    ],
  });

  it("has its totals and each drift without the values", () => {
    expect(report?.kind).toBe("driftctl");
    expect(report?.summary).toEqual({
      resources: 4,
      managed: 1,
      changed: 1,
      unmanaged: 1,
      missing: 1,
    });
    expect(report?.findings.map(({ rule, resource, file }) => [rule, resource, file])).toEqual([
      ["unmanaged", "aws_security_group sg-1", null],
      ["missing", "module.m.aws_s3_bucket.logs", "a.tfstate"],
      ["changed", "aws_instance i-1", null],
    ]);
    expect(JSON.stringify(report)).not.toContain("CANARY");
  });
});

describe("a SARIF log", () => {
  const rules = [
    {
      id: "open-port",
      shortDescription: { text: "A port is open" },
      defaultConfiguration: { level: "error" },
    },
    { id: "tag" },
  ];
  const place = {
    physicalLocation: {
      artifactLocation: { uri: "main.tf" },
      region: { startLine: 12, snippet: { text: "CANARY" } },
    },
    logicalLocations: [{ fullyQualifiedName: "aws_vpc.main" }],
  };
  const results = [
    { ruleId: "open-port", message: { text: "Port 22 is open" }, locations: [place] },
    { ruleIndex: 0, message: { id: "default" } },
    { ruleId: "tag", level: "note", message: { text: "No tag" } },
    { ruleId: "tag", message: { text: "No tag" } },
    { ruleId: "tag", kind: "pass" },
    { ruleId: "tag", suppressions: [{ kind: "inSource" }] },
    { ruleId: "tag", kind: "review", message: { text: "Look" } },
  ];
  const report = read({ version: "2.1.0", runs: [{ tool: { driver: { rules } }, results }] });

  it("is counted by level, with the level of the rule where the result has none", () => {
    expect(report?.kind).toBe("sarif");
    expect(report?.summary).toEqual({
      error: 2,
      warning: 1,
      note: 1,
      none: 1,
      passed: 1,
      suppressed: 1,
    });
  });

  it("has its results as findings with rule and place", () => {
    expect(report?.findings[0]).toEqual({
      rule: "open-port",
      severity: "high",
      resource: "aws_vpc.main",
      file: "main.tf",
      line: 12,
      message: "Port 22 is open",
    });
    expect(report?.findings[1]).toMatchObject({ rule: "open-port", message: "A port is open" });
    expect(report?.findings.map(({ severity }) => severity)).toEqual([
      "high",
      "high",
      "low",
      "medium",
      "info",
    ]);
    expect(JSON.stringify(report)).not.toContain("CANARY");
  });
});

describe("any report", () => {
  it("is not recognised by one sign of two", () => {
    for (const report of [
      {},
      { format_version: "1.0" },
      { format_version: "1.0", valid: true, diagnostics: [] },
      { version: 3, resources: [] },
      { version: "2.0.0", runs: [] },
      { results: { passed_checks: [] } },
      { summary: { total: 1 } },
      { values: {}, planned_values: {} },
    ])
      expect(read(report)).toBeUndefined();
  });

  it("keeps 20,000 findings and logs the full count", () => {
    const log = new ImportLog();
    const failed_checks = Array.from({ length: MAX_FINDINGS + 1 }, () => ({ check_id: "A" }));
    const report = readReport({ results: { failed_checks } }, log);
    expect(report?.findings).toHaveLength(MAX_FINDINGS);
    expect(report?.summary["failed"]).toBe(MAX_FINDINGS + 1);
    expect(log.warnings()).toMatchObject([{ code: "too_many_findings" }]);
    expect(log.warnings()[0]?.message).toContain("20001");
  });

  it("keeps 500 characters of a text, and no half of a surrogate pair", () => {
    const check = { check_id: "A", check_name: `${"x".repeat(498)}😀😀` };
    const message = read({ results: { failed_checks: [check] } })?.findings[0]?.message ?? "";
    expect(message).toHaveLength(500);
    expect(message.isWellFormed()).toBe(true);
  });

  it("treats a value of the wrong type as absent", () => {
    const odd: JsonMap = { a: 1 };
    for (const report of [
      {
        format_version: "1",
        resource_changes: [1, null, { change: 1 }, { change: { actions: 1 } }],
      },
      { version: 4, resources: [odd, { type: "t", name: "n", instances: [null, 1, []] }] },
      { format_version: "1", values: { root_module: [] } },
      { version: "2.1.0", runs: [1, { results: [1, { locations: [1], message: 1 }] }] },
      { results: { failed_checks: [1, { file_line_range: ["x"] }] } },
      { summary: { total_missing: "x" }, missing: [1, {}], differences: [{}] },
    ] satisfies JsonMap[])
      expect(read(report)).toBeDefined();
  });
});

describe("a list of reports", () => {
  const run = (rule: string, passed: number): JsonMap => ({
    check_type: "terraform",
    results: {
      failed_checks: [{ check_id: rule, check_name: "a", resource: "b", file_path: "/c.tf" }],
    },
    summary: { passed, failed: 1, skipped: 0 },
  });

  it("of one tool is one report", () => {
    const nothing = { passed: 0, failed: 0, skipped: 1, checkov_version: "3.2.509" };
    const found = read([run("CKV_AWS_1", 2), run("CKV_K8S_2", 3), nothing]);
    expect(found?.kind).toBe("checkov");
    expect(found?.summary).toEqual({ failed: 2, passed: 5, skipped: 1 });
    expect(found?.findings.map(({ rule }) => rule)).toEqual(["CKV_AWS_1", "CKV_K8S_2"]);
    expect(read(nothing)?.summary).toEqual({ failed: 0, passed: 0, skipped: 1 });
  });

  it("of several tools, or of none, is unknown", () => {
    expect(read([run("CKV_AWS_1", 2), { version: "2.1.0", runs: [] }])).toBeUndefined();
    expect(read([])).toBeUndefined();
  });
});

it("several runs of SARIF have rules of their own and of their extensions", () => {
  const rule = (id: string, level: string) => ({ id, defaultConfiguration: { level } });
  const found = read({
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { rules: [rule("a", "error")] } },
        results: [{ ruleIndex: 0, message: { text: "x" } }],
      },
      {
        tool: {
          driver: { rules: [rule("b", "note")] },
          extensions: [{ rules: [rule("c", "error"), rule("d", "none")] }],
        },
        results: [
          { ruleIndex: 0, message: { text: "x" } },
          { rule: { index: 1, toolComponent: { index: 0 } }, message: { text: "x" } },
          { ruleId: "c", message: { text: "x" } },
          { rule: { index: 9, toolComponent: { index: 7 } }, message: { text: "x" } },
        ],
      },
    ],
  });
  expect(found?.findings.map((one) => [one.rule, one.severity])).toEqual([
    ["a", "high"],
    ["b", "low"],
    ["d", "info"],
    ["c", "high"],
    ["unknown", "medium"],
  ]);
});

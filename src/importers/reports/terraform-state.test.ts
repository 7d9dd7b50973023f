import { describe, expect, it } from "vitest";
import type { FileVerdict } from "#importers/import-format.ts";
import { ImportLog } from "#importers/import-log.ts";
import type { SourceModule } from "#importers/source-module.ts";
import type { JsonMap } from "#platform/json.ts";
import { parsedBy } from "#test/support/parsed-by.ts";
import { detectTerraformPlan, detectTerraformState } from "./detect-terraform-state.ts";
import { existingIds } from "./existing-ids.ts";
import { readReport } from "./read-report.ts";
import { terraformStateParser } from "./terraform-state.ts";

interface Read {
  verdicts: readonly FileVerdict[];
  modules: readonly SourceModule[];
  codes: string[];
}

async function read(files: { [path: string]: string | JsonMap }): Promise<Read> {
  const log = new ImportLog();
  const all = Object.entries(files).map(([path, content]) => ({
    path,
    text: typeof content === "string" ? content : JSON.stringify(content, null, 2),
  }));
  const { verdicts, modules } = parsedBy(terraformStateParser, all, log);
  return { verdicts, modules, codes: log.warnings().map(({ code }) => code) };
}

const CANARY = "CANARY";
/** A value of every kind that a state may hold, under names that reveal nothing. */
const hidden: JsonMap = {
  user_data: CANARY,
  list: [CANARY, { deep: CANARY }],
  map: { [CANARY]: CANARY },
  description: CANARY,
};

const rawState: JsonMap = {
  version: 4,
  terraform_version: "1.9.0",
  serial: 3,
  lineage: "l",
  outputs: { address: { value: CANARY, type: "string" }, key: { value: hidden, sensitive: true } },
  resources: [
    {
      mode: "managed",
      type: "aws_vpc",
      name: "main",
      provider: 'provider["registry.terraform.io/hashicorp/aws"].east',
      instances: [
        {
          schema_version: 1,
          attributes: { ...hidden, id: "vpc-1", region: "eu-west-1" },
          sensitive_attributes: [],
          private: CANARY,
        },
      ],
    },
    {
      module: 'module.net["eu"]',
      mode: "managed",
      type: "aws_subnet",
      name: "this",
      provider: 'module.net.provider["registry.terraform.io/hashicorp/aws"]',
      instances: [0, 1].map((index_key) => ({
        index_key,
        attributes: { ...hidden, id: `subnet-${index_key}`, availability_zone: "us-east-1a" },
        dependencies: ["aws_vpc.main", "module.net.aws_eip.this", "aws_gone.x"],
      })),
    },
    {
      module: 'module.net["eu"]',
      mode: "managed",
      type: "aws_eip",
      name: "this",
      provider: "provider.aws",
      instances: [0, 1].map((index_key) => ({
        index_key,
        attributes: { ...hidden, id: `eip-${index_key}`, region: CANARY },
        sensitive_attributes: [[{ type: "get_attr", value: "region" }]],
      })),
    },
    {
      mode: "data",
      type: "google_project",
      name: "p",
      provider: 'provider["registry.opentofu.org/hashicorp/google"]',
      instances: [{ attributes: { ...hidden, id: "projects/x", location: "europe-west1-b" } }],
    },
  ],
};

const plan: JsonMap = {
  format_version: "1.2",
  terraform_version: "1.9.0",
  variables: { password: { value: CANARY } },
  planned_values: {
    outputs: { url: { sensitive: false, value: CANARY } },
    root_module: {
      resources: [
        {
          address: "aws_vpc.main",
          mode: "managed",
          type: "aws_vpc",
          name: "main",
          provider_name: "registry.terraform.io/hashicorp/aws",
          values: hidden,
          sensitive_values: {},
        },
      ],
      child_modules: [
        {
          address: "module.db",
          resources: ["primary", "replica"].map((name) => ({
            address: `module.db.aws_db_instance.${name}`,
            mode: "managed",
            type: "aws_db_instance",
            name,
            provider_name: "registry.terraform.io/hashicorp/aws",
            values: { ...hidden, password: CANARY },
          })),
        },
      ],
    },
  },
  resource_changes: [
    {
      address: "aws_vpc.main",
      mode: "managed",
      type: "aws_vpc",
      name: "main",
      change: {
        actions: ["update"],
        before: { ...hidden, id: "vpc-1" },
        after: hidden,
        before_sensitive: {},
      },
    },
  ],
  prior_state: {
    format_version: "1.0",
    values: {
      root_module: { resources: [{ mode: "data", type: "t", name: "n", values: hidden }] },
    },
  },
  configuration: {
    provider_config: { aws: { expressions: { secret_key: { constant_value: CANARY } } } },
    root_module: {
      variables: { password: { default: CANARY } },
      resources: [{ address: "aws_vpc.main", expressions: { tags: { constant_value: hidden } } }],
      module_calls: {
        db: {
          module: {
            resources: [
              { address: "aws_db_instance.primary", expressions: {} },
              {
                address: "aws_db_instance.replica",
                expressions: {
                  block: [
                    {
                      source: {
                        references: ["aws_db_instance.primary[0].arn", "var.x", CANARY],
                        constant_value: CANARY,
                      },
                    },
                  ],
                },
              },
            ],
          },
        },
      },
    },
  },
};

describe("a state file", () => {
  it("is a module with every instance, its module and index in the address", async () => {
    const { modules, verdicts, codes } = await read({ "env/terraform.tfstate": rawState });
    expect(verdicts).toEqual([
      {
        path: "env/terraform.tfstate",
        state: "PARSED",
        counts: { resource: 5, data: 1, output: 2 },
      },
    ]);
    expect(codes).toEqual([]);
    expect(modules).toHaveLength(1);
    expect(modules[0]).toMatchObject({ format: "terraform-state", path: "env/terraform.tfstate" });
    expect(
      modules[0]?.resources.map((one) => [one.address, one.id, one.provider, one.repeated]),
    ).toEqual([
      ["aws_vpc.main", "vpc-1", "aws.east", false],
      ['module.net["eu"].aws_subnet.this[0]', "subnet-0", "aws", true],
      ['module.net["eu"].aws_subnet.this[1]', "subnet-1", "aws", true],
      ['module.net["eu"].aws_eip.this[0]', "eip-0", "aws", true],
      ['module.net["eu"].aws_eip.this[1]', "eip-1", "aws", true],
      ["data.google_project.p", undefined, "google", false],
    ]);
  });

  it("keeps regions, also of zones, except those marked sensitive", async () => {
    const { modules } = await read({ "a.tfstate": rawState });
    expect(modules[0]?.resources.map(({ region }) => region)).toEqual([
      { kind: "literal", value: "eu-west-1" },
      { kind: "literal", value: "us-east-1" },
      { kind: "literal", value: "us-east-1" },
      undefined,
      undefined,
      { kind: "literal", value: "europe-west1" },
    ]);
  });

  it("leads dependencies to the instance with the same index, if it exists", async () => {
    const { modules } = await read({ "a.tfstate": rawState });
    const second = modules[0]?.resources[2];
    expect(second?.dependsOn.map(({ address }) => address)).toEqual([
      "aws_vpc.main",
      'module.net["eu"].aws_eip.this[1]',
    ]);
    expect(second?.dependsOn[0]?.line).toBe(second?.line);
  });

  it("has the places of its resources and the names of its outputs and providers", async () => {
    const { modules } = await read({ "a.tfstate": rawState });
    const text = JSON.stringify(rawState, null, 2).split("\n");
    const vpc = modules[0]?.resources[0];
    expect(text.slice((vpc?.line ?? 0) - 1, vpc?.endLine).join("\n")).toMatch(
      /^\s*\{\s*"mode": "managed",\s*"type": "aws_vpc"[^]*"private"[^]*\}\s*\]\s*\},$/,
    );
    expect(modules[0]?.outputs).toMatchObject([
      { name: "address", sensitive: true, value: { kind: "opaque", text: "" } },
      { name: "key", sensitive: true },
    ]);
    expect(
      modules[0]?.providers.map(({ name, source, aliases }) => [name, source, aliases.length]),
    ).toEqual([
      ["aws", "hashicorp/aws", 1],
      ["google", "hashicorp/google", 0],
    ]);
  });

  it("is skipped as the backup of another", async () => {
    const { verdicts, codes } = await read({
      "terraform.tfstate": rawState,
      "terraform.tfstate.backup": rawState,
      "other.tfstate.backup": rawState,
    });
    expect(verdicts.map(({ state }) => state)).toEqual(["PARSED", "SKIPPED", "PARSED"]);
    expect(codes).toEqual(["backup_of_state"]);
  });

  it("gives the reason for having no resources", async () => {
    const { verdicts } = await read({
      "a.tfstate": { version: 3, modules: [] },
      "b.tfstate": { version: 3, backend: { type: "s3", config: { secret_key: CANARY } } },
      "c.tfstate": { serial: 1, lineage: "l", encrypted_data: CANARY },
      "d.tfstate": "{",
      "e.tfstate": "[]",
    });
    expect(verdicts.map(({ state, reason }) => [state, reason])).toEqual([
      ["FAILED", "unsupported_state_version"],
      ["SKIPPED", "backend_settings"],
      ["FAILED", "encrypted_state"],
      ["FAILED", "invalid_json"],
      ["FAILED", "unrecognized_state"],
    ]);
  });
});

describe("a plan as a file", () => {
  it("is a module of its planned values, with the ids of existing objects and the references of the code", async () => {
    const { modules } = await read({ "plan.json": plan });
    expect(modules[0]?.format).toBe("terraform-plan");
    expect(
      modules[0]?.resources.map(({ address, id, dependsOn }) => [
        address,
        id,
        dependsOn.map((one) => one.address),
      ]),
    ).toEqual([
      ["aws_vpc.main", "vpc-1", []],
      ["module.db.aws_db_instance.primary", undefined, []],
      ["module.db.aws_db_instance.replica", undefined, ["module.db.aws_db_instance.primary"]],
    ]);
  });
});

describe("the values of a state or plan", () => {
  const jsonState: JsonMap = { format_version: "1.0", values: plan["planned_values"] ?? null };

  it("are in nothing that is kept", async () => {
    const log = new ImportLog();
    for (const document of [rawState, plan, jsonState]) {
      const { modules, verdicts, codes } = await read({ "a.tfstate": document });
      expect(modules[0]?.resources.length).toBeGreaterThan(2);
      const kept = [modules, verdicts, codes, readReport(document, log), log.warnings()];
      expect(
        JSON.stringify([
          ...kept,
          [...existingIds(document)].map(([, { id, names }]) => [id, ...names]),
        ]),
      ).not.toContain(CANARY);
    }
  });
});

describe("the detection", () => {
  const states = (path: string, content: string | JsonMap): boolean[] => {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    return [detectTerraformState({ path, text }), detectTerraformPlan({ path, text })];
  };

  it("recognises states by name or content, and plans by content", () => {
    expect(states("a/terraform.tfstate", "")).toEqual([true, false]);
    expect(states("terraform.tfstate.1700000000.backup", "")).toEqual([true, false]);
    expect(states("state.json", rawState)).toEqual([true, false]);
    expect(states("state.json", { format_version: "1.0", values: {} })).toEqual([true, false]);
    expect(states("plan.json", plan)).toEqual([false, true]);
    expect(states("plan", `\uFEFF\n${JSON.stringify(plan)}`)).toEqual([false, true]);
  });

  it("rejects other JSON", () => {
    expect(states("main.tf.json", rawState)).toEqual([false, false]);
    expect(states("a.json", { nested: rawState })).toEqual([false, false]);
    expect(states("a.json", { version: 4, resources: [] })).toEqual([false, false]);
    expect(states("a.json", `${JSON.stringify(plan)}x`)).toEqual([false, false]);
    expect(states("a.tf", "# terraform_version")).toEqual([false, false]);
  });
});

import { describe, expect, it } from "vitest";
import type { Expression } from "#importers/expression.ts";
import type { FileVerdict } from "#importers/import-format.ts";
import { ImportLog, type ImportWarning } from "#importers/import-log.ts";
import type { SourceModule, SourceResource } from "#importers/source-module.ts";
import { parsedBy } from "#test/support/parsed-by.ts";
import { detectPulumi } from "./detect-pulumi.ts";
import { pulumiParser } from "./pulumi.ts";

interface Read {
  verdicts: readonly FileVerdict[];
  modules: readonly SourceModule[];
  warnings: readonly ImportWarning[];
}

async function read(files: { [path: string]: string }): Promise<Read> {
  const log = new ImportLog();
  const all = Object.entries(files).map(([path, text]) => ({ path, text }));
  const { verdicts, modules } = parsedBy(pulumiParser, all, log);
  return { verdicts, modules, warnings: log.warnings() };
}

async function program(text: string): Promise<SourceModule> {
  const { modules } = await read({ "Pulumi.yaml": text });
  const [module] = modules;
  if (module === undefined) throw new Error("no module");
  return module;
}

/** The value of the output `o` of a program with these resources, variables and config. */
async function valueOf(written: string): Promise<Expression | undefined> {
  const module = await program(`name: shop
runtime: yaml
config: { size: { type: integer }, password: { type: string, secret: true } }
variables: { zone: a }
resources: { net: { type: "aws:ec2:Vpc" } }
outputs:
  o: ${written}
`);
  return module.outputs[0]?.value;
}

async function resource(body: string): Promise<SourceResource | undefined> {
  const module = await program(
    `runtime: yaml\nresources:\n  other: { type: "aws:ec2:Vpc" }\n  a:\n${body}`,
  );
  return module.resources[1];
}

const reference = (kind: string, name: string, ...path: (string | number)[]) => ({
  kind: "reference",
  target: kind === "resource" ? { kind, address: name } : { kind, name },
  path,
});

describe("a Pulumi program", () => {
  it("is a module with its sections", async () => {
    const { verdicts, modules, warnings } = await read({
      "infra/Pulumi.yaml": `name: shop
runtime: { name: yaml }
configuration:
  region: { type: string, default: eu-west-1 }
resources:
  bucket:
    type: aws:s3/bucket:Bucket
    properties:
      acl: private
variables:
  prefix: shop
outputs:
  url: \${bucket.websiteEndpoint}
`,
    });
    expect(warnings).toEqual([]);
    expect(verdicts).toEqual([
      {
        path: "infra/Pulumi.yaml",
        state: "PARSED",
        counts: { resource: 1, provider: 0, config: 1, variable: 1, output: 1 },
      },
    ]);
    expect(modules[0]).toMatchObject({
      format: "pulumi",
      path: "infra/Pulumi.yaml",
      isRoot: true,
      resources: [
        {
          address: "bucket",
          type: "aws:s3/bucket:Bucket",
          provider: "aws",
          mode: "managed",
          settings: { members: [{ name: "acl", value: { value: "private" }, line: 9 }] },
          endLine: 9,
        },
      ],
      variables: [{ name: "region", type: "string", default: { value: "eu-west-1" } }],
      locals: [{ name: "prefix", value: { value: "shop" } }],
      outputs: [{ name: "url", sensitive: false }],
      providers: [{ name: "aws" }],
    });
  });

  it("is read from JSON", async () => {
    const text = '{"name":"x","runtime":"yaml","resources":{"a":{"type":"gcp:storage:Bucket"}}}';
    expect(detectPulumi({ path: "infra.json", text })).toBe(true);
    const { modules } = await read({ "infra.json": text });
    expect(modules[0]?.resources[0]).toMatchObject({ address: "a", provider: "gcp" });
  });

  it("in another language is skipped with advice", async () => {
    const { verdicts, modules, warnings } = await read({
      "Pulumi.yaml": "name: x\nruntime:\n  name: nodejs\n",
    });
    expect(verdicts[0]).toMatchObject({ state: "SKIPPED", reason: "unsupported_runtime" });
    expect(modules).toEqual([]);
    expect(warnings[0]?.message).toContain("nodejs");
  });

  it("has a verdict when it is empty or cannot be read", async () => {
    const { verdicts } = await read({
      "a/Pulumi.yaml": "# nothing\n",
      "b/Pulumi.yaml": "[a",
      "c/Pulumi.yaml": "text",
      "d/Pulumi.json": "{",
    });
    expect(verdicts.map(({ state, reason }) => [state, reason])).toEqual([
      ["SKIPPED", "empty_file"],
      ["FAILED", "invalid_yaml"],
      ["FAILED", "not_a_program"],
      ["FAILED", "invalid_json"],
    ]);
  });

  it("warns of parts left out", async () => {
    const { modules, warnings } = await read({
      "Pulumi.yaml":
        "runtime: yaml\ncomponents: {}\nvariables: [a]\nresources:\n  a: { properties: { x: 1 } }\n  b: { type: 't:T', properties: [1] }\n",
    });
    expect(modules[0]?.resources.map(({ name }) => name)).toEqual(["b"]);
    expect(warnings.map(({ code }) => code).toSorted()).toEqual([
      "components_not_read",
      "properties_not_read",
      "resource_without_type",
      "section_not_read",
    ]);
  });
});

describe("an expression", () => {
  it("refers to resources, variables and config with the path below", async () => {
    expect(await valueOf('${net.tags["a.b"][0].c}')).toMatchObject(
      reference("resource", "net", "tags", "a.b", 0, "c"),
    );
    expect(await valueOf("${zone}")).toMatchObject(reference("local", "zone"));
    expect(await valueOf("${size}")).toMatchObject(reference("variable", "size"));
    expect(await valueOf("${shop:size}")).toMatchObject(reference("variable", "size"));
    expect(await valueOf("$${shop:size}")).toEqual({ kind: "literal", value: "${shop:size}" });
  });

  it("may be a text of several parts, with the escape", async () => {
    expect(await valueOf("a-${zone}-$${b}-$c")).toMatchObject({
      kind: "text",
      parts: [{ value: "a-" }, reference("local", "zone"), { value: "-${b}-$c" }],
    });
    expect(await valueOf("$${zone}")).toEqual({ kind: "literal", value: "${zone}" });
  });

  it("may call a function by its name in any case", async () => {
    expect(await valueOf('{ "Fn::Join": [",", ["${zone}", b]] }')).toMatchObject({
      kind: "call",
      name: "fn::join",
      args: [{ value: "," }, { kind: "list", items: [{}, { value: "b" }] }],
    });
    expect(await valueOf('{ "fn::tojson": [1, 2] }')).toMatchObject({
      name: "fn::toJSON",
      args: [{ kind: "list" }],
    });
    expect(await valueOf('{ "fn::aws:getAmi": { owner: x } }')).toMatchObject({
      name: "fn::aws:getAmi",
      args: [{ kind: "object" }],
    });
    expect(await valueOf("${pulumi.stack}")).toMatchObject({ name: "pulumi.stack", args: [] });
  });

  it("that cannot be read is kept as its text", async () => {
    expect(await valueOf('"${net.}"')).toMatchObject({ kind: "opaque", text: "${net.}" });
    const { modules, warnings } = await read({
      "Pulumi.yaml": "runtime: yaml\noutputs:\n  o: ${gone.id}\n",
    });
    expect(modules[0]?.outputs[0]?.value).toMatchObject({ kind: "opaque", references: [] });
    expect(warnings).toMatchObject([{ code: "unknown_reference", line: 3 }]);
  });
});

describe("a resource", () => {
  it("has options that keep, order and adopt objects", async () => {
    expect(
      await resource(
        "    type: aws:ec2:Subnet\n    options: { protect: true, dependsOn: ['${other}'], import: subnet-1 }\n",
      ),
    ).toMatchObject({
      options: [{ kind: "protect", line: 6 }],
      id: "subnet-1",
      dependsOn: [{ address: "other", line: 6 }],
    });
    expect(
      await resource(
        "    type: t:T\n    options: { retainOnDelete: true, dependsOn: '${other}' }\n",
      ),
    ).toMatchObject({ options: [{ kind: "retainOnDelete" }], dependsOn: [{ address: "other" }] });
    expect(
      await resource("    type: t:T\n    options: { import: 'x-${other.id}' }\n"),
    ).toMatchObject({
      id: undefined,
      options: [{ kind: "left out", name: "options.import", line: 6 }],
    });
    expect(
      await resource("    type: t:T\n    dependsOn: ['${other}']\n    protect: true\n"),
    ).toMatchObject({
      dependsOn: [],
      options: [
        { kind: "left out", name: "dependsOn", line: 6 },
        { kind: "left out", name: "protect", line: 7 },
      ],
    });
    expect(await resource("    type: t:T\n")).toMatchObject({ options: [], id: undefined });
  });

  it("is only read where it has `get`", async () => {
    expect(await resource("    type: aws:ec2:Vpc\n    get: { id: vpc-1 }\n")).toMatchObject({
      mode: "data",
      settings: { members: [{ name: "id", value: { value: "vpc-1" } }] },
    });
  });

  it("has its region", async () => {
    expect(
      await resource(
        "    type: azure-native:network:VirtualNetwork\n    properties: { location: westeurope }\n",
      ),
    ).toMatchObject({ provider: "azure-native", region: { value: "westeurope" } });
  });

  it("names its provider, which is not a resource", async () => {
    const module = await program(`runtime: yaml
config:
  aws:region: eu-west-1
  aws:secretKey: CANARY
resources:
  east: { type: "pulumi:providers:aws", properties: { region: us-east-1 } }
  google: { type: "pulumi:providers:gcp", defaultProvider: true, properties: { region: europe-west1 } }
  a: { type: "aws:ec2:Vpc", options: { provider: "\${east}" } }
  b: { type: "aws:ec2:Vpc" }
  c: { type: "gcp:storage:Bucket", options: { provider: "\${google}" } }
`);
    expect(module.resources.map(({ provider }) => provider)).toEqual(["aws.east", "aws", "gcp"]);
    expect(module.variables).toEqual([]);
    expect(module.providers).toMatchObject([
      {
        name: "aws",
        settings: { members: [{ name: "region", value: { value: "eu-west-1" } }, {}] },
        aliases: [{ name: "east", settings: { members: [{ value: { value: "us-east-1" } }] } }],
      },
      { name: "gcp", settings: { members: [{ value: { value: "europe-west1" } }] } },
    ]);
    expect(JSON.stringify(module)).not.toContain("CANARY");
  });
});

describe("a secret", () => {
  it("is not kept from config, from `fn::secret`, or under the name of a secret", async () => {
    const { modules, warnings } = await read({
      "Pulumi.yaml": `name: shop
runtime: yaml
config:
  dbPassword: CANARY
  marked: { type: string, secret: true, default: CANARY }
  shop:stored: { type: string, default: CANARY }
variables:
  apiKey: CANARY
  url: postgres://user:CANARY@host/db
resources:
  a:
    type: aws:rds:Instance
    properties:
      password: CANARY
      tokens: [CANARY]
      more: { a: { fn::secret: { deep: [CANARY, "x\${marked}"] } } }
      env: [{ name: DB_PASSWORD, value: CANARY }, { name: PORT, value: 80 }]
outputs:
  o: { fn::secret: CANARY }
  p: \${stored}
  q: { fn::unsecret: "\${stored}" }
`,
      "Pulumi.dev.yaml": "config:\n  shop:stored: { secure: CANARY }\n  shop:plain: CANARY\n",
    });
    const [module] = modules;
    expect(module?.variables.map(({ name, sensitive }) => [name, sensitive])).toEqual([
      ["dbPassword", true],
      ["marked", true],
      ["stored", true],
    ]);
    expect(module?.variables[0]?.default).toMatchObject({ kind: "opaque", text: "" });
    expect(module?.outputs.map(({ sensitive }) => sensitive)).toEqual([true, true, false]);
    expect(JSON.stringify([modules, warnings])).not.toContain("CANARY");
    expect(JSON.stringify(module)).toContain('"value":80');
    expect(JSON.stringify(module)).toContain('"name":"marked"},"path":[]');
  });

  it("of a stack's config is only counted", async () => {
    const { verdicts, modules } = await read({
      "Pulumi.dev.yaml": "config:\n  a:b: { secure: x }\n  a:c: y\n",
    });
    expect(verdicts).toEqual([{ path: "Pulumi.dev.yaml", state: "PARSED", counts: { config: 2 } }]);
    expect(modules).toEqual([]);
  });
});

describe("the detection", () => {
  const detects = (path: string, text: string): boolean => detectPulumi({ path, text });

  it("goes by the file's name, the runtime or the types of resources", () => {
    expect(detects("a/Pulumi.yaml", "")).toBe(true);
    expect(detects("Pulumi.prod.yml", "")).toBe(true);
    expect(detects("x.yaml", "name: a\nruntime: yaml\n")).toBe(true);
    expect(detects("x.yaml", "resources:\r\n  a:\r\n    type: aws:s3/bucket:Bucket\r\n")).toBe(
      true,
    );
    expect(detects("Main.json", '{"resources":{"a":{"type":"aws:s3:Bucket"}}}')).toBe(true);
    expect(detects("Main.yaml", "outputs:\n  a: 1\n")).toBe(true);
  });

  it("rejects other formats", () => {
    expect(detects("x.yaml", "apiVersion: v1\nkind: A\nresources:\n  type: a:b\n")).toBe(false);
    expect(detects("x.yaml", "Resources:\n  A:\n    Type: AWS::S3::Bucket\n")).toBe(false);
    expect(detects("x.yaml", "services:\n  a:\n    type: a:b\nresources:\n")).toBe(false);
    expect(detects("x.yaml", "resources:\n  limits:\n    cpu: 1\n")).toBe(false);
    expect(detects("x.yaml", "outputs:\n  a: 1\n")).toBe(false);
    expect(detects("x.json", '{"resources":[{"type":"Microsoft.Web/sites"}]}')).toBe(false);
    expect(detects("x.json", '{"resources":{"a":{"type":"number"}}}')).toBe(false);
    expect(detects("x.json", '{"runtime":"nodejs","resources":{"a":{"type":"t:T"}}}')).toBe(false);
    expect(detects("x.txt", "runtime: yaml\n")).toBe(false);
  });
});

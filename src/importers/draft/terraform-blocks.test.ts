import { describe, expect, it } from "vitest";
import type { MappingTable } from "#importers/mappings/type-mapping.ts";
import type { ExistingIds } from "#importers/reports/existing-ids.ts";
import type { ValueShape } from "#providers/provider.ts";
import { draftOfTable, knownType } from "#test/support/draft-of-table.ts";

const text: ValueShape = { type: "string" };
const types = {
  "aws:AWS::Fake::Box": knownType({
    properties: { Name: text, Mode: text, Password: text, Value: text },
  }),
};
const table: MappingTable = {
  provider: "fake",
  naming: "pascal",
  types: { fake_box: { type: "aws:AWS::Fake::Box" } },
};

const drafted = (source: string, existing?: ExistingIds) =>
  draftOfTable(table, types, source, existing);

const box = (settings: string, label = "a") => `resource "fake_box" "${label}" {\n${settings}\n}\n`;

describe("directives in texts", () => {
  const locals = `locals { nodes = [{ ip = "10.1.0.4", name = "n1" }, { ip = "10.1.0.5", name = "n2" }] }
variable "names" {
  type    = list(string)
  default = []
}
variable "on" { default = true }
`;

  it.for<[string, string]>([
    [
      `<<-EOT
        %{ for n in local.nodes ~}
        server \${n.name} \${n.ip}
        %{ endfor ~}
        %{ if length(local.nodes) > 1 }many%{ else }one%{ endif }
        EOT`,
      // After a strip marker, HCL takes the next line for the rest of this one, and leaves its indent.
      "        server n1 10.1.0.4\n        server n2 10.1.0.5\n        many\n",
    ],
    [
      `<<EOT
%{ for i, n in local.nodes ~}
\${i} \${n.name}
%{ endfor ~}
EOT`,
      "0 n1\n1 n2\n",
    ],
    ['"a %{~ if true ~} b %{~ endif ~} c"', "abc"],
    ['"%{ for n in local.nodes }%{ if n.name == "n2" }<${n.name}>%{ endif }%{ endfor }"', "<n2>"],
  ])("are computed where the files decide them: %s", async ([given, expected]) => {
    const { resources, gaps } = await drafted(`${locals}${box(`name = ${given}`)}`);
    expect([gaps, resources["boxA"]?.properties]).toEqual([[], { Name: expected }]);
  });

  it("become expressions where a variable decides them", async () => {
    const { resources, gaps } = await drafted(
      `${locals}${box('name = "%{ for n in var.names }<${n}>%{ endfor }"\n mode = "a%{ if var.on }b%{ endif }"')}`,
    );
    expect(gaps).toEqual([]);
    expect(resources["boxA"]?.properties).toEqual({
      Name: { "fn::join": ["", '${names.map(n, ("<" + string(n) + ">"))}'] },
      Mode: 'a${(on ? "b" : "")}',
    });
  });

  it("hide a secret inside", async () => {
    const { draft } = await drafted(
      `${locals}${box('name = "x%{ if var.on }https://u:canary@h/%{ endif }"')}`,
    );
    expect(JSON.stringify(draft)).not.toContain("canary");
  });
});

describe("an empty text", () => {
  it("is a setting that is not set, unless it is content", async () => {
    const { resources, gaps } = await drafted(box('name = ""\n value = ""'));
    expect([gaps, resources["boxA"]?.properties]).toEqual([[], { Value: "" }]);
  });

  it("is left out where it is the default of a variable, and is no secret", async () => {
    const { resources, config } = await drafted(
      `variable "name" { default = "" }\nvariable "mode" { default = "m" }\n${box(
        'name = var.name\n mode = var.mode\n value = var.name\n password = ""',
      )}`,
    );
    expect(Object.keys(config)).toEqual(["name", "mode"]);
    expect(resources["boxA"]?.properties).toEqual({
      Name: '${(name != "" ? name : omit())}',
      Mode: "${mode}",
      Value: "${name}",
    });
  });
});

describe("`import` blocks", () => {
  const source = `import {\n to = fake_box.a\n id = "box-1"\n}\n${box('name = "a"')}`;

  it("adopt the object when it is asked for", async () => {
    const { resources, gaps } = await drafted(
      source,
      new Map([["fake_box.a", { id: "box-1", names: new Map() }]]),
    );
    expect([gaps, resources["boxA"]?.options]).toEqual([[], { import: "box-1" }]);
  });

  it("are told of otherwise", async () => {
    const { resources, draft } = await drafted(source);
    expect(resources["boxA"]?.options).toBeUndefined();
    expect(draft.unsupported).toMatchObject([
      { address: "fake_box.a", path: "import", line: 1, code: "not_adopted" },
    ]);
    expect(draft).toMatchObject({ mapped: 0, partlyMapped: 1 });
  });
});

describe("`moved` blocks", () => {
  it.for<[string, string, string, string[]]>([
    ["a resource", box("", "new"), "from = fake_box.old\n to = fake_box.new", ["boxOld"]],
    ["a type's plain label", box("", "new"), "from = fake_box.this\n to = fake_box.new", ["box"]],
    [
      "one object",
      box("count = 2", "new"),
      "from = fake_box.old\n to = fake_box.new[1]",
      ["boxOld"],
    ],
    [
      "all objects",
      box("count = 2", "new"),
      "from = fake_box.old\n to = fake_box.new",
      ["boxOld2"],
    ],
    [
      "a module",
      box("", "new"),
      "from = module.net.fake_box.old\n to = fake_box.new",
      ["netBoxOld"],
    ],
  ])("make aliases: of %s", async ([, resource, move, aliases]) => {
    const { resources, gaps } = await drafted(`${resource}moved {\n${move}\n}`);
    expect(gaps).toEqual([]);
    const last = Object.values(resources).at(-1);
    expect(last?.options?.["aliases"]).toEqual(aliases);
  });

  it("follow each other", async () => {
    const { resources, gaps } = await drafted(`${box('for_each = toset(["a"])', "new")}
moved {
  from = fake_box.older
  to   = fake_box.old
}
moved {
  from = fake_box.old
  to   = fake_box.new
}
moved {
  from = fake_box.new
  to   = fake_box.new["a"]
}
moved {
  from = fake_box.new["a"]
  to   = fake_box.older["a"]
}`);
    expect(gaps).toEqual([]);
    expect(resources["boxNewA"]?.options).toEqual({
      aliases: ["boxOldA", "boxNew", "boxOlderA", "boxOld", "boxOlder"],
    });
  });

  it("of a whole module move each of its resources", async () => {
    const { resources } = await draftOfTable(table, types, {
      "main.tf":
        'module "new" {\n source = "./m"\n}\nmoved {\n from = module.old\n to = module.new\n}',
      "m/main.tf": box("", "a"),
    });
    expect(resources["newBoxA"]?.options).toEqual({ aliases: ["oldBoxA"] });
  });
});

it("lists blocks for which a draft has nothing", async () => {
  const { draft } = await drafted(`${box('name = "a"')}
removed {
  from = fake_box.old
  lifecycle { destroy = false }
}
check "health" {
  assert {
    condition     = true
    error_message = "no"
  }
}
ephemeral "random_password" "db" { length = 24 }
provider "fake" {
  region = "eu-1"
  default_tags {
    tags = { Team = "shop" }
  }
}
`);
  expect(draft.unsupported).toMatchObject([
    { address: "removed fake_box.old", file: "main.tf", line: 5 },
    { address: "check.health", line: 9 },
    { address: "ephemeral.random_password.db", line: 15 },
    { address: "provider.fake", path: "default_tags", line: 18 },
  ]);
});

it("names the source of a value that the draft lacks, also where only an output reads it", async () => {
  const { draft, outputs } = await drafted(`${box("name = data.fake_image.base.id")}
output "image" { value = data.fake_image.base.id }
output "size" { value = [data.fake_size.own.id, data.fake_image.base.id] }
`);
  const reason = "It reads `data.fake_image.base`, which the draft lacks.";
  expect(draft.unresolved).toMatchObject([{ config: "fakeImageBaseId", reason }]);
  expect(outputs).toEqual({});
  expect(draft.unsupported).toMatchObject([
    { address: "output.image", reason },
    { address: "output.size", reason: "It reads `data.fake_size.own`, which the draft lacks." },
  ]);
});

describe("ephemeral values", () => {
  it("are secrets: of variables, outputs, resources and write-only arguments", async () => {
    const { resources, config, outputs, draft } = await drafted(`
variable "boot" {
  type      = string
  ephemeral = true
  default   = "canary-1"
}
ephemeral "random_password" "db" { length = 24 }
${box('name = "a"\n password = var.boot')}
${box('name = "b"\n password_wo = ephemeral.random_password.db.result\n password_wo_version = 1', "b")}
${box('name = "c"\n value_wo = "canary-2"', "c")}
output "boot" {
  value     = var.boot
  ephemeral = true
}`);
    expect(JSON.stringify(draft)).not.toContain("canary");
    expect(resources).toMatchObject({
      boxA: { properties: { Password: "${boot}" } },
      boxB: { properties: { Password: "${randomPasswordDbResult}" } },
      boxC: { properties: { Value: "${cValue}" } },
    });
    expect(Object.values(config).every(({ secret }) => secret === true)).toBe(true);
    expect(outputs["boot"]).toEqual({ "fn::secret": "${boot}" });
    expect(draft.unsupported.map(({ address }) => address)).toEqual([
      "ephemeral.random_password.db",
    ]);
  });
});

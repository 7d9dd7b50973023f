import { describe, expect, it } from "vitest";
import { literal } from "#importers/expression.ts";
import { ImportLog } from "#importers/import-log.ts";
import { MAX_READING, workOf } from "#importers/import-work.ts";
import { parseFiles } from "#importers/parse-files.ts";
import { readImport } from "#importers/read-import.ts";
import { builtAssets } from "#test/support/built-assets.ts";
import { drafted } from "#test/support/drafted.ts";
import { processorTime } from "#test/support/processor-time.ts";

/** A queue whose name is the expression, beside further blocks. */
const queue = (name: string, more = ""): string =>
  `${more}\nresource "aws_sqs_queue" "q" {\n  name = ${name}\n}\n`;

async function nameOf(files: Readonly<Record<string, string>>) {
  const { resources } = await drafted(files);
  const made = resources["sqsQueueQ"] as { properties?: { QueueName?: unknown } } | undefined;
  return made?.properties?.QueueName;
}

async function reasons(files: Readonly<Record<string, string>>) {
  const given = Object.entries(files).map(([path, text]) => ({ path, text }));
  const log = new ImportLog();
  const { drafts } = await readImport(given, undefined, log, { adopt: false, assets: builtAssets });
  return drafts[0]?.unsupported.map(({ line, path, reason }) => [line, path, reason]);
}

describe("a call that reads a file of the import", () => {
  it.each([
    ['file("${path.module}/a.txt")', "from a"],
    ['file("a.txt")', "from a"],
    ['file("${path.root}/./b/../a.txt")', "from a"],
    ['file(format("%s/%s.txt", path.module, "a"))', "from a"],
    ['file(join("/", [path.module, "b", "c.txt"]))', "from c"],
    ['file("${local.folder}/c.txt")', "from c"],
    ['file("b/${local.names.c}.txt")', "from c"],
    ['upper(file("a.txt"))', "FROM A"],
    ['"${file("a.txt")}-x"', "from a-x"],
    ['filemd5("a.txt")', "e1723cf84a91d430956cc8f76b7ad138"],
    ['filesha256("a.txt") == sha256("from a") ? "same" : "other"', "same"],
    ['filebase64sha512("a.txt") == base64sha512(file("a.txt")) ? "same" : "other"', "same"],
    ['filebase64("a.txt")', { "fn::toBase64": "from a" }],
    ['fileexists("a.txt") ? "there" : "gone"', "there"],
    ['join("-", fileset(path.module, "{a,b/*}.txt"))', "a.txt-b/c.txt"],
    ['join("-", [for f in fileset("${path.module}/b", "*"): trimsuffix(f, ".txt")])', "c"],
    ['jsondecode(file("d.json")).name', "from d"],
    ['try(file("a.txt"), "none")', "from a"],
  ])("%s", async (written, expected) => {
    const made = await nameOf({
      "main.tf": queue(
        written,
        'locals {\n  folder = "${path.module}/b"\n  names = { c = "c" }\n}',
      ),
      "a.txt": "from a",
      "b/c.txt": "from c",
      "d.json": '{"name":"from d"}',
    });
    expect(made).toEqual(expected);
  });

  it("reads it below the folder of its module, or of the root that calls the module", async () => {
    const { resources } = await drafted({
      "live/main.tf": 'module "m" {\n  source = "../m"\n}\n',
      "m/main.tf":
        'resource "aws_sqs_queue" "a" {\n  name = file("${path.module}/x.txt")\n}\n' +
        'resource "aws_sqs_queue" "b" {\n  name = file("x.txt")\n}\n',
      "live/x.txt": "of the root",
      "m/x.txt": "of the module",
    });
    expect(Object.values(resources)).toMatchObject([
      { properties: { QueueName: "of the module" } },
      { properties: { QueueName: "of the root" } },
    ]);
  });

  it("gives each turn of a loop its own file", async () => {
    const { resources } = await drafted({
      "main.tf":
        'resource "aws_sqs_queue" "q" {\n  for_each = fileset(path.module, "names/*")\n  name = file("${path.module}/${each.value}")\n}\n',
      "names/a": "first",
      "names/b": "second",
    });
    expect(Object.values(resources)).toMatchObject([
      { properties: { QueueName: "first" } },
      { properties: { QueueName: "second" } },
    ]);
  });

  it.each([
    ['file("${path.module}/s/a.sh")', 3, "add `s/a.sh`."],
    ['templatefile("s/a.tpl", {})', 3, "add `s/a.tpl`."],
    ['"x-${file("gone.txt")}"', 3, "add `gone.txt`."],
    ['jsonencode({ a = file("gone.txt") })', 3, "add `gone.txt`."],
    ['fileexists("gone.txt") ? "a" : "b"', 3, "add `gone.txt`."],
    ['file("/etc/hosts")', 3, "or above the imported folder"],
    ['file("~/.ssh/id_rsa.pub")', 3, "or above the imported folder"],
    ['file("../x.txt")', 3, "or above the imported folder"],
    ["file(var.path)", 3, "The path of the file is computed"],
    ['file("s/${var.path}.txt")', 3, "add `s/*.txt`."],
  ])("%s without its file is a gap that says why", async (written, line, said) => {
    const made = await reasons({ "main.tf": queue(written, 'variable "path" {}') });
    expect(made).toEqual([[line, "name", expect.stringContaining(said)]]);
  });

  it("names the missing files of a loop", async () => {
    const loop = 'resource "aws_sqs_queue" "q" {\n  for_each = local.all\n  name = each.value\n}\n';
    const made = await reasons({
      "main.tf": `locals {\n  all = fileset(path.module, "names/*")\n}\n${loop}`,
    });
    expect(made?.map(([, , reason]) => reason)).toEqual([
      expect.stringContaining("add `names/*`."),
    ]);
  });

  it("chooses the file of a variable's value", async () => {
    const { resources } = await drafted({
      "main.tf": queue('file("${path.module}/${var.env}.txt")', 'variable "env" { default = "a" }'),
      "a.txt": "from a",
    });
    // Another deployment may set the variable, and the import lacks its file.
    expect(resources["sqsQueueQ"]).toEqual({ type: "aws:AWS::SQS::Queue", properties: {} });
  });

  it("chooses the file of a module's argument", async () => {
    const { resources } = await drafted({
      "main.tf": 'module "m" {\n  source = "./m"\n  env = "b"\n}\n',
      "m/main.tf": queue('file("${path.module}/${var.env}.txt")', 'variable "env" {}'),
      "m/a.txt": "from a",
      "m/b.txt": "from b",
    });
    expect(Object.values(resources)).toMatchObject([{ properties: { QueueName: "from b" } }]);
  });
});

describe("templatefile", () => {
  const filled = (template: string, vars: string) =>
    nameOf({
      "main.tf": queue(
        `templatefile("\${path.module}/x.tpl", ${vars})`,
        'variable "size" { default = "small" }\nlocals { more = { a = "local" } }',
      ),
      "x.tpl": template,
    });

  it.each([
    ["plain", "{}", "plain"],
    ["$${a} %%{ if } $a 100%", "{}", "$${a} %{ if } $a 100%"],
    ["${a}-${b.c[0]}", '{ a = 1, b = { c = ["x"] } }', "1-x"],
    ["${a}", "{ a = var.size }", "${size}"],
    ["<${a}>", "{ a = var.size }", "<${size}>"],
    ["${a}", "local.more", "local"],
    ["${a}-${b}", 'merge(local.more, { b = "x" })', "local-x"],
    ["${upper(a)}", '{ a = "x" }', "X"],
    ["%{ if on }yes%{ else }no%{ endif }", "{ on = true }", "yes"],
    [
      "a\n%{ for k, v in all ~}\n${k}=${v}\n%{ endfor ~}\nz",
      "{ all = { b = 1, c = 2 } }",
      "a\nb=1\nc=2\nz",
    ],
    ['${join(",", [for x in a : x])}', "{ a = [for x in [1, 2] : x * 2] }", "2,4"],
    ["%{ for x in a }${x}${y}%{ endfor }", '{ a = ["p", "q"], y = "-" }', "p-q-"],
    ["${jsonencode({ a = a })}", '{ a = "x" }', { "fn::toJSON": { a: "x" } }],
  ])("%s with %s", async (template, vars, expected) => {
    expect(await filled(template, vars)).toEqual(expected);
  });

  it("keeps a loop of the template apart from the loop around the call", async () => {
    const made = await nameOf({
      "main.tf": queue(
        'join(";", [for x in ["1", "2"] : templatefile("x.tpl", { outer = x, all = ["a", "b"] })])',
      ),
      "x.tpl": "%{ for x in all }${outer}${x}%{ endfor }",
    });
    expect(made).toBe("1a1b;2a2b");
  });

  it("may read another template", async () => {
    const made = await nameOf({
      "main.tf": queue('templatefile("x.tpl", { inner = templatefile("y.tpl", { a = "deep" }) })'),
      "x.tpl": "<${inner}>",
      "y.tpl": "(${a})",
    });
    expect(made).toBe("<(deep)>");
  });

  it.each([
    ["${a} ${missing}", "{ a = 1 }", "reads `missing`, and the call gives it no such value"],
    ["${a", "{ a = 1 }", "has an expression that is not read"],
    ["%{ if a }", "{ a = true }", "has an expression that is not read"],
  ])("%s with %s is a gap", async (template, vars, said) => {
    const made = await reasons({
      "main.tf": queue(`templatefile("x.tpl", ${vars})`),
      "x.tpl": template,
    });
    expect(made).toEqual([[3, "name", expect.stringContaining(said)]]);
  });

  it("ends for a template that includes itself", async () => {
    const made = await reasons({
      "main.tf": queue('templatefile("x.tpl", {})'),
      "x.tpl": '${templatefile("x.tpl", {})}${templatefile("x.tpl", {})}',
    });
    expect(made).toHaveLength(1);
  });
});

describe("a data source template_file", () => {
  const rendered = (data: string, more: Readonly<Record<string, string>> = {}) =>
    drafted({
      "main.tf": queue(
        '"<${data.template_file.t.rendered}>"',
        `variable "size" { default = "small" }\ndata "template_file" "t" {\n${data}\n}`,
      ),
      "x.tpl": "${a}-$${b}",
      ...more,
    });

  it.each([
    ['template = file("${path.module}/x.tpl")\n  vars = { a = var.size }', "<${size}-$${b}>"],
    ['template = "${file("x.tpl")}"\n  vars {\n    a = 1\n  }', "<1-$${b}>"],
    ['template = "$${a}!"\n  vars = { a = "x" }', "<x!>"],
    ['template = "plain"', "<plain>"],
  ])("is its text: %s", async (data, expected) => {
    const { resources, lost } = await rendered(data);
    expect(resources["sqsQueueQ"]).toMatchObject({ properties: { QueueName: expected } });
    expect(lost).toEqual([]);
  });

  it.each([
    'count = 2\n  template = "x"',
    'template = file("gone.tpl")',
    "template = var.size",
    'template = "${data.template_file.t.rendered}"',
  ])("is no text here: %s", async (data) => {
    const { lost, unresolved } = await rendered(data);
    expect([...(lost ?? []), ...(unresolved ?? [])]).toHaveLength(1);
  });
});

it("does not grow without end where templates name each other often", async () => {
  const template = (nth: number) => {
    const named = `\${data.template_file.t${nth + 1}.rendered}`.repeat(100);
    return `data "template_file" "t${nth}" {\n  template = "%%{ for x in a }$\${a}%%{ endfor }$\${a}"\n  vars = { a = "${named}" }\n}\n`;
  };
  const text = [0, 1, 2, 3, 4, 5].map(template).join("");
  const taken = processorTime();
  const { modules } = await parseFiles([{ path: "main.tf", text }], new ImportLog());
  expect(taken()).toBeLessThan(5_000);
  expect(JSON.stringify(modules).length).toBeLessThan(20_000_000);
});

it("does not grow without end where files name files", async () => {
  const path = `${'file("f/${'.repeat(12)}var.e${'}.txt")'.repeat(12)}`;
  const { modules } = await parseFiles(
    [
      { path: "main.tf", text: `locals {\n  a = ${path}\n}\n` },
      { path: "f/a.txt", text: "a" },
      { path: "f/b.txt", text: "b" },
    ],
    new ImportLog(),
  );
  expect(JSON.stringify(modules).length).toBeLessThan(100_000);
});

describe("the secrets of a file", () => {
  const word = "canary0f0f";
  it.each([
    ["db.txt", `password=${word}`, 'file("db.txt")'],
    ["key", `-----BEGIN PRIVATE KEY-----\n${word}\n`, 'file("key")'],
    ["secrets/db", word, 'file("secrets/db")'],
    ["db_password.txt", word, '"x-${file("db_password.txt")}"'],
    ["db_password.txt", word, 'trimspace(file("db_password.txt"))'],
    ["x.tpl", `url: postgres://app:${word}@db/shop \${a}`, 'templatefile("x.tpl", { a = 1 })'],
    ["x.tpl", `db_password=\${a}`, `templatefile("x.tpl", { a = "${word}" })`],
    ["x.tpl", "<${db_password}>", `templatefile("x.tpl", { db_password = "${word}" })`],
    [
      "x.tpl",
      "%{ for k, v in env ~}\nexport ${k}=${v}\n%{ endfor ~}",
      `templatefile("x.tpl", { env = { FOO = "${word}" } })`,
    ],
    ["d.json", `{"user":"u","password":"${word}"}`, 'jsondecode(file("d.json")).user'],
  ])("are not shown: %s, %s", async (path, text, written) => {
    const made = await drafted({
      "main.tf": queue(written, `output "o" {\n  value = ${written}\n}\n`),
      [path]: text,
    });
    expect(made.text).not.toContain(word);
    expect(made.text).not.toContain(btoa(word).slice(0, 8));
  });

  it("are not shown by a data source of a template", async () => {
    const data = `data "template_file" "t" {\n  template = "$\${token}"\n  vars = { token = "${word}" }\n}\n`;
    const { text, resources } = await drafted({
      "main.tf": queue("data.template_file.t.rendered", data),
    });
    expect(text).not.toContain(word);
    expect(Object.keys(resources)).toEqual(["sqsQueueQ"]);
  });

  it("are not shown in a setting of a secret, whatever the file", async () => {
    const { text, config } = await drafted({
      "main.tf":
        'resource "aws_db_instance" "d" {\n  username = "shop"\n  password = file("plain.txt")\n}\n',
      "plain.txt": word,
    });
    expect(text).not.toContain(word);
    expect(Object.values(config)).toContainEqual(expect.objectContaining({ secret: true }));
  });

  it("have no digest", async () => {
    const made = await drafted({
      "main.tf": queue('filemd5("token.txt")'),
      "token.txt": "1234",
    });
    expect(made.text).not.toContain("81dc9bdb52d04dc20036dbd8313ed055");
  });
});

describe("a file that others read", () => {
  const verdicts = async (files: Readonly<Record<string, string>>) => {
    const log = new ImportLog();
    const given = Object.entries(files).map(([path, text]) => ({ path, text }));
    const read = await parseFiles(given, log);
    return [
      [...read.files].map(([path, { state, format }]) => [path, state, format]),
      log.warnings().map(({ code, file }) => [code, file]),
    ];
  };

  it("counts as read, whatever its kind, and others do not", async () => {
    const made = await verdicts({
      "main.tf": queue('"${file("a.sh")}${file("bad.json")}${file("chart.yaml")}"'),
      "a.sh": "echo\n",
      "b.sh": "echo\n",
      "bad.json": '{"AWSTemplateFormatVersion": "2010-09-09", "Resources": {',
      "chart.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {{ name }}\n",
    });
    expect(made).toEqual([
      expect.arrayContaining([
        ["a.sh", "PARSED", "terraform"],
        ["b.sh", "SKIPPED", null],
        ["bad.json", "PARSED", "terraform"],
        ["chart.yaml", "PARSED", "terraform"],
      ]),
      [["unsupported_format", "b.sh"]],
    ]);
  });

  describe("costs the work of an import", () => {
    /** What the first and the last of these calls became with so many units of work. */
    const ends = async (units: number, files: Readonly<Record<string, string>>, folder: string) => {
      const log = new ImportLog();
      workOf(log).spendReading(MAX_READING - units);
      const given = Object.entries(files).map(([path, text]) => ({ path, text }));
      const { modules } = await parseFiles(given, log);
      const [all] = modules.find(({ path }) => path === folder)?.locals ?? [];
      const items = all?.value.kind === "list" ? all.value.items : [];
      return [items[0], items.at(-1)].map((one) => (one?.kind === "call" ? one.args[0] : one));
    };
    const listOf = (calls: number, call: string) =>
      `locals {\n  all = [${Array.from({ length: calls }, () => call).join(", ")}]\n}\n`;
    const tooMuch = literal("The files that the modules read are more than an import takes.");

    it("by the names that a set has", async () => {
      const files = Array.from({ length: 500 }, (_, nth) => [`x/${nth}`, "x"]);
      const text = listOf(20, 'fileset("x", "*")');
      const [first, last] = await ends(
        5_000,
        { "main.tf": text, ...Object.fromEntries(files) },
        ".",
      );
      expect(first).toHaveProperty("items.length", 500);
      expect(last).toEqual(tooMuch);
    });

    it("by the roots that run a module", async () => {
      const call = 'module "m" {\n  source = "../m"\n}\n';
      const roots = Array.from({ length: 300 }, (_, nth) => [`r${nth}/main.tf`, call]);
      const text = listOf(50, 'file("x.txt")');
      const files = { "m/main.tf": text, ...Object.fromEntries(roots) };
      const [first, last] = await ends(6_000, files, "m");
      expect(first).toEqual(literal(expect.stringContaining("`r2/x.txt` or one of 297 others")));
      expect(last).toEqual(tooMuch);
    });
  });

  it("is read as often as the work of an import allows", async () => {
    const log = new ImportLog();
    workOf(log).spendReading(MAX_READING - 2_000);
    const calls = Array.from({ length: 20 }, () => 'file("a.txt")').join(", ");
    const text = `locals {\n  all = [${calls}]\n}\n`;
    const { modules } = await parseFiles(
      [
        { path: "main.tf", text },
        { path: "a.txt", text: "x ".repeat(2_000) },
      ],
      log,
    );
    const [all] = modules[0]?.locals ?? [];
    const items = all?.value.kind === "list" ? all.value.items : [];
    expect(items.slice(0, 1)).toEqual([{ kind: "literal", value: "x ".repeat(2_000) }]);
    expect(items.at(-1)).toMatchObject({ kind: "call", name: "unread file" });
  });
});

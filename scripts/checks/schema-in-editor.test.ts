/** Tests the schema in the YAML language server that editors use. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { TextDocument } from "vscode-languageserver-textdocument";
import { getLanguageService } from "yaml-language-server";
import { templateSchema } from "#engine/template/schema/template-schema.ts";
import { mockRows } from "#providers/mock/types.ts";
import { factsOf } from "#providers/rest/rest-facts.ts";
import { projectRoot } from "../files/project-root.ts";

const facts = new Map(
  Object.entries(mockRows()).map(([type, row]) => [`mock:${type}`, factsOf(row)]),
);
const URL_OF_SCHEMA = "https://api.example/api/v1/templates/schema";
const schema = templateSchema(
  {
    facts: (type) => facts.get(type),
    types: () => [...facts.keys()],
    openProviders: new Set(),
  },
  URL_OF_SCHEMA,
);
const service = getLanguageService({
  schemaRequestService: async (uri) => {
    throw new Error(`The schema must be self-contained but refers to ${uri}`);
  },
  workspaceContext: { resolveRelativePath: (relative) => relative },
});
service.configure({
  validate: true,
  hover: true,
  completion: true,
  // A copy, because the language server replaces references in place, and parts of the schema are shared.
  schemas: [{ uri: URL_OF_SCHEMA, fileMatch: ["*"], schema: structuredClone(schema) }],
});

let opened = 0;
/** The text without its mark `¦`, and the mark's position. */
function open(text: string) {
  const document = TextDocument.create(
    `file:///template-${opened++}.yaml`,
    "yaml",
    1,
    text.replace("¦", ""),
  );
  return { document, position: document.positionAt(Math.max(0, text.indexOf("¦"))) };
}

async function problems(text: string): Promise<string[]> {
  const found = await service.doValidation(open(text).document, false);
  return found.map(
    ({ range: { start }, message }) =>
      `${start.line + 1}:${start.character + 1} ${JSON.stringify(message).slice(1, -1).replaceAll('\\"', '"')}`,
  );
}

async function suggestions(text: string): Promise<string[]> {
  const { document, position } = open(text);
  return (await service.doComplete(document, position, false)).items.map(({ label }) => label);
}

const example = readFileSync(path.join(projectRoot, "examples/three-tier.yaml"), "utf8");

it("finds no problems in the example", async () => {
  expect(await problems(example)).toEqual([]);
});

it.for([
  ["cidr: 10.20.0.0/16", "cidrr: 10.20.0.0/16", /^\d+:7 Property cidrr is not allowed/],
  ["public: true", "public: maybe", /^\d+:15 A string here must be a single expression/],
  ["ttl: 300", "ttl: [300]", /^\d+:12 Incorrect type/],
  ["name: ${webHost}", "nam: ${webHost}", /^\d+:5 Missing property "name"/],
  ["type: mock:Bucket", "type: mock:Bukket", /^\d+:11 Value is not accepted.*"mock:Bucket"/],
  ["dependsOn:", "dependOn:", /^\d+:7 Property dependOn is not allowed/],
  ["    options:", "    optoins:", /^\d+:5 Property optoins is not allowed/],
  ["type: string", "type: strin", /^\d+:11 Value is not accepted.*"string"/],
  ["minLength: 12", "minLength: twelve", /^\d+:16 Incorrect type. Expected "integer"/],
  ["minLength: 12", "minLenght: 12", /^\d+:5 Property minLenght is not allowed/],
  ["secret: true", "secret: perhaps", /^\d+:13 Incorrect type. Expected "boolean"/],
  ["outputs:", "output:", /^\d+:1 Property output is not allowed/],
  ["runtime: yaml", "runtime: nodejs", /^\d+:10 Value must be "yaml"/],
  ["  backups:", "  1backups:", /^\d+:3 A name starts with a letter/],
  ["webUrl: https://${webHost}", "webUrl: { fn::joim: [a] }", /Property fn::joim is not allowed/],
  ["webUrl: https://${webHost}", "webUrl: { fn::join: [a] }", /Array has too few items/],
  ["    type: mock:Bucket", "    type: mock:Bucket\n    when: maybe", /^\d+:11 A string here must/],
  ["    type: mock:Bucket", "    type: mock:Bucket\n    forEach: 3", /^\d+:14 Incorrect type/],
  [
    "    type: mock:Bucket",
    "    component: net\n    type: mock:Bucket",
    /^\d+:5 Property type is not/,
  ],
] as const)("marks %s when written as %s", async ([right, wrong, message]) => {
  expect(example).toContain(right);
  const found = await problems(example.replace(right, wrong));
  expect(
    found.some((text) => message.test(text)),
    found.join("\n"),
  ).toBe(true);
  // One mistake gives one mark, or two where a misspelled name is also a missing one.
  expect(found.length).toBeLessThanOrEqual(2);
});

const server = "resources:\n  a:\n    type: mock:Server\n";

it.for<[string, string[], string[]]>([
  ["¦", ["config", "variables", "resources", "outputs", "name"], ["configuration", "license"]],
  [
    "resources:\n  a:\n    ¦",
    ["type", "component", "when", "forEach", "properties", "options"],
    ["defaultProvider"],
  ],
  ["resources:\n  a:\n    component: net\n    ¦", ["version", "properties", "when"], []],
  ["resources:\n  a:\n    component: net\n    version: ¦", ["^1.2", "~1.2.3"], []],
  [`${server}    options:\n      aliases:\n        - ¦`, ["name", "address"], []],
  ["resources:\n  a:\n    type: ¦", ["mock:Network", "mock:Server", "mock:Database"], []],
  [`${server}    properties:\n      ¦`, ["name", "image", "size", "network"], ["cidr", "fn::join"]],
  [`${server}    properties:\n      name: x\n      ¦`, ["image"], ["name"]],
  [`${server}    options:\n      ¦`, ["dependsOn", "protect", "import", "aliases"], ["parent"]],
  [`${server}    options:\n      customTimeouts:\n        ¦`, ["create", "delete"], ["read"]],
  ["config:\n  a:\n    ¦", ["type", "default", "secret", "enum", "minLength"], ["not", "$comment"]],
  ["config:\n  a:\n    type: ¦", ["string", "integer", "array"], ["null"]],
  ["outputs:\n  a:\n    ¦", ["fn::join", "fn::toJSON", "fn::secret"], []],
])("suggests completions at the mark of %j", async ([text, wanted, unwanted]) => {
  const labels = await suggestions(text);
  expect(labels).toEqual(expect.arrayContaining(wanted));
  for (const label of unwanted) expect(labels).not.toContain(label);
});

it.for([
  ["reso¦urces: {}", "The resources to create"],
  [server.replace("type", "ty¦pe"), "A virtual machine of the mock cloud"],
  [`${server}    properties:\n      ima¦ge: x\n`, "The image to boot from"],
  [`${server}    options:\n      prot¦ect: true\n`, "Reject plans that delete or replace"],
  ["config:\n  a:\n    type: string\n    sec¦ret: true\n", "The value is stored encrypted"],
  ["outputs:\n  a:\n    fn::jo¦in: [a, b]\n", "Joins a list of strings"],
  [`${server}    wh¦en: true\n`, "The condition: whether this is included"],
  [`${server}    for¦Each: [a]\n`, "This is repeated for each key"],
  ["resources:\n  a:\n    comp¦onent: net\n", "The template to use as a part"],
] as const)("shows the description at the mark of %j", async ([text, explanation]) => {
  const { document, position } = open(text);
  const hover = await service.doHover(document, position);
  expect(JSON.stringify(hover?.contents)).toContain(explanation);
});

it("is found by the comment that the documentation shows", async () => {
  const page = readFileSync(path.join(projectRoot, "docs/template-language.md"), "utf8");
  const [, comment = "", shown = ""] =
    /^(# yaml-language-server: \$schema=(\S+))$/m.exec(page) ?? [];
  const asked: string[] = [];
  const editor = getLanguageService({
    schemaRequestService: async (uri) => {
      asked.push(uri);
      return JSON.stringify({ ...schema, $id: uri });
    },
    workspaceContext: { resolveRelativePath: (relative) => relative },
  });
  editor.configure({ validate: true });
  const { document } = open(`${comment}\nnmae: web\n`);
  const found = await editor.doValidation(document, false);
  expect(found.map(({ message }) => message)).toEqual([expect.stringContaining("nmae")]);
  expect(new Set(asked)).toEqual(new Set([shown]));
  expect(shown).toMatch(/\/api\/v1\/templates\/schema$/);
});

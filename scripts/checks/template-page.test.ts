/**
 * docs/template-language.md by running it: each YAML block is a template, and each row of the tables of expressions is
 * computed. The blocks under "By example" are one template that grows; each other block is a template of its own. A line
 * that ends in `# error: <code>` is refused with that code.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse as parseYaml, stringify } from "yaml";
import { Budget } from "#engine/expressions/budget.ts";
import { evaluate } from "#engine/expressions/evaluate.ts";
import type { FunctionEntry } from "#engine/expressions/function-entry.ts";
import { functions, specialFunctions } from "#engine/expressions/functions.ts";
import { parse } from "#engine/expressions/parse.ts";
import { explain } from "#engine/expressions/problem.ts";
import { checkTemplate } from "#engine/template/check.ts";
import type { ResolvedComponents } from "#engine/template/checks/check-components.ts";
import { partsOfAddress } from "#engine/template/levels/address.ts";
import { writeOut } from "#engine/template/levels/write-out.ts";
import { parseTemplate } from "#engine/template/parse.ts";
import { parseText } from "#engine/template/references.ts";
import { Report } from "#engine/template/report.ts";
import { layOut } from "#engine/template/resolve.ts";
import { reveal } from "#engine/value.ts";
import { type Json, type JsonMap, readJson } from "#platform/json.ts";
import { mockRows } from "#providers/mock/types.ts";
import { factsOf } from "#providers/rest/rest-facts.ts";
import { projectRoot } from "../files/project-root.ts";

const page = readFileSync(path.join(projectRoot, "docs/template-language.md"), "utf8");
const readme = readFileSync(path.join(projectRoot, "README.md"), "utf8");

/** The part of a page below a heading, up to the next heading that is not below it. */
function section(heading: string): string {
  const level = heading.indexOf(" ");
  const start = page.indexOf(`\n${heading}\n`);
  if (start === -1) throw new Error(`The page has no ${heading}`);
  const rest = page.slice(start + heading.length + 2);
  const end = rest.search(new RegExp(`^#{1,${level}} `, "m"));
  return end === -1 ? rest : rest.slice(0, end);
}

function blocks(text: string): string[] {
  return Array.from(text.matchAll(/^```yaml\n(.*?)^```$/gms), ([, block = ""]) => block);
}

/** The component that the page uses. */
const network = parseTemplate(
  readFileSync(path.join(projectRoot, "examples/network-component.yaml"), "utf8"),
).template;
if (network === undefined) throw new Error("The component cannot be read");
const components: ResolvedComponents = {
  pins: { "standard-network@^1.2": "standard-network 1.2.0" },
  library: { "standard-network 1.2.0": { template: network, pins: {} } },
  problems: {},
};

const facts = new Map(
  Object.entries(mockRows()).map(([type, row]) => [`mock:${type}`, factsOf(row)]),
);
const catalog = {
  facts: (type: string) => facts.get(type),
  types: () => [...facts.keys()],
  openProviders: new Set<string>(),
};

/** The findings of a template, each as `line: code`. */
function findings(source: string): string[] {
  const { template, diagnostics } = parseTemplate(source);
  const all =
    template === undefined
      ? diagnostics
      : [...diagnostics, ...checkTemplate(template, catalog, components)];
  return all.map(({ line, code }) => `${line}: ${code}`);
}

/** The errors that comments of the source announce. */
function announced(source: string): string[] {
  return source.split("\n").flatMap((line, index) => {
    const code = /# error: (\w+)$/.exec(line)?.[1];
    return code === undefined ? [] : [`${index + 1}: ${code}`];
  });
}

const growing = blocks(section("## By example"));

describe("a block of YAML on the page", () => {
  it("is found", () => {
    expect(growing.length).toBeGreaterThan(4);
  });

  it("is a step of one template that grows without a finding", () => {
    const whole: JsonMap = {};
    for (const block of growing) {
      for (const [part, names] of Object.entries(parseYaml(block) as JsonMap))
        whole[part] =
          typeof names === "object"
            ? { ...(whole[part] as JsonMap), ...(names as JsonMap) }
            : names;
      expect(findings(stringify(whole))).toEqual([]);
    }
  });

  it.each(blocks(page).filter((block) => !growing.includes(block)))(
    "is a template with no other findings than its comments announce: %s",
    (block) => {
      const ignored = /: unused_(config|variable)$/;
      expect(findings(block).filter((one) => !ignored.test(one))).toEqual(announced(block));
    },
  );
});

it.each(blocks(readme))("a template in README is right: %s", (block) => {
  expect(findings(block)).toEqual([]);
});

/** The rows of the tables in a part of the page, with the code in each cell. */
function rows(text: string): string[][] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) =>
      line
        .slice(1, -1)
        .replaceAll("\\|", "\u0000")
        .split("|")
        .map((cell) => cell.trim().replaceAll("\u0000", "|")),
    );
}

function codeIn(cell = ""): string {
  return /^(`+) ?(.*?) ?\1$/.exec(cell)?.[2] ?? cell;
}

const names: JsonMap = {
  zones: { a: { size: 10 }, b: { size: 20 } },
  tags: ["web", "app"],
  environment: "prod",
  count: 3,
};

/** What an expression gives, as JSON. */
function valueOf(text: string): unknown {
  const parsed = parse(text);
  if (parsed.kind === "problem") throw new Error(explain(parsed.problem).message);
  const scope = {
    lookup: (name: string) =>
      Object.hasOwn(names, name)
        ? ({ kind: "value", value: names[name] ?? null } as const)
        : ({ kind: "unknown name" } as const),
    names: () => Object.keys(names),
  };
  const evaluated = evaluate(parsed.node, scope, new Budget());
  if (evaluated.kind === "problem")
    throw new Error(`${text}: ${explain(evaluated.problem).message}`);
  return evaluated.kind === "value" ? reveal(evaluated.value) : "(left out)";
}

/** How a function is written: `text.replace(from, to, most?)`. */
function spelling({ name, style, parameters }: FunctionEntry): string {
  const given = parameters.map((one) => `${one.name}${one.optional === true ? "?" : ""}`);
  const [receiver, ...rest] = given;
  return style === "function"
    ? `${name}(${given.join(", ")})`
    : `${receiver}.${name}(${rest.join(", ")})`;
}

describe("the tables of expressions", () => {
  const table = rows(section("### Functions"));

  it("have each function of the language, as it describes itself", () => {
    const described = functions.map((entry) => [spelling(entry), entry.description]);
    expect(table.map(([written, says = ""]) => [codeIn(written), says])).toEqual(described);
  });

  it("have each function that takes or gives an optional", () => {
    const written = rows(section("### Parts that may be missing")).map(([first]) => codeIn(first));
    for (const { name } of specialFunctions)
      expect(written.join(" ")).toMatch(new RegExp(`\\b${name.replace(".", "\\.")}\\(`));
  });

  it("name the functions that take a sealed value as a whole", () => {
    const [, listed = ""] = /Functions that take one: (.*?`)\./.exec(page) ?? [];
    const passed = functions.filter(({ sealed }) => sealed === "passed").map(({ name }) => name);
    expect(Array.from(listed.matchAll(/`([\w.]+)`/g), ([, name]) => name)).toEqual(passed);
  });

  const computed = ["### Operators", "### Functions", "### Loops inside an expression"]
    .concat("### Parts that may be missing")
    .flatMap((heading) => rows(section(heading)).map((cells) => cells.slice(-2)));

  it.each(computed)("%s gives %s", (written, gives) => {
    const value = valueOf(codeIn(written));
    expect(value).toEqual(gives === "(left out)" ? gives : readJson(codeIn(gives)));
  });
});

it("has only expressions that can be read", () => {
  const readable = page.slice(0, page.indexOf("## Pulumi features"));
  const written = Array.from(readable.matchAll(/(?<!`)`([^`\n…]*\$\{[^`\n…]*\})[^`\n…]*`/g));
  expect(written.length).toBeGreaterThan(40);
  const place = { path: "", line: 1, column: 1 };
  for (const [, text = ""] of written) {
    const report = new Report();
    parseText(text, place, undefined, report);
    expect([text, report.diagnostics]).toEqual([text, []]);
  }
});

describe("the table of aliases", () => {
  const control = {
    instance: { id: "i", name: "shop" },
    tenant: { id: "t", slug: "acme" },
    target: { name: "main", region: "eu-1", environment: "production" },
  };
  /** The former addresses of each resource of a template that has the address, in loops with one more key. */
  function formerAddresses(address: string, alias: Json): Record<string, readonly string[]> {
    const [outer, inner] = partsOfAddress(address) ?? [];
    if (outer === undefined) throw new Error(`${address} is not an address`);
    const declared = (kind: JsonMap, { name, key }: { name: string; key?: string }) => ({
      [name]: { ...kind, ...(key === undefined ? {} : { forEach: [key, "more"] }) },
    });
    const server = { type: "mock:Server", properties: { name: "x" } };
    const source = declared(
      { ...(inner === undefined ? server : { component: "part" }), options: { aliases: [alias] } },
      outer,
    );
    const read = (resources: JsonMap) => {
      const { template, diagnostics } = parseTemplate(stringify({ resources }));
      if (template === undefined) throw new Error(JSON.stringify(diagnostics));
      return template;
    };
    const library =
      inner === undefined ? {} : { part: { template: read(declared(server, inner)), pins: {} } };
    const root = read(source);
    const levels = layOut(root, { config: {}, control }, { pins: { "part@*": "part" }, library });
    const { resources } = writeOut(levels.root, levels.layout).template;
    return Object.fromEntries(
      Object.entries(resources).map(([name, { options }]) => [name, options.aliases]),
    );
  }

  it.each(rows(section("### Aliases")).map((cells) => cells.map(codeIn)))(
    "moves %s to %s by %s, and to no other one",
    (from = "", to = "", written = "") => {
      const former = formerAddresses(to, parseYaml(written) as Json);
      const takers = Object.keys(former).filter((name) => former[name]?.includes(from));
      expect(takers).toEqual([to]);
    },
  );
});

/** Random modules in which a secret takes any way to a secret setting. No part of an import may show it. */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { builtAssets } from "#test/support/built-assets.ts";
import { countFor, testSeed } from "#test/support/depth.ts";
import { ImportLog } from "./import-log.ts";
import { readImport } from "./read-import.ts";

const CANARY = '"canary-of-the-source"';

/** Writes a project by a list of choices, so that a failing one shrinks to few. */
class Project {
  readonly #choices: readonly number[];
  #at = 0;
  #names = 0;
  /** The texts of the root and of the modules that it calls. */
  readonly files = new Map<string, string[]>([["main.tf", []]]);
  /** Names whose whole value is the secret, or has it as a part. */
  readonly #tainted: string[] = [];

  constructor(choices: readonly number[]) {
    this.#choices = choices;
  }

  #pick<One>(from: readonly One[]): One {
    const choice = this.#choices[this.#at] ?? 0;
    this.#at += 1;
    return from[choice % from.length] as One;
  }

  #name(): string {
    this.#names += 1;
    return `n${this.#names}`;
  }

  #write(text: string, file = "main.tf"): void {
    const texts = this.files.get(file) ?? [];
    texts.push(text);
    this.files.set(file, texts);
  }

  #local(value: string): string {
    const name = this.#name();
    this.#write(`locals {\n  ${name} = ${value}\n}`);
    this.#tainted.push(`local.${name}`);
    return `local.${name}`;
  }

  #variable(): string {
    const name = this.#name();
    this.#write(`variable "${name}" {\n  default = ${CANARY}\n}`);
    this.#tainted.push(`var.${name}`);
    return `var.${name}`;
  }

  #output(): string {
    const name = this.#name();
    this.#write(`module "${name}" {\n  source = "./${name}"\n}`);
    const path = `${name}/main.tf`;
    this.#write(`locals {\n  inner = ${CANARY}\n}\noutput "out" {\n  value = local.inner\n}`, path);
    this.#tainted.push(`module.${name}.out`);
    return `module.${name}.out`;
  }

  /** An expression whose value is the secret, or its readable form. */
  secret(depth = 0): string {
    if (depth > 4) return this.#pick([() => this.#local(CANARY), () => this.#variable()])();
    const inner = (): string => this.secret(depth + 1);
    return this.#pick<() => string>([
      () => this.#local(CANARY),
      () => this.#variable(),
      () => this.#output(),
      () => this.#local(inner()),
      () => `${this.#local(`{ w = ${inner()}, kind = "plain" }`)}.w`,
      () => `${this.#local(`[${inner()}, "plain"]`)}[0]`,
      () => `lookup(${this.#local(`{ w = ${inner()} }`)}, "w", "")`,
      () => `values(${this.#local(`{ w = ${inner()} }`)})[0]`,
      () => `merge(${this.#local(`{ w = ${inner()} }`)}, {})["w"]`,
      () => `concat(${this.#local(`[${inner()}]`)}, [])[0]`,
      () => `element(${this.#local(`[${inner()}]`)}, 0)`,
      () => `one(${this.#local(`[${inner()}]`)})`,
      () => `one(${this.#local(`[{ w = ${inner()} }]`)}[*].w)`,
      () => `[for one in ${this.#local(`[${inner()}]`)} : one][0]`,
      () => `{ for key, one in ${this.#local(`{ a = ${inner()} }`)} : key => one }["a"]`,
      () => `(var.on ? ${inner()} : ${inner()})`,
      () => `coalesce("", ${inner()})`,
      () => `try(${inner()}, "")`,
      () => `trimspace(${inner()})`,
      () => `upper(${inner()})`,
      () => `base64encode(${inner()})`,
      () => `jsondecode(jsonencode({ w = ${inner()} })).w`,
      () => `"\${${inner()}}"`,
      () => `split(",", ${inner()})[0]`,
      () => `replace(${inner()}, ",", ".")`,
      () => `substr(${inner()}, 0, 99)`,
      () => `trimprefix(${inner()}, "x")`,
      () => `regex("^(.*)$", ${inner()})[0]`,
      () => `reverse(sort(${this.#local(`[${inner()}, "plain"]`)}))[0]`,
      () => `slice(distinct(${this.#local(`[${inner()}]`)}), 0, 1)[0]`,
      () => `flatten([[${inner()}], ["plain"]])[0]`,
      () => `zipmap(["a"], ${this.#local(`[${inner()}]`)})["a"]`,
      () => `tolist(toset(${this.#local(`[${inner()}]`)}))[0]`,
      () => `${this.#local(`{ for key, one in { a = ${inner()} } : key => { w = one } }`)}["a"].w`,
      () => `${this.#local(`flatten([for one in [${inner()}] : [{ w = one }]])`)}[0].w`,
    ])();
  }

  /** A setting that takes the secret. */
  sink(): void {
    const name = this.#name();
    const secret = this.secret();
    const resource = (settings: string): string =>
      `resource "aws_db_instance" "${name}" {\n  ${settings}\n}`;
    this.#write(
      this.#pick<() => string>([
        () => resource(`password = ${secret}`),
        () => resource(`environment = { DB_PASSWORD = ${secret} }`),
        () => resource(`settings = [{ name = "API_KEY", value = ${secret} }]`),
        () => resource(`for_each = { a = ${secret} }\n  password = each.value`),
        () => resource(`for_each = { a = { w = ${secret} } }\n  password = each.value.w`),
        () =>
          resource(
            `dynamic "user" {\n    for_each = [${secret}]\n    content {\n      password = user.value\n    }\n  }`,
          ),
        () => `provider "postgresql" {\n  password = ${secret}\n}`,
        () => `output "${name}" {\n  sensitive = true\n  value = ${secret}\n}`,
        () => {
          this.#write(
            'variable "arg" {}\nresource "aws_db_instance" "inner" {\n  password = var.arg\n}',
            `${name}/main.tf`,
          );
          return `module "${name}" {\n  source = "./${name}"\n  arg = ${secret}\n}`;
        },
        () => resource(`url = "https://someone:\${${secret}}@host.example"`),
        () => resource(`user_data = "export DB_PASSWORD=\${${secret}}"`),
      ])(),
    );
  }

  /** Other readers of the names that have the secret. */
  readers(): void {
    for (const name of this.#tainted) {
      this.#write(`output "shows_${this.#name()}" {\n  value = ${name}\n}`);
      this.#write(
        `resource "aws_sqs_queue" "${this.#name()}" {\n  name = ${name}\n  tags = { shown = ${name} }\n}`,
      );
    }
    this.#write('variable "on" {\n  default = true\n}');
    this.#write(
      'locals {\n  plain = "kept-here"\n}\nresource "aws_sqs_queue" "plain" {\n  name = local.plain\n}',
    );
  }
}

it("shows no secret, whatever way it takes to a secret setting", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat({ max: 1_000 }), { minLength: 1, maxLength: 40 }),
      async (choices) => {
        const project = new Project(choices);
        project.sink();
        project.readers();
        const log = new ImportLog();
        const files = [...project.files].map(([path, texts]) => ({
          path,
          text: texts.join("\n"),
          format: undefined,
        }));
        const reading = await readImport(files, undefined, log, {
          adopt: false,
          assets: builtAssets,
        });
        const shown = JSON.stringify([reading, log.warnings()]);
        expect(reading.drafts[0]?.source).toContain("kept-here");
        const all = files.map(({ path, text }) => `# ${path}\n${text}`).join("\n");
        expect(
          /canary/i.test(shown) || shown.includes(btoa("canary-of-the-source")),
          `${all}\n${reading.drafts.map(({ source }) => source).join("\n")}`,
        ).toBe(false);
      },
    ),
    { seed: testSeed, numRuns: countFor({ ordinary: 100, deep: 3_000 }) },
  );
}, 120_000);

import { partsOf } from "#engine/template/expressions-in.ts";
import { quoted, type Report } from "#engine/template/report.ts";
import type { Template } from "#engine/template/template.ts";
import { schemaProblems, valueProblems } from "#engine/template/value-schema.ts";
import { WorkBudget } from "#engine/template/work-budget.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,62}$/;
// oxlint-disable-next-line no-control-regex -- the pattern rejects control characters
const OUTPUT_NAME = /^[^\u0000-\u001f\u007f]{1,128}$/u;
const RESERVED = new Set(["control", "pulumi"]);

/** Reports names that are malformed, reserved or used twice. */
export function checkNames(template: Template, report: Report): void {
  const { config, variables, resources, components, outputs } = template;
  const hasLoop = Object.values(partsOf(template)).some(({ forEach }) => forEach !== undefined);
  const taken = new Map<string, string>();
  const sections = {
    "config value": config,
    variable: variables,
    resource: resources,
    component: components,
  };
  for (const [kind, section] of Object.entries(sections)) {
    for (const [name, { place }] of Object.entries(section)) {
      if (!NAME.test(name))
        report.error(
          "invalid_name",
          `${quoted(name)} is not a valid name for a ${kind}.`,
          place,
          "Start with a letter or `_`, continue with letters, digits, `_` or `-`, and use at most 63 characters.",
        );
      // The parser of request bodies drops a member of this name, so no request could set it.
      else if (
        RESERVED.has(name) ||
        (section === config && name === "__proto__") ||
        (name === "each" && hasLoop)
      )
        report.error(
          "reserved_name",
          `The name ${quoted(name)} is reserved.`,
          place,
          "Choose another name.",
        );
      const other = taken.get(name);
      if (other === undefined) taken.set(name, kind);
      else
        report.error(
          "name_collision",
          `The ${kind} ${quoted(name)} has the same name as a ${other}, so a reference is ambiguous.`,
          place,
          "Rename one of the two.",
        );
    }
  }
  for (const [name, { place }] of Object.entries(outputs))
    if (!OUTPUT_NAME.test(name))
      report.error(
        "invalid_name",
        `${quoted(name)} is not a valid name for an output.`,
        place,
        "Use 1 to 128 characters and no control characters.",
      );
}

/** Reports defaults that do not match their schemas. */
export function checkDefaults(template: Template, report: Report): void {
  const [schemas, values] = [new WorkBudget(), new WorkBudget()];
  for (const [name, declaration] of Object.entries(template.config)) {
    if (declaration.default === undefined) continue;
    if (schemaProblems(declaration.schema, schemas).length > 0) continue;
    const problems = valueProblems(declaration.schema, declaration.default, values);
    for (const { pointer, message, hint } of problems)
      report.error(
        "invalid_default",
        `The default of ${quoted(name)}${pointer === "" ? "" : ` at ${quoted(pointer)}`} does not match its schema: ${message}`,
        declaration.place,
        hint,
      );
  }
}

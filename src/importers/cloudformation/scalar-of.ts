import { type Expression, literal } from "#importers/expression.ts";
import { hidden, holdsSecret, isSecretSetting, withoutLiterals } from "#importers/hidden-values.ts";
import { flatText } from "#importers/text/joined-text.ts";
import { withDynamicReferences } from "./dynamic-references.ts";

/** The expression of a scalar that no function computes. `name`: the name of its setting. */
export function scalarOf(
  value: string | number | boolean | null,
  line: number,
  name: string,
): Expression {
  if (typeof value === "boolean" || value === null) return literal(value);
  if (typeof value === "string" && value.includes("{{resolve:")) {
    const made = withDynamicReferences(literal(value), line);
    if (made.kind === "call") return made;
    if (made.kind === "text")
      return isSecretSetting(name) ? withoutLiterals(made, line) : flatText(made.parts, line);
  }
  const isHidden =
    isSecretSetting(name) ||
    (typeof value === "string" && (holdsSecret(value) || isTemplateWithSecret(name, value)));
  return isHidden ? hidden(line) : literal(value);
}

/** Whether a template in a text gives a parameter that nobody may see a default. */
function isTemplateWithSecret(name: string, text: string): boolean {
  if (name !== "TemplateBody") return false;
  return /\bNoEcho["']?\s*:\s*["']?(?:true|yes|on)\b/i.test(text) && /\bDefault\b/.test(text);
}

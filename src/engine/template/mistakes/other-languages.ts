import { expressionsInTemplate } from "#engine/template/expressions-in.ts";
import { quoted, type Report } from "#engine/template/report.ts";
import type { Expression, Place, Template } from "#engine/template/template.ts";

const COMMENT = /^(?:#|\/\/|\/\*|\*)/;
const HCL_BLOCK =
  /^(?:resource|data|variable|output|module|provider|locals|terraform|moved|import|check)\b[^:]*\{/;

/** Reports a source that is HCL, the language of Terraform and OpenTofu. True if it is. */
export function reportHcl(source: string, report: Report): boolean {
  let line = 0;
  for (let at = 0; at < source.length;) {
    line += 1;
    const end = source.indexOf("\n", at);
    // A block's first line is short; a longer one need not be read whole.
    const text = source.slice(at, Math.min(end === -1 ? source.length : end, at + 300)).trim();
    if (text !== "" && !COMMENT.test(text)) {
      if (!HCL_BLOCK.test(text)) return false;
      report.error(
        "other_language",
        "This is HCL, the language of Terraform and OpenTofu; templates are YAML.",
        { path: "", line, column: 1 },
        "Write `resources: { <name>: { type: …, properties: … } }`.",
      );
      return true;
    }
    if (end === -1) return false;
    at = end + 1;
  }
  return false;
}

const BRACES =
  /\{\{\s{0,8}\.?([A-Za-z_][A-Za-z0-9_-]{0,62})((?:\.[A-Za-z0-9_-]{1,62}){0,8})\s{0,8}\}\}/g;
const DOLLAR = /\$(?:\(([A-Za-z_][A-Za-z0-9_-]{0,62})\)|([A-Za-z_][A-Za-z0-9_-]{0,62}))/g;

/**
 * The correction for the first text that names a declared value in another language's form; undefined: there is none.
 */
function foreignReference(
  text: string,
  isDeclared: (name: string) => boolean,
): { written: string; meant: string } | undefined {
  for (const [written, first = "", rest = ""] of text.matchAll(BRACES)) {
    // `{{ var.region }}`, `{{ .Values.region }}`: the name comes second.
    const [, second = "", ...more] = rest.split(".");
    if (isDeclared(first)) return { written, meant: `\${${first}${rest}}` };
    if (isDeclared(second)) return { written, meant: `\${${[second, ...more].join(".")}}` };
    if (written === text.trim()) return { written, meant: `\${${first}${rest}}` };
  }
  for (const [written, inParentheses, bare] of text.matchAll(DOLLAR)) {
    const name = inParentheses ?? bare ?? "";
    if (isDeclared(name)) return { written, meant: `\${${name}}` };
  }
  return undefined;
}

/** Warns of texts such as `{{ region }}` and `$region`, which templates take literally. */
export function reportForeignReferences(
  template: Template,
  isDeclared: (name: string) => boolean,
  report: Report,
): void {
  for (const expression of expressionsInTemplate(template))
    for (const text of textsOf(expression)) warn(text, expression.place, isDeclared, report);
}

/** The literal texts of an expression, between its references. */
function textsOf(expression: Expression): string[] {
  if (expression.kind === "interpolation")
    return expression.parts.filter((part) => typeof part === "string");
  if (expression.kind === "literal" && typeof expression.value === "string")
    return [expression.value];
  return [];
}

function warn(
  text: string,
  place: Place,
  isDeclared: (name: string) => boolean,
  report: Report,
): void {
  const found = foreignReference(text, isDeclared);
  if (found === undefined) return;
  report.warning(
    "other_language",
    `${quoted(found.written)} is taken literally: templates refer to values with \`\${…}\`.`,
    place,
    `Write \`${found.meant}\`.`,
  );
}

/** The correction for the text between `{{` and `}}`, unquoted in a template; undefined: it is no name. */
export function meantByBraces(text: string): string | undefined {
  const [found] = text.matchAll(BRACES);
  return found === undefined ? undefined : `"\${${found[1]}${found[2]}}"`;
}

/** What becomes of a syntax node: left out with all below it, only itself left out, or kept without or with what is below. */
export type Treatment = "skip" | "pass" | "leaf" | "keep";

/** A node of the library that stands for text it could not read. */
export const ERROR_KIND = "ERROR";
export const ERROR_TYPE_ID = 65_535;

const leaves = new Set([
  "numeric_lit",
  "bool_lit",
  "null_lit",
  "string_lit",
  "identifier",
  "variable_expr",
  "get_attr",
  "legacy_index",
  "ellipsis",
  "strip_marker",
  "heredoc_identifier",
]);

const kept = new Set([
  "body",
  "attribute",
  "block",
  "expression",
  "tuple",
  "object",
  "object_elem",
  "new_index",
  "attr_splat",
  "full_splat",
  "for_tuple_expr",
  "for_object_expr",
  "for_intro",
  "function_call",
  "conditional",
  "unary_operation",
  "binary_operation",
  "quoted_template",
  "heredoc_template",
  "template_interpolation",
  "template_directive",
  "template_for_start",
]);

const passed = new Set([
  "config_file",
  "literal_value",
  "collection_value",
  "operation",
  "for_expr",
  "for_cond",
  "index",
  "splat",
  "template_expr",
  "function_arguments",
  "template_for",
  "template_for_end",
  "template_if",
  "template_if_intro",
  "template_else_intro",
  "template_if_end",
]);

/** The treatment of the nodes of this name in the grammar. */
export function treatmentOf(name: string): Treatment {
  if (leaves.has(name)) return "leaf";
  if (kept.has(name)) return "keep";
  return passed.has(name) ? "pass" : "skip";
}

const missing: ReadonlyMap<string, string> = new Map([
  ["block_start", "`{`"],
  ["block_end", "`}`"],
  ["object_start", "`{`"],
  ["object_end", "`}`"],
  ["tuple_start", "`[`"],
  ["tuple_end", "`]`"],
  ["quoted_template_start", "a quote"],
  ["quoted_template_end", "the closing quote"],
  ["template_interpolation_end", "`}`"],
  ["template_directive_end", "`}`"],
  ["heredoc_identifier", "the end of the heredoc"],
  ["identifier", "a name"],
]);

/** What is missing where the library assumed a token of this name. */
export function missingToken(name: string): string {
  return missing.get(name) ?? (/^[^a-z\s`]{1,3}$/.test(name) ? `\`${name}\`` : "something");
}

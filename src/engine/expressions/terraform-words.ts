/** Words of Terraform that expressions lack, with the form that means the same here. */

const functionForms = new Map<string, readonly string[]>([
  ["base64decode", ["base64.decode(text)"]],
  ["base64encode", ["base64.encode(text)"]],
  ["can", ["has(value.member)"]],
  ["coalesce", ['a != null && a != "" ? a : b']],
  ["concat", ["a + b"]],
  ["contains", ["item in list", "text.contains(part)"]],
  ["element", ["list[index]"]],
  ["format", ['"%s-%d".format([text, number])']],
  ["join", ['list.join(",")']],
  ["jsondecode", ["json.decode(text)"]],
  ["jsonencode", ["json.encode(value)"]],
  ["length", ["value.size()"]],
  ["lookup", ['map[?key].orValue("other")']],
  ["lower", ["text.lowerAscii()"]],
  ["max", ["a > b ? a : b", "list.sort().reverse()[0]"]],
  ["min", ["a < b ? a : b", "list.sort()[0]"]],
  ["not", ["!condition"]],
  ["range", ["lists.range(count)"]],
  ["sensitive", ["secret(value)"]],
  ["tobool", ["bool(value)"]],
  ["tonumber", ["int(text)", "double(text)"]],
  ["toset", ["list.distinct()"]],
  ["tostring", ["string(value)"]],
  ["trimspace", ["text.trim()"]],
  ["try", ['a.?b.orValue("other")']],
  ["upper", ["text.upperAscii()"]],
  ["zipmap", ["keys.transformMapEntry(i, key, {key: values[i]})"]],
]);

const NO_FILES = "A template reads no files: write the text here, or declare a config value.";
const NO_CHANCE =
  "Each plan needs the same value: declare a config value, or read an output of a resource.";
const PATTERN = "`text.matches(pattern)` tests a text; `split` and `substring` take its parts.";

const functionHints = new Map([
  ["file", NO_FILES],
  ["filebase64", NO_FILES],
  ["fileexists", NO_FILES],
  ["fileset", NO_FILES],
  ["templatefile", NO_FILES],
  ["timestamp", NO_CHANCE],
  ["plantimestamp", NO_CHANCE],
  ["uuid", NO_CHANCE],
  ["regex", PATTERN],
  ["regexall", PATTERN],
]);

const FOR =
  "Write `list.map(x, x.id)`, `map.transformMap(key, x, x.id)`, or for keys of your own `list.transformMapEntry(i, x, {x.name: x.id})`.";
const SPLAT = "Write `list.map(x, x.id)`, or over a loop `node.transformList(key, x, x.id)`.";
const CHOICE = "Write `condition ? a : b`.";

/** By the word that cannot be read, by the one before it with a blank, or by both. */
const syntaxHints = new Map([
  ["and", "Write `a && b`."],
  ["or", "Write `a || b`."],
  ["not ", "Write `!a`."],
  ["not", "Write `!(item in list)`."],
  ["if ", CHOICE],
  ["if", CHOICE],
  ["for ", FOR],
  ["[ *", SPLAT],
  [". *", SPLAT],
  ["? ?", 'Write `a.?b.orValue("other")` for a member that may be missing.'],
  ["? .", 'Write `a.?b.orValue("other")`.'],
]);

const nameHints = new Map([
  ["true", "Write `true` without `${}`."],
  ["false", "Write `false` without `${}`."],
  ["null", "Write `null` without `${}`."],
  ["var", "Declare it under `config` and write its name alone: `${name}`."],
  ["local", "Declare it under `variables` and write its name alone: `${name}`."],
  ["count", "A loop is `forEach`; inside it, write `${each.key}`."],
  ["data", "Read the object by a resource with `get`, and write that resource's name."],
  ["module", "Write the component's name alone: `${network.id}`."],
  ["terraform", "Write `${control.instance.name}` for the workspace."],
]);

/** The hint for a function that the language lacks, or has as a method alone. */
export function hintForFunction(name: string): string | undefined {
  const forms = functionForms.get(name);
  if (forms === undefined) return functionHints.get(name);
  return `Write ${forms.map((form) => `\`${form}\``).join(" or ")}.`;
}

/** The hint for a word that cannot be read after the one before it. */
export function hintForSyntax(before: string, found: string): string | undefined {
  return (
    syntaxHints.get(`${before} ${found}`) ?? syntaxHints.get(found) ?? syntaxHints.get(`${before} `)
  );
}

/** The hint for a name that a template does not declare, and Terraform has before a dot. */
export function hintForName(name: string): string | undefined {
  return nameHints.get(name);
}

import { own } from "#engine/template/own.ts";

const LOOP = "A loop is `forEach`, over a map or a list of unique texts.";
const CONDITION = "A condition is `when`.";

/** By the key in lower case without `_` and `-`. */
const hints: { readonly [key: string]: string } = {
  count: `${LOOP} A property of this name belongs under \`properties\`.`,
  foreach: LOOP,
  condition: CONDITION,
  if: CONDITION,
  when: CONDITION,
  lifecycle:
    "Write `protect`, `deleteBeforeReplace`, `ignoreChanges` and `replaceOnChanges` under `options`.",
};

/**
 * The correction for a resource's key that belongs to another language, or is an option in another place or spelling;
 * undefined: it is neither.
 */
export function foreignKeyHint(key: string, options: readonly string[]): string | undefined {
  const plain = key.replaceAll(/[_-]/g, "").toLowerCase();
  const option = options.find((name) => name.toLowerCase() === plain);
  if (option === undefined) return own(hints, plain);
  const written = option === "dependsOn" ? 'dependsOn: ["${<name>}"]' : option;
  return `Write \`${written}\` under \`options\`.`;
}

import { own } from "#engine/template/own.ts";

const LOOPS = "There are no loops: write out each resource under a name of its own.";
const CONDITIONS =
  "There are no conditions: put the resource into a template of its own, and make an instance of that where it is needed.";

/** By the key in lower case without `_` and `-`. */
const hints: { readonly [key: string]: string } = {
  count: `${LOOPS} A property of this name belongs under \`properties\`.`,
  foreach: LOOPS,
  condition: CONDITIONS,
  if: CONDITIONS,
  when: CONDITIONS,
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

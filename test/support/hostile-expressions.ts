/** Expressions within the limit of length, built to be slow, with their outcome. */
import type { Scope } from "#engine/expressions/scope.ts";
import { unknown, type Value } from "#engine/value.ts";

const items = Array.from({ length: 500 }, (_, index) => ({ id: `item-${index}`, size: index }));
const empties = Array.from({ length: 300_000 }, (): Value => []);
const values: { readonly [name: string]: Value } = {
  list: items,
  texts: items.map(({ id }) => id),
  long: "x".repeat(1_000_000),
  wide: "é😀".repeat(200_000),
  empties,
  json: JSON.stringify(empties),
  many: Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, index])),
  open: unknown,
};

export const hostileScope: Scope = {
  lookup: (name) => {
    const value = values[name];
    return value === undefined ? { kind: "unknown name" } : { kind: "value", value };
  },
  names: () => Object.keys(values),
};

/** `cel.bind` of a name to a value made from the former one, again and again. */
function bound(
  count: number,
  first: string,
  next: (last: string) => string,
  body: (last: string) => string,
): string {
  const bindings = Array.from(
    { length: count },
    (_, index) => `cel.bind(z${index}, ${index === 0 ? first : next(`z${index - 1}`)}, `,
  );
  return `${bindings.join("")}${body(`z${count - 1}`)}${")".repeat(count)}`;
}

const work = "too_much_work";
const large = "value_too_large";
const deep = "expression_too_deep";

export const hostileExpressions: readonly [name: string, text: string, outcome: string][] = [
  ["loops in loops", "list.map(a, list.map(b, list.map(c, [a, b, c])))", work],
  ["loops that make empty lists", "list.map(a, list.map(b, list.map(c, [])))", work],
  ["loops that make maps", "list.map(a, list.map(b, {a.id: b.id, b.id + 'x': a.id}))", work],
  [
    "loops that make entries",
    "list.map(a, list.transformMapEntry(i, b, {a.id + b.id: b.id, string(i): a}))",
    work,
  ],
  [
    "entries that a loop absorbs",
    "cel.bind(m, list.transformMapEntry(i, b, {b.id: b}), list.exists(a, list.exists(b, [1, 2].transformMapEntry(i, c, m) == {})))",
    work,
  ],
  [
    "failures that a loop absorbs",
    "list.exists(a, list.exists(b, list.exists(c, c.z == 1)))",
    work,
  ],
  ["unknown conditions in loops", "list.map(a, list.map(b, open ? [a, b] : [b, a]))", work],
  ["long texts in a loop", "list.map(a, long + a.id)", work],
  [
    "a doubled list",
    bound(
      60,
      "[1]",
      (z) => `[${z}, ${z}]`,
      (z) => `size(${z})`,
    ),
    large,
  ],
  [
    "a list joined with itself",
    bound(
      40,
      "[1]",
      (z) => `${z} + ${z}`,
      (z) => `size(${z})`,
    ),
    work,
  ],
  [
    "a text joined with itself",
    bound(
      40,
      "'ab'",
      (z) => `${z} + ${z}`,
      (z) => `size(${z})`,
    ),
    large,
  ],
  [
    "a doubled map, compared",
    bound(
      40,
      "{'a': 1}",
      (z) => `{'a': ${z}, 'b': ${z}}`,
      (z) => `${z} == ${z}`,
    ),
    large,
  ],
  ["an exponential pattern", "list.all(a, long.matches('(a+)+$'))", work],
  ["a large pattern and a long text", "long.matches('(x?){900}y')", work],
  ["many large patterns", "list.map(a, 'aaaa'.matches('(a?){900}b' + a.id))", work],
  [
    "many patterns of character classes",
    `list.map(a, 'a'.matches('${"\\\\p{L}".repeat(70)}' + a.id))`,
    work,
  ],
  [
    "replacements with longer texts",
    "list.map(a, long.replace('x', 'yyyyyyyyyyyyyyyyyyyyyyyyyyyy'))",
    work,
  ],
  ["replacements of nothing", "list.map(a, long.replace('', 'y'))", work],
  ["replacements with nothing", "list.map(a, long.replace('x', ''))", work],
  ["a text split at every character", "list.map(a, long.split('x'))", work],
  ["a text split into characters", "list.map(a, wide.split(''))", work],
  [
    "positions in a long text",
    "list.map(a, wide.substring(a.size, a.size + 1) + wide.charAt(5))",
    work,
  ],
  [
    "a search for most of the text",
    "list.map(a, long.indexOf('y' + long.substring(0, 400000)))",
    work,
  ],
  ["a search from the end", "list.map(a, long.lastIndexOf(long.substring(0, 50000) + 'y'))", work],
  ["a split at a long separator", "list.map(a, long.split(long.substring(0, 50000) + 'y'))", work],
  ["a long separator", "list.map(a, texts.join(long))", large],
  ["joins in a loop", "list.map(a, list.map(b, b.id).join(a.id))", work],
  ["a huge precision", "'%.999999999f'.format([1.5])", "invalid_argument"],
  ["a large precision in loops", "list.map(a, list.map(b, '%.100f'.format([1.5])))", work],
  ["formats in loops", "list.map(a, list.map(b, '%s%s%s%s'.format([a, b, a, b])))", work],
  ["a long text in hexadecimal digits", "'%x'.format([long])", large],
  ["sorts in a loop", "list.map(a, texts.sort())", work],
  ["sorts of many keys", "list.map(a, many.keys().sort())", work],
  ["loops over many keys", "list.map(a, many.exists(k, false))", work],
  ["merges of many keys", "list.map(a, many.merge({'a': 1}))", work],
  ["distinct items of a large list", "list.map(a, empties.distinct())", work],
  ["JSON of a large list", "list.map(a, json.encode(empties))", work],
  ["large JSON", "list.map(a, json.decode(json))", work],
  ["marks of a large list", "list.map(a, unsecret([secret(empties)]))", work],
  ["comparisons of large lists", "list.map(a, empties == empties.reverse())", work],
  ["searches in large lists", "list.map(a, a in empties)", work],
  ["flattened large lists", "list.map(a, empties.flatten())", work],
  ["ranges in a loop", "list.map(a, lists.range(10000))", work],
  ["Base64 of long texts", "list.map(a, base64.encode(long))", large],
  ["hashes of long texts", "list.map(a, sha512(long))", work],
  ["hashes in loops", "list.map(a, list.map(b, sha512('')))", work],
  ["addresses in loops", "list.map(a, list.map(b, cidrSubnet('2001:db8::/32', 32, b.size)))", work],
  [
    "white space",
    bound(
      19,
      "'  '",
      (z) => `${z} + ${z}`,
      (z) => `list.map(a, ${z}.trim())`,
    ),
    work,
  ],
  ["a chain of additions", `1${"+1".repeat(990)}`, deep],
  ["a chain of members", `open${".a".repeat(990)}`, deep],
  ["a chain of conditions", `open?1:${"open?1:".repeat(270)}2`, deep],
  ["a chain of signs", `${"-".repeat(1_990)}1`, deep],
  ["a chain of negations", `${"!".repeat(1_990)}true`, deep],
  ["brackets in brackets", `${"(".repeat(900)}1${")".repeat(900)}`, deep],
  ["a chain of `||`", `false${"||false".repeat(250)}`, "value"],
  ["lists in lists", `${"[".repeat(60)}${"]".repeat(60)}`, "value"],
];

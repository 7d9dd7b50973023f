/** ARM's functions that have no name in the common vocabulary, in the template language. */
import type { OpenType } from "#importers/evaluate/scope.ts";

type Form = (texts: readonly string[]) => string | undefined;

const given =
  (count: number, form: (...texts: string[]) => string | undefined): Form =>
  (texts) =>
    texts.length === count ? form(...texts) : undefined;

/** A value that is read several times gets a name, unless it is short. */
function named(text: string, form: (name: string) => string): string {
  return /^[\w.]{1,40}$/.test(text) ? form(text) : `cel.bind(all, ${text}, ${form("all")})`;
}

const part = (key: string) => `[?${key}].orValue(null)`;

export const armForms: { readonly [name: string]: Form } = {
  "arm:div": given(2, (one = "", other = "") => `(${one} / ${other})`),
  "arm:int": given(1, (text) => `int(${text})`),
  "arm:contains": given(2, (text, item) => `${text}.contains(${item})`),
  // ARM ignores the case of names. The name is in lower case already.
  "arm:hasKey": given(2, (map, name) => `${map}.exists(key, key.lowerAscii() == ${name})`),
  "arm:indexOf": given(2, (text, item) => `${text}.indexOf(${item})`),
  "arm:lastIndexOf": given(2, (text, item) => `${text}.lastIndexOf(${item})`),
  "arm:replace": given(3, (text, from, to) => `${text}.replace(${from}, ${to})`),
  "arm:substring": (texts) => {
    const [text, start, end] = texts;
    return end === undefined
      ? `${text}.substring(${start})`
      : `${text}.substring(${start}, ${end})`;
  },
  "arm:padLeft": given(2, (text = "", fill = "") =>
    named(
      text,
      (own) =>
        `(${own}.size() < ${fill}.size() ? ${fill}.substring(${own}.size()) + ${own} : ${own})`,
    ),
  ),
  "arm:take": given(2, (text = "", count) =>
    named(text, (own) => `(${own}.size() > ${count} ? ${own}.substring(0, ${count}) : ${own})`),
  ),
  "arm:takeLast": given(2, (text = "", count) =>
    named(
      text,
      (own) => `(${own}.size() > ${count} ? ${own}.substring(${own}.size() - ${count}) : ${own})`,
    ),
  ),
  "arm:skip": given(2, (text = "", count) =>
    named(text, (own) => `(${own}.size() > ${count} ? ${own}.substring(${count}) : "")`),
  ),
  "arm:takeItems": given(2, (list = "", count) =>
    named(list, (own) => `(${own}.size() > ${count} ? ${own}.slice(0, ${count}) : ${own})`),
  ),
  "arm:skipItems": given(2, (list = "", count) =>
    named(list, (own) => `(${own}.size() > ${count} ? ${own}.slice(${count}, ${own}.size()) : [])`),
  ),
  "arm:containsAny": given(3, (of = "", item, name) =>
    named(
      of,
      (own) =>
        `(type(${own}) == "string" ? ${own}.contains(${item}) : type(${own}) == "map" ? ${own}.exists(key, key.lowerAscii() == ${name}) : ${item} in ${own})`,
    ),
  ),
  "arm:takeAny": given(2, (of = "", count) =>
    named(
      of,
      (own) =>
        `(${own}.size() <= ${count} ? ${own} : type(${own}) == "string" ? ${own}.substring(0, ${count}) : ${own}.slice(0, ${count}))`,
    ),
  ),
  "arm:skipAny": given(2, (of = "", count) =>
    named(
      of,
      (own) =>
        `(type(${own}) == "string" ? (${own}.size() > ${count} ? ${own}.substring(${count}) : "") : (${own}.size() > ${count} ? ${own}.slice(${count}, ${own}.size()) : []))`,
    ),
  ),
  "arm:firstAny": given(1, (of = "") =>
    named(of, (own) => `(type(${own}) == "string" ? ${own}.charAt(0) : ${own}[0])`),
  ),
  "arm:lastAny": given(1, (of = "") =>
    named(
      of,
      (own) =>
        `(type(${own}) == "string" ? ${own}.charAt(${own}.size() - 1) : ${own}[${own}.size() - 1])`,
    ),
  ),
  "arm:array": given(1, (of = "") =>
    named(of, (own) => `(type(${own}) == "list" ? ${own} : [${own}])`),
  ),
  // ARM writes booleans in capitals.
  "arm:string": given(1, (of = "") =>
    named(
      of,
      (own) =>
        `(type(${own}) == "string" ? ${own} : type(${own}) == "number" ? string(${own}) : type(${own}) == "boolean" ? (${own} ? "True" : "False") : json.encode(${own}))`,
    ),
  ),
  "arm:createObject": (texts) => {
    const members = texts.flatMap((text, at) =>
      at % 2 === 0 ? [`${text}: ${texts[at + 1]}`] : [],
    );
    return `{${members.join(", ")}}`;
  },
  // ARM flattens one level.
  "arm:flatten": given(1, (list) => `${list}.flatten()`),
  "arm:last": given(1, (list = "") => named(list, (own) => `${own}[${own}.size() - 1]`)),
  "arm:fromEnd": given(2, (list = "", count) =>
    named(list, (own) => `${own}[${own}.size() - ${count}]`),
  ),
  "arm:tryFromEnd": given(2, (list = "", count) =>
    named(list, (own) => `(${own}.size() >= ${count} ? ${own}[${own}.size() - ${count}] : null)`),
  ),
  "arm:tryGet": given(2, (of = "", key = "") =>
    /^[A-Za-z_]\w*$/.test(of)
      ? `${of}${part(key)}`
      : named(of, (own) => `(${own} == null ? null : ${own}${part(key)})`),
  ),
  "arm:coalesce": given(2, (first = "", other) =>
    named(first, (own) => `(${own} != null ? ${own} : ${other})`),
  ),
  // The last segment of a base that does not end in a slash is replaced. `https://host` has none.
  "arm:uri": given(2, (base = "", path) =>
    named(
      base,
      (own) =>
        `(${own}.lastIndexOf("/") < 8 ? ${own} + "/" : ${own}.substring(0, ${own}.lastIndexOf("/") + 1)) + ${path}`,
    ),
  ),
  "arm:cidrSubnet": given(3, (range = "", prefix, index) =>
    named(range, (own) => `cidrSubnet(${own}, ${prefix} - int(${own}.split("/")[1]), ${index})`),
  ),
};

/** The type of a call's result. */
export function typeOfArmCall(name: string): OpenType {
  if (/^arm:(?:div|int|indexOf|lastIndexOf)$/.test(name)) return { kind: "number" };
  if (/^arm:(?:contains|containsAny|hasKey)$/.test(name)) return { kind: "bool" };
  if (/^arm:(?:takeItems|skipItems|flatten|array)$/.test(name))
    return { kind: "list", of: { kind: "any" } };
  return /^arm:(?:tryGet|coalesce|createObject|last|fromEnd|tryFromEnd|\w+Any)$/.test(name)
    ? { kind: "any" }
    : { kind: "string" };
}

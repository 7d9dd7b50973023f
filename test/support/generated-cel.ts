/** Any expressions of the template language, over the names `open hidden list map text number`. */
import * as fc from "fast-check";
import { functions } from "#engine/expressions/functions.ts";

const memberNames = ["a", "b", "id", "constructor", "`__proto__`", "`10`"] as const;

type Kind = "any" | "boolean" | "list" | "map" | "number" | "optional" | "text";

/**
 * Forms of each kind. A capital letter stands for an expression of a kind: A any, B boolean, L list, M map, N number,
 * O optional, T text.
 */
const forms: { readonly [Of in Kind]: readonly string[] } = {
  any: [
    ..."BLMNT".split(""),
    ..."BLMNT".split(""),
    "open",
    "open",
    "hidden",
    "hidden",
    "x",
    "y",
    "null",
    "M.a",
    "M.b",
    "L[0]",
    "L[N]",
    "M[T]",
    "(B ? A : A)",
    "(B ? A : omit())",
    "cel.bind(x, A, A)",
    "O.orValue(A)",
    "O.value()",
    "secret(A)",
    "unsecret(A)",
    "dyn(A)",
    "json.decode(T)",
    "L.select(N)",
    "L.singleOrNone()",
  ],
  boolean: [
    "true",
    "false",
    "(N < N)",
    "(T <= T)",
    "(A == A)",
    "(A != A)",
    "(B && B)",
    "(B || B)",
    "(A && A)",
    "(A || A)",
    "!(B)",
    "(A in L)",
    "(T in M)",
    "has(M.a)",
    "has(open.b)",
    "L.all(x, B)",
    "L.exists(x, B)",
    "L.exists_one(x, A)",
    "M.all(x, y, B)",
    "T.contains(T)",
    "T.startsWith(T)",
    "T.matches('a|b')",
    "O.hasValue()",
    "(O == O)",
    "bool(T)",
    "(B ? B : B)",
    "open",
  ],
  list: [
    "list",
    "list",
    "[A, A]",
    "[hidden, A]",
    "[]",
    "[A, ?O]",
    "[(B ? A : omit()), A]",
    "(L + L)",
    "L.map(x, A)",
    "L.map(x, B, A)",
    "L.filter(x, B)",
    "M.keys()",
    "M.values()",
    "T.split(T)",
    "L.reverse()",
    "L.flatten()",
    "L.slice(0, N)",
    "L.sort()",
    "L.distinct()",
    "M.transformList(x, y, A)",
    "lists.range(N)",
    "(B ? L : L)",
    "open",
  ],
  map: [
    "map",
    "map",
    "{'a': A, 'b': A}",
    "{'a': A, ?'b': O}",
    "{T: A}",
    "{'a': (B ? A : omit())}",
    "M.merge(M)",
    "M.transformMap(x, y, A)",
    "L.transformMap(x, y, B, A)",
    "L.transformMapEntry(x, y, M)",
    "M.transformMapEntry(x, y, B, {T: A})",
    "(B ? M : M)",
    "{'a': hidden}",
    "open",
  ],
  number: [
    "number",
    "0",
    "1",
    "1.5",
    "-2",
    "size(L)",
    "size(T)",
    "size(M)",
    "(N + N)",
    "(N - N)",
    "(N * N)",
    "(N / N)",
    "(N % N)",
    "-(N)",
    "T.indexOf(T)",
    "int(N)",
    "int(T)",
    "(B ? N : N)",
    "open",
  ],
  optional: [
    "M.?a",
    "M.?b.a",
    "L[?N]",
    "M[?T]",
    "open.?a",
    "optional.of(A)",
    "optional.none()",
    "optional.ofNonZeroValue(A)",
    "O.or(O)",
    "(B ? O : O)",
    "O.optMap(x, A)",
    "O.optFlatMap(x, O)",
    "hidden.?a",
  ],
  text: [
    "text",
    "'a'",
    "'b'",
    "''",
    "(T + T)",
    "(T + hidden)",
    "(hidden + T)",
    "string(A)",
    "L.join(T)",
    "[T, hidden].join(T)",
    "L.map(x, T).join(T)",
    "T.replace(T, T)",
    "'%s %s'.format([A, hidden])",
    "T.format(L)",
    "json.encode(A)",
    "base64.encode(T)",
    "base64.encode(hidden)",
    "base64.decode(T)",
    "sha256(T)",
    "sha1(hidden)",
    "T.lowerAscii()",
    "T.substring(N)",
    "T.charAt(N)",
    "T.trim()",
    "type(A)",
    "(B ? T : T)",
    "O.orValue(T)",
    "T.reverse()",
    "open",
  ],
};

const letters: { readonly [letter: string]: Kind } = {
  A: "any",
  B: "boolean",
  L: "list",
  M: "map",
  N: "number",
  O: "optional",
  T: "text",
};

/** A capital that is not part of a word. */
const SLOT = /(?<![A-Za-z'%])[ABLMNOT](?![A-Za-z'])/g;

function formed(tie: (kind: Kind) => fc.Arbitrary<string>, form: string): fc.Arbitrary<string> {
  const slots = Array.from(form.matchAll(SLOT), ([letter]) => tie(letters[letter] ?? "any"));
  return fc.tuple(...slots).map((parts) => {
    let next = 0;
    return form.replaceAll(SLOT, () => parts[next++] ?? "");
  });
}

/** One part in ten is of another kind than its place takes. */
const typed = fc.letrec<{ [Of in Kind]: string }>((tie) => {
  const ofKind = (kind: Kind): fc.Arbitrary<string> => {
    const leaves = forms[kind].filter((form) => form.search(SLOT) === -1);
    const leaf = fc.constantFrom(...(leaves.length === 0 ? ["optional.none()"] : leaves));
    const all = forms[kind].map((form) => formed((one) => tie(one), form));
    return fc.oneof(
      { maxDepth: 6, depthSize: "small" },
      { weight: 3, arbitrary: leaf },
      { weight: 1, arbitrary: fc.constantFrom("open", "hidden", "x") },
      ...all.map((arbitrary) => ({ weight: 1, arbitrary })),
    );
  };
  return {
    any: ofKind("any"),
    boolean: ofKind("boolean"),
    list: ofKind("list"),
    map: ofKind("map"),
    number: ofKind("number"),
    optional: ofKind("optional"),
    text: ofKind("text"),
  };
});

/** Any function with any arguments, any operator between any values: most fail. */
const untyped = fc.letrec<{ part: string }>((tie) => {
  const part = tie("part");
  const called = fc
    .constantFrom(...functions)
    .chain(({ name, style, parameters }) =>
      fc
        .array(part, { minLength: parameters.length, maxLength: parameters.length })
        .map(([first, ...rest]) =>
          style === "function"
            ? `${name}(${[first, ...rest].join(", ")})`
            : `(${first}).${name}(${rest.join(", ")})`,
        ),
    );
  const operators = ["+", "-", "*", "/", "%", "==", "!=", "<", ">=", "in", "&&", "||"];
  return {
    part: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      { weight: 2, arbitrary: typed.any },
      { weight: 2, arbitrary: called },
      fc
        .tuple(part, fc.constantFrom(...operators), part)
        .map(([a, operator, b]) => `(${a} ${operator} ${b})`),
      fc
        .tuple(part, fc.constantFrom(".", ".?"), fc.constantFrom(...memberNames))
        .map(([a, dot, name]) => `(${a})${dot}${name}`),
      fc
        .tuple(part, fc.constantFrom("[", "[?"), part)
        .map(([a, bracket, b]) => `(${a})${bracket}${b}]`),
      fc
        .tuple(part, fc.constantFrom("all", "exists", "exists_one", "filter", "map"), part)
        .map(([a, name, b]) => `(${a}).${name}(x, ${b})`),
    ),
  };
});

export const celExpression: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: typed.any },
  { weight: 1, arbitrary: untyped.part },
);

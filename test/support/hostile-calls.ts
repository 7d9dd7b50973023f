/**
 * Calls of every function of Terraform that an import computes, in a loop, with operands as large as a few lines can
 * make them. The names come from the tables of functions, so a new function is tried automatically.
 */
import { choices } from "#importers/evaluate/chosen-argument.ts";
import { functions } from "#importers/evaluate/decided-functions.ts";

export const calledNames: readonly string[] = [
  ...new Set([...functions.keys(), ...choices.keys(), "can", "[*]", "slice", '"', "for"]),
];

/** The lines that make each operand: 90 kB of source, or a few words that evaluate to as much. */
const operands = `locals {
  text  = "${"ab".repeat(45_000)}"
  same  = "${"a".repeat(20_000)}"
  list  = range(1000)
  texts = [for i in range(1000): local.text]
  words = split(",", "${Array.from({ length: 1000 }, (_, at) => `w${at}`).join()}")
  map   = { for w in local.words : w => local.text }
  json  = "[${"1,".repeat(40_000)}1]"
}
`;
const large = ["text", "same", "list", "texts", "words", "map", "json"].map(
  (name) => `local.${name}`,
);
const small = ['"a"', '"/(a|b)+a/"', '"%s%s"', "i"];

/** Combinations of arguments: each large operand alone, with each operand before and after it, and often. */
function argumentsOf(name: string): string[][] {
  const unary = large.map((one) => [one]);
  const binary = large.flatMap((one) => [
    ...large.map((other) => [one, other]),
    ...small.flatMap((other) => [
      [one, other],
      [other, one],
    ]),
  ]);
  const ternary = large.flatMap((one) => [
    [one, '"a"', '"bb"'],
    ['"a"', one, one],
    [one, "1", "900"],
  ]);
  const many = large.map((one) => Array<string>(200).fill(one));
  const formats = large.map((one) => ['"%s%s%s%s%s%s%s%s"', ...Array<string>(8).fill(one)]);
  const spread = large.map((one) => [`${one}...`]);
  const isSign = !/^[a-z]/.test(name);
  return isSign
    ? [...unary, ...binary, ...ternary]
    : [...unary, ...binary, ...ternary, ...many, ...formats, ...spread];
}

/** As the source writes the call; undefined: it takes another number of arguments. */
function written(name: string, args: readonly string[]): string | undefined {
  const [first = "", second = "", third = ""] = args;
  if (name === "for")
    return args.length === 1 ? `[for j in ${first}: [for k in ${first}: k]]` : undefined;
  if (name === '"') return `"${args.map((arg) => `\${${arg}}`).join("")}"`;
  if (name === "[]") return args.length === 2 ? `${first}[${second}]` : undefined;
  if (name === "[*]") return args.length === 1 ? `${first}[*].id` : undefined;
  if (name === "?:")
    return args.length === 3 ? `${first} == ${second} ? ${third} : ${first}` : undefined;
  if (name === "!") return args.length === 1 ? `!${first}` : undefined;
  if (!/^[a-z]/.test(name)) return args.length === 2 ? `${first} ${name} ${second}` : undefined;
  return `${name}(${args.join(", ")})`;
}

/** Imports that call the function a thousand times in each of eight settings. */
export function hostileCalls(name: string): { what: string; content: string }[] {
  return argumentsOf(name).flatMap((args) => {
    const call = written(name, args);
    if (call === undefined) return [];
    const settings = Array.from(
      { length: 8 },
      (_, at) =>
        `resource "aws_sqs_queue" "q${at}" {\n  name = join("", [for i in range(1000): try(length(${call}), ${call}, "${at}")])\n  tags = { for i in local.list : "k\${i}" => ${call} }\n}\n`,
    );
    return [{ what: call.slice(0, 80), content: operands + settings.join("") }];
  });
}

/**
 * Refusals of Azure for what it does not see everywhere yet: resource groups, principals, roles on key vaults and
 * registries. The codes and words are those that users of Terraform, Bicep and Container Apps report.
 */
import type { Spreading } from "#providers/provider.ts";
import {
  grantSpreads,
  objectSpreads,
  spreadingIn,
  type SpreadingWords,
} from "#providers/rest/spreading.ts";

/** By the whole code, in lower case. */
const codes: Readonly<Record<string, Spreading>> = {
  resourcegroupnotfound: objectSpreads,
  parentresourcenotfound: objectSpreads,
  managedenvironmentnotprovisioned: objectSpreads,
  principalnotfound: grantSpreads,
  forbiddenbyrbac: grantSpreads,
};

const words: SpreadingWords = [
  [/\bunable to (?:get value|pull image|access)\b.{0,200}\bmanaged identity\b/i, grantSpreads],
  [
    /\b(?:principal|identity)\b.{0,200}\b(?:does not exist|not found) in the (?:directory|tenant)\b/i,
    grantSpreads,
  ],
  [/\bcaller is not authorized to perform action on resource\b/i, grantSpreads],
  [/\bdoes not have secrets? (?:get|list|set) permission\b/i, grantSpreads],
];

export function spreadsAtAzure(
  { code, message, inner }: { code: string; message: string; inner: readonly string[] },
  verb: string,
): Spreading | undefined {
  if (verb !== "create" && verb !== "update") return undefined;
  const known = [code, ...inner]
    .map((one) => one.toLowerCase())
    .find((one) => Object.hasOwn(codes, one));
  return known === undefined ? spreadingIn(words, message, verb) : codes[known];
}

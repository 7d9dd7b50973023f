/**
 * Refusals of Google for what it does not see everywhere yet: service accounts, grants on them and on secrets, and an
 * API that was just enabled. The words are those that users of Terraform's provider report.
 */
import type { Spreading } from "#providers/provider.ts";
import { grantSpreads, spreadingIn, type SpreadingWords } from "#providers/rest/spreading.ts";

const words: SpreadingWords = [
  [/\bservice account\b.{0,300}\b(?:does not exist|was not found|not found)\b/i, grantSpreads],
  [/\biam\.serviceaccounts\.actAs\b/i, grantSpreads],
  [/\bpermission denied on secret\b/i, grantSpreads],
  [/\bpermission\b.{0,60}\bsecretmanager\.versions\.access\b/i, grantSpreads],
  [/\bhas not been used in project\b.{0,80}\bbefore or it is disabled\b/i, grantSpreads],
];

export function spreadsAtGoogle(message: string, verb: string): Spreading | undefined {
  return spreadingIn(words, message, verb);
}

/**
 * Refusals of AWS for what it does not see everywhere yet: roles, instance profiles, principals, parts of networks, grants.
 * The words are those that users of Pulumi, Terraform and the Cloud Control provider report.
 */
import type { Spreading } from "#providers/provider.ts";
import {
  grantSpreads,
  objectSpreads,
  spreadingIn,
  type SpreadingWords,
} from "#providers/rest/spreading.ts";

const words: SpreadingWords = [
  // AWS makes such a role itself, at the first use of a service in an account.
  [/\bservice[- ]linked role\b/i, { withinMs: objectSpreads.withinMs, byCloud: true }],
  [/\brole\b.{0,300}\b(?:cannot|can't|could not) be assumed\b/i, grantSpreads],
  [/\b(?:unable|not able|cannot|failed) to assume\b.{0,60}\brole\b/i, grantSpreads],
  [/\bauthorized to assume the provided role\b/i, grantSpreads],
  [/\bexecution role does not have permissions\b/i, grantSpreads],
  [
    /\brole\b.{0,120}\b(?:is invalid or|does not) (?:include|have) the required permissions\b/i,
    grantSpreads,
  ],
  [/\binvalid (?:iam )?instance ?profile\b/i, grantSpreads],
  [/\bparameter iamInstanceProfile\.\w+ is invalid\b/i, grantSpreads],
  [/\binvalid principals?\b|\bprincipal was invalid\b/i, grantSpreads],
  [/\bprincipal\b.{0,200}\b(?:does not exist|is not valid|not found)\b/i, grantSpreads],
  [
    /\bkey\b.{0,200}\b(?:is not accessible|does not exist, or you (?:are not|do not))/i,
    grantSpreads,
  ],
  [/\btarget group\b.{0,300}\bdoes not have an associated load balancer\b/i, objectSpreads],
  [/\bone or more (?:load balancers|target groups|listeners) not found\b/i, objectSpreads],
  // An image that does not exist is a mistake.
  [
    /\bthe (?:vpc|subnet|security ?group|route ?table|internet ?gateway|nat ?gateway|allocation)(?: id)? '[^']{1,100}' does not exist\b/i,
    objectSpreads,
  ],
];

export function spreadsAtAws(message: string, verb: string): Spreading | undefined {
  return spreadingIn(words, message, verb);
}

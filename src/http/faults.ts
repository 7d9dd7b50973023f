/** The faults of a request, with codes of the service: the validator's codes change with its versions. */
import type * as z from "zod";
import { ApiError, type RequestFault } from "#kernel/errors.ts";
import { escapePointer } from "#platform/json.ts";
import { nearest } from "#platform/text/nearest.ts";
import type { Endpoint } from "./endpoint.ts";
import type { UnknownMember } from "./unknown-members.ts";

/** The most faults that one answer names. */
export const MAX_FAULTS = 100;
const MAX_NAME = 100;

/** The meaning of each fault code. */
export const faultCodes = {
  required: "It is missing.",
  wrong_type: "It has another JSON type.",
  invalid_choice: "It is none of the values that are allowed.",
  invalid_format: "The text does not have the format, such as a URL or a time.",
  invalid_value: "It breaks another rule, which `detail` names.",
  too_short: "The text is too short.",
  too_long: "The text is too long.",
  too_small: "The number is too small.",
  too_large: "The number is too large.",
  inexact_number: "The number cannot be kept exactly, such as a whole number beyond 2^53.",
  too_few: "The list has too few items.",
  too_many: "The list or map has too many entries.",
  unknown_parameter: "There is no member or parameter of this name.",
} as const;
export type FaultCode = keyof typeof faultCodes;

/** `value`: the validated value. */
export function faultsOf(
  issues: readonly z.core.$ZodIssue[],
  place: RequestFault["in"],
  value: unknown,
): RequestFault[] {
  return issues.slice(0, MAX_FAULTS).map((issue) => ({
    in: place,
    pointer: pointerTo(
      place,
      issue.path.map((part) => String(part)),
    ),
    code: codeOf(issue, value),
    detail: issue.message,
  }));
}

/** `elsewhere`: the endpoints that take members of the body that this one does not. */
export function unknownParameter(
  unknown: readonly [UnknownMember, ...UnknownMember[]],
  place: "body" | "query",
  elsewhere: Endpoint["elsewhere"] = {},
): ApiError {
  const [first, ...others] = unknown;
  const noun = place === "body" ? "member" : "query parameter";
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  return new ApiError(
    "unknown_parameter",
    `There is no ${noun} "${nameOf(first)}" here${more}. ${suggestion(first, place, elsewhere)}Correct or remove it, or send \`Prefer: handling=lenient\` to have unknown names ignored.`,
    {
      faults: unknown.slice(0, MAX_FAULTS).map((member) => ({
        in: place,
        pointer: pointerTo(place, member.path),
        code: "unknown_parameter" satisfies FaultCode,
        detail: suggestion(member, place, elsewhere) + knownHere(member, place),
      })),
    },
  );
}

function nameOf({ path }: UnknownMember): string {
  return (path.at(-1) ?? "").slice(0, MAX_NAME);
}

function suggestion(
  member: UnknownMember,
  place: "body" | "query",
  elsewhere: NonNullable<Endpoint["elsewhere"]>,
): string {
  const name = nameOf(member);
  if (place === "body" && member.path.length === 1 && Object.hasOwn(elsewhere, name))
    return `${elsewhere[name]} takes it. `;
  const meant = nearest(name, member.known);
  return meant === undefined ? "" : `Did you mean "${meant}"? `;
}

function knownHere({ known, path }: UnknownMember, place: "body" | "query"): string {
  if (path.at(-1) === "__proto__") return "This name cannot be used.";
  if (known.length > 0) return `Known here: ${known.join(", ")}.`;
  return place === "body"
    ? "This endpoint takes no body."
    : "This endpoint takes no query parameters.";
}

function pointerTo(place: RequestFault["in"], path: readonly string[]): string {
  const parts = path.map((part) => part.slice(0, MAX_NAME));
  return place === "body"
    ? parts.map((part) => `/${escapePointer(part)}`).join("")
    : parts.join(".");
}

function codeOf(issue: z.core.$ZodIssue, value: unknown): FaultCode {
  switch (issue.code) {
    case "invalid_type":
      return isMissing(issue.path, value) ? "required" : "wrong_type";
    case "invalid_value":
      return isMissing(issue.path, value) ? "required" : "invalid_choice";
    case "invalid_union":
      return isMissing(issue.path, value) ? "required" : "invalid_choice";
    case "invalid_format":
      return "invalid_format";
    case "too_small":
      return sizeCode(issue.origin, "too_short", "too_few", "too_small");
    case "too_big":
      return sizeCode(issue.origin, "too_long", "too_many", "too_large");
    case "unrecognized_keys":
      return "unknown_parameter";
    case "custom":
    case "invalid_element":
    case "invalid_key":
    case "not_multiple_of":
      return "invalid_value";
  }
}

function sizeCode(origin: string, text: FaultCode, list: FaultCode, number: FaultCode): FaultCode {
  if (origin === "string") return text;
  return origin === "array" || origin === "set" ? list : number;
}

function isMissing(path: readonly PropertyKey[], value: unknown): boolean {
  let at = value;
  for (const part of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, part)) return true;
    at = (at as Record<PropertyKey, unknown>)[part];
  }
  return at === undefined;
}

/** What Oracle's refusals mean: `{code, message}`, with codes that are the same for all services. */
import { isJsonMap } from "#platform/json.ts";
import type { FailureMeaning } from "#providers/provider.ts";
import type { Answered, ProviderError } from "#providers/rest/definition.ts";
import { grantSpreads } from "#providers/rest/spreading.ts";
import { withAdvice } from "#providers/rest/with-advice.ts";
import type { Answer } from "#providers/transport.ts";

/** One code for two things: an object that does not exist, and one that the identity may not see. */
export const HIDDEN = "NotAuthorizedOrNotFound";

/** Object storage says so of a bucket or a namespace, in words of its own. */
const hiddenStorage = ["BucketNotFound", "NamespaceNotFound"];

export const hidingCodes: readonly string[] = [HIDDEN, ...hiddenStorage];

const meanings: ReadonlyMap<string, FailureMeaning> = new Map([
  [HIDDEN, "denied"],
  ["NotAuthenticated", "denied"],
  ["NotAuthorized", "denied"],
  ["NotAllowed", "denied"],
  ["SignUpRequired", "denied"],
  ["NotAuthorizedOrResourceAlreadyExists", "denied"],
  ["IncorrectState", "busy"],
  ["Conflict", "busy"],
  ["ConcurrentModification", "busy"],
  ["ExternalServerIncorrectState", "busy"],
  ["NoEtagMatch", "stale"],
  ["IfMatchFailed", "stale"],
  ["LimitExceeded", "quota"],
  ["QuotaExceeded", "quota"],
  ["OutOfHostCapacity", "quota"],
  ["InsufficientServicePermissions", "denied"],
  ["TooManyRequests", "throttled"],
  ["InvalidParameter", "invalid"],
  ["MissingParameter", "invalid"],
  ["CannotParseRequest", "invalid"],
  ["RelatedResourceNotAuthorizedOrNotFound", "invalid"],
  ["UnprocessableEntity", "invalid"],
]);

const taken = /AlreadyExists$/;
const noRoom = /out of (?:host )?capacity/i;

/** `undefined`: Oracle's code says nothing, and the status decides. */
export function ociMeans(
  code: string,
  message: string,
  verb: Answered["verb"],
): FailureMeaning | undefined {
  if (noRoom.test(message)) return "quota";
  // Another step has used this token, or the object of it was deleted: the create had no effect.
  if (code === "InvalidatedRetryToken") return "invalid";
  const known = meanings.get(code);
  if (known !== undefined) return known;
  // A create names what the properties or the config say, which may be wrong.
  if (hiddenStorage.includes(code)) return verb === "create" ? "invalid" : "denied";
  if (taken.test(code)) return verb === "create" ? "exists" : "busy";
  return undefined;
}

function adviceFor(code: string, verb: Answered["verb"]): string {
  if (code === HIDDEN && verb === "create")
    return "Either a policy does not let the identity do this in this compartment, or the compartment or another object that the properties name does not exist.";
  if (hidingCodes.includes(code) && verb !== "create")
    return "Oracle does not say whether the object is gone or a policy hides it.";
  if (code === "NotAuthenticated")
    return "Check that the key belongs to the user and was not deleted, and that the clock of this service is right.";
  return "";
}

/** A policy, a compartment or another new object takes a while to be known everywhere. */
function maySpread(code: string, message: string): boolean {
  return (
    code === HIDDEN ||
    code === "RelatedResourceNotAuthorizedOrNotFound" ||
    /not found in compartment tree/i.test(message)
  );
}

export function ociError({ json, status }: Answer, { verb }: Answered): ProviderError {
  const { code, message } = isJsonMap(json) ? json : {};
  if (typeof code !== "string" || code === "")
    return {
      code: `http_${status}`,
      message: "not Oracle's words",
      // A 404 from what is before the service proves nothing of the object.
      ...(status === 404 ? { means: "denied" as const } : {}),
    };
  const told = typeof message === "string" && message !== "" ? message : "no explanation";
  const means = ociMeans(code, told, verb);
  // Any other 404 names an object that the service looked for: a repository, for example.
  const byStatus = status === 404 && verb === "create" ? "invalid" : undefined;
  const meaning = means ?? byStatus;
  return {
    code,
    message: withAdvice(told, adviceFor(code, verb)),
    ...(meaning === undefined ? {} : { means: meaning }),
    ...(maySpread(code, told) && (verb === "create" || verb === "update")
      ? { spreads: grantSpreads }
      : {}),
  };
}

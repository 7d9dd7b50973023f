/** What AWS's refusals mean: by their codes, since the same status says many things. */
import { isJsonMap } from "#platform/json.ts";
import type { FailureMeaning } from "#providers/provider.ts";
import type { Answered, ProviderError } from "#providers/rest/definition.ts";
import { parseXml } from "#providers/rest/xml.ts";
import type { Answer } from "#providers/transport.ts";
import { spreadsAtAws } from "./spreading.ts";

/** How long a refused call waits where AWS, as always, does not say. */
const THROTTLED_MS = 2_000;

/** Codes without the ending `Exception`. */
const meanings: Readonly<Record<string, FailureMeaning>> = {
  // Cloud Control, as an answer or as the end of an operation
  AlreadyExists: "exists",
  // An earlier request with the token arrived, with other content.
  ClientTokenConflict: "exists",
  NotFound: "gone",
  ResourceNotFound: "gone",
  RequestTokenNotFound: "gone",
  ResourceConflict: "busy",
  ConcurrentOperation: "busy",
  ConcurrentModification: "busy",
  Throttling: "throttled",
  ServiceLimitExceeded: "quota",
  AccessDenied: "denied",
  UnauthorizedTaggingOperation: "denied",
  InvalidCredentials: "denied",
  InvalidRequest: "invalid",
  NotUpdatable: "invalid",
  TypeNotFound: "invalid",
  PrivateType: "invalid",
  UnsupportedAction: "invalid",
  // Every service
  Throttled: "throttled",
  RequestLimitExceeded: "throttled",
  TooManyRequests: "throttled",
  UnauthorizedOperation: "denied",
  UnrecognizedClient: "denied",
  InvalidClientTokenId: "denied",
  InvalidAccessKeyId: "denied",
  InvalidSignature: "denied",
  SignatureDoesNotMatch: "denied",
  IncompleteSignature: "denied",
  MissingAuthenticationToken: "denied",
  ExpiredToken: "denied",
  RequestExpired: "denied",
  OptInRequired: "denied",
  RegionDisabled: "denied",
  AuthFailure: "denied",
  Validation: "invalid",
  // STS
  InvalidIdentityToken: "denied",
  IDPRejectedClaim: "denied",
  IDPCommunicationError: "busy",
  // Route 53
  NoSuchHostedZone: "gone",
  NoSuchChange: "gone",
  PriorRequestNotComplete: "busy",
  InvalidInput: "invalid",
};

const inUse =
  /DependencyViolation|has (a )?depend|have dependenc|has (a |an )?(existing|active) (attachment|dependent)|ResourceInUse|DeleteConflict|is (currently |still )?in use|being used|currently associated|cannot be deleted while|mapped public address|must (detach|be detached|be removed)|in an incorrect state|incompatible state|currently (being )?(creat|modif|updat|delet)|is not empty because it is being|is still using it/i;
/** Of any change, also a create: an earlier one of the same name is under way. */
const underWay = /conflicting conditional operation is currently in progress/i;
/** What a handler met, by the contract of handlers: the same call may succeed later. */
const passing = /^(?:ServiceInternalError|NetworkFailure)$/;
const tooMany =
  /LimitExceeded|limit (has been )?(reached|exceeded)|maximum number|exceeded (the|your) quota|QuotaExceeded/i;

/** What a code of AWS means for this call; `undefined`: nothing is known, or whether it took effect. */
export function meaningOf(
  given: string,
  message: string,
  verb: Answered["verb"] | "CREATE" | "UPDATE" | "DELETE",
): FailureMeaning | undefined {
  const code = given.replace(/(Exception|Fault)$/, "");
  const changing = verb.toLowerCase();
  if (code === "InvalidChangeBatch") return ofChangeBatch(message, changing);
  // A zone that is gone took its records with it, but a new one cannot be made there.
  if (code === "NoSuchHostedZone" && changing === "create") return "invalid";
  const passes = changing === "update" || changing === "delete";
  if (underWay.test(message)) return "busy";
  // A create may have made what nobody names.
  if (passes && passing.test(code)) return "busy";
  if (/^(InvalidRequest|GeneralService|NotStabilized)$/.test(code)) {
    if (passes && inUse.test(message)) return "busy";
    if (tooMany.test(message)) return "quota";
  }
  return Object.hasOwn(meanings, code) ? meanings[code] : undefined;
}

function ofChangeBatch(message: string, verb: string): FailureMeaning {
  if (verb === "create" && /already exists/i.test(message)) return "exists";
  if (verb === "delete" && /not found/i.test(message)) return "gone";
  return /do not match the current values/i.test(message) ? "stale" : "invalid";
}

/** The permission that a refusal names. */
function permissionIn(message: string): string | undefined {
  return /not authorized to perform:? ([a-z0-9-]{1,64}:[A-Za-z0-9]{1,64})/i.exec(message)?.[1];
}

interface Told {
  code: string;
  message: string;
}

/** The code and message of an answer, in each of the forms in which AWS's services answer. */
export function toldBy({ json, text, headers, status }: Answer): Told {
  const said = isJsonMap(json) ? json : {};
  // Query services wrap what others do not.
  const error = isJsonMap(said["Error"]) ? said["Error"] : said;
  const typed =
    error["__type"] ?? error["Code"] ?? error["code"] ?? headers.get("x-amzn-errortype");
  const words = error["message"] ?? error["Message"];
  if (typeof typed === "string" || typeof words === "string")
    return {
      code: codeIn(typed) ?? `http_${status}`,
      message: typeof words === "string" && words !== "" ? words : "no reason given",
    };
  const root = text?.startsWith("<") === true ? parseXml(text) : undefined;
  const told = root?.find("Error") ?? root;
  const messages = told?.all("Message").concat(told.find("Messages")?.all("Message") ?? []) ?? [];
  const code = told?.find("Code")?.text ?? (messages.length === 0 ? undefined : told?.name);
  return {
    code: codeIn(code) ?? `http_${status}`,
    message: messages.map((one) => one.text).join(" ") || "no reason given",
  };
}

/** `com.amazonaws.cloudcontrol#ThrottlingException:http://…` is a ThrottlingException. */
function codeIn(value: unknown): string | undefined {
  return typeof value === "string"
    ? /^(?:[\w.]*#)?([A-Za-z][A-Za-z.]{0,90})(?::|$)/.exec(value)?.[1]
    : undefined;
}

export function readError(answer: Answer, of: Answered): ProviderError {
  const { code, message } = toldBy(answer);
  // A 404 that says nothing known must not count as an object that is gone.
  const means =
    meaningOf(code, message, of.verb) ?? (answer.status === 404 ? "invalid" : undefined);
  const isThrottled = means === "throttled" || answer.status === 429;
  const permission = means === "denied" ? permissionIn(message) : undefined;
  const spreads = spreadsAtAws(message, of.verb);
  return {
    code,
    message: explained(code, message, of),
    ...(means === undefined ? {} : { means }),
    ...(spreads === undefined ? {} : { spreads }),
    ...(isThrottled ? { afterMs: answer.afterMs ?? THROTTLED_MS } : {}),
    ...(permission === undefined ? {} : { permission }),
  };
}

/** The message with what to do, where AWS's own words leave that open. */
export function explained(code: string, message: string, { type, verb }: Answered): string {
  const named = type?.replace(/^aws:/, "") ?? "This type";
  if (code.startsWith("UnsupportedAction"))
    return verb === "update"
      ? `AWS cannot change a ${named} in place. Set the option replaceOnChanges: ["*"], so that a change replaces it. (${message})`
      : `${named} is not among the types that AWS Cloud Control can ${verb}, in this region at least. Use another type, or make it outside and read it with \`get\` of a type that refers to it. (${message})`;
  if (code.startsWith("NotUpdatable"))
    return `${message} AWS cannot change this in place: name the property in the option replaceOnChanges, so that a change replaces the object.`;
  if (code.startsWith("TypeNotFound"))
    return `AWS does not know the type ${named} in this region. (${message})`;
  return message;
}

/** Codes by which a session is known to be over. */
export function endsSession(answer: Answer): boolean {
  return /^(ExpiredToken|RequestExpired|InvalidClientTokenId|UnrecognizedClient)/.test(
    toldBy(answer).code,
  );
}

/** What Google's refusals mean. Services word them in three generations: `errors[]`, `status`, and `details[]`. */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { FailureMeaning } from "#providers/provider.ts";
import type { Answered, ProviderError } from "#providers/rest/definition.ts";
import type { Answer } from "#providers/transport.ts";
import { spreadsAtGoogle } from "./spreading.ts";

interface Said {
  status: number;
  code: string;
  /** All of its codes, in lower case without underscores. */
  codes: readonly string[];
  message: string;
}

const disabled = ["servicedisabled", "accessnotconfigured"];
const throttled = ["ratelimitexceeded", "userratelimitexceeded", "resourceoperationrateexceeded"];
const quota = ["quotaexceeded", "dailylimitexceeded", "limitexceeded", "billingdisabled"];
const noRoom = ["zoneresourcepoolexhausted", "zoneresourcepoolexhaustedwithdetails", "stockout"];
const taken = [
  "alreadyexists",
  "resourcealreadyexists",
  "instancealreadyexists",
  "conflict",
  "duplicate",
];
const busy = [
  "resourceinuse",
  "resourceinusebyanotherresource",
  "resourcenotready",
  "operationinprogress",
  "operationdenied",
];
const stale = ["conditionnotmet", "aborted", "concurrentpolicychanges"];
const denied = ["permissiondenied", "forbidden", "notauthorized", "unauthenticated", "autherror"];
const gone = ["notfound", "resourcenotfound", "instancedoesnotexist"];

const RATE = /\bper (second|minute|hour|user)|rate limit|too many requests/i;
const IN_USE =
  /\b(is|being|still|already) (used|using|in use|referenced)|\bin use by|incompatible operation|operation .*in progress|another operation/i;
/** Refusals that no waiting mends: what is inside is not this service's. */
const NOT_EMPTY = /not empty|non-empty/i;
const MAX_JUDGED = 2_000;
/** Names in a message: they can have any words. */
const NAMES = /(?<!\w)'[^']*'|"[^"]*"|\[[^\]]*\]|\([^()]*\)|\S*\/\S*/g;
/**
 * The project or a location is not to be seen, or the identity may not see what it asks for, which says nothing of the
 * object. In a message without names.
 */
const HIDDEN =
  /(?:^|[.:;] |\bfind )(?:(?:the|requested|specified|unknown|resource|consumer|cloud) )*(?:project|location)\b|\bpermissions?\b|\baccess\b|\b(?:un)?authorized\b/i;
const PROJECT_ALONE =
  /\bprojects\/[^/\s'"\])]+['"\])]* (?:was |is |has been )?(?:not found|deleted|does not exist|invalid)/i;

/** Whether a 404 says nothing of the object. */
function isHidden(message: string): boolean {
  return PROJECT_ALONE.test(message) || HIDDEN.test(message.replaceAll(NAMES, "…"));
}

const looks: ReadonlySet<Answered["verb"]> = new Set(["read", "list", "poll"]);

/** The refusal of an answer, by what Google says in its body. */
export function googleError({ json, status, text }: Answer, of: Answered): ProviderError {
  const error = errorIn(json);
  const { message: told } = error;
  const said: Said = {
    status,
    code: firstCode(error) ?? `http_${status}`,
    codes: codesOf(error),
    message: typeof told === "string" && told !== "" ? told : "no explanation",
  };
  if (Object.keys(error).length === 0)
    return {
      code: `http_${status}`,
      message: text === undefined ? "no body" : "not Google's words",
      // A front end or a proxy knows nothing of objects. A delete is looked at again anyway.
      ...(status === 404 && looks.has(of.verb) ? { means: "busy" as const } : {}),
    };
  const spreads = spreadsAtGoogle(said.message, of.verb);
  const spreading = spreads === undefined ? {} : { spreads };
  if (has(said, disabled)) return { ...notEnabled(said, error), ...spreading };
  const means = meaningOf(said, of.verb);
  const permission = means === "denied" ? permissionOf(said, error) : undefined;
  return {
    code: said.code,
    message: said.message,
    ...(means === undefined ? {} : { means }),
    ...spreading,
    ...(permission === undefined ? {} : { permission }),
  };
}

/** What the failure of an operation means. `code`: a name, or the number of an RPC's status. */
export function operationMeans(
  code: string,
  message: string,
  verb: "create" | "update" | "delete",
): FailureMeaning | undefined {
  const name = rpcCodes[code] ?? code;
  return meaningOf({ status: 0, code: name, codes: [plain(name)], message }, verb);
}

const rpcCodes: Readonly<Record<string, string>> = {
  3: "INVALID_ARGUMENT",
  5: "NOT_FOUND",
  6: "ALREADY_EXISTS",
  7: "PERMISSION_DENIED",
  8: "RESOURCE_EXHAUSTED",
  9: "FAILED_PRECONDITION",
  10: "ABORTED",
  13: "INTERNAL",
  14: "UNAVAILABLE",
  16: "UNAUTHENTICATED",
};

function meaningOf(said: Said, verb: Answered["verb"]): FailureMeaning | undefined {
  const { status, codes } = said;
  const message = said.message.slice(0, MAX_JUDGED);
  if (has(said, throttled)) return "throttled";
  if (has(said, noRoom)) return "quota";
  if (has(said, quota)) return RATE.test(message) ? "throttled" : "quota";
  if (codes.includes("resourceexhausted") || status === 429)
    return RATE.test(message) || !/quota|limit|exhausted/i.test(message) ? "throttled" : "quota";
  if (NOT_EMPTY.test(message)) return "invalid";
  if (has(said, busy)) return "busy";
  if (status === 409 || has(said, taken)) {
    if (verb === "create" && !has(said, stale) && !IN_USE.test(message)) return "exists";
    return has(said, stale) ? "stale" : "busy";
  }
  if (has(said, stale) || status === 412) return "stale";
  if (codes.includes("failedprecondition") || status === 400)
    return IN_USE.test(message) ? "busy" : "invalid";
  if (has(said, denied) || status === 401 || status === 403) return "denied";
  if (has(said, gone) || status === 404) {
    if (isHidden(message)) return "denied";
    // What a create does not find is not what it makes.
    return verb === "create" ? "invalid" : "gone";
  }
  return codes.includes("invalidargument") || codes.includes("invalid") ? "invalid" : undefined;
}

function has({ codes }: Said, names: readonly string[]): boolean {
  return codes.some((code) => names.includes(code));
}

function plain(code: string): string {
  return code.toLowerCase().replaceAll("_", "");
}

function errorIn(json: Json | undefined): JsonMap {
  const body = Array.isArray(json) ? json[0] : json;
  const error = isJsonMap(body) ? body["error"] : undefined;
  return isJsonMap(error) ? error : {};
}

function mapsIn(value: Json | undefined): JsonMap[] {
  return Array.isArray(value) ? value.filter(isJsonMap) : [];
}

function texts(...values: (Json | undefined)[]): string[] {
  return values.filter((value) => typeof value === "string" && value !== "") as string[];
}

/** The most exact code: of the details, of the first error, of the status. */
function firstCode({ details, errors, status }: JsonMap): string | undefined {
  const reasons = mapsIn(details).flatMap(({ reason }) => texts(reason));
  const older = mapsIn(errors).flatMap(({ reason }) => texts(reason));
  return [...reasons, ...older, ...texts(status)][0];
}

function codesOf({ details, errors, status }: JsonMap): string[] {
  const all = [...mapsIn(details), ...mapsIn(errors)].flatMap(({ reason }) => texts(reason));
  return [...all, ...texts(status)].map(plain);
}

function metadataOf(error: JsonMap): JsonMap {
  return Object.assign({}, ...mapsIn(error["details"]).map(({ metadata }) => metadata)) as JsonMap;
}

const permissionName = "[a-z][A-Za-z0-9]*(?:\\.[A-Za-z0-9]+){2,4}";
const permissionIn = [
  new RegExp(`Permission '(${permissionName})' denied`),
  new RegExp(`Required '(${permissionName})' permission`),
  new RegExp(`\\b(${permissionName}) (?:access|permission)\\b`),
  new RegExp(`[Pp]ermission (${permissionName})\\b`),
];

function permissionOf({ message }: Said, error: JsonMap): string | undefined {
  const [named] = texts(metadataOf(error)["permission"]);
  if (named !== undefined) return named;
  for (const pattern of permissionIn) {
    const found = pattern.exec(message.slice(0, MAX_JUDGED))?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}

const CONSOLE = /^https:\/\/console\.(?:cloud|developers)\.google\.com\/[\w./?=&%:-]{1,300}$/;

/** The API is not enabled in the project: where to enable it. */
function notEnabled({ code, message }: Said, error: JsonMap): ProviderError {
  const { service, activationUrl, consumer } = metadataOf(error);
  const links = mapsIn(error["details"]).flatMap(({ links: given }) =>
    mapsIn(given).flatMap(({ url }) => texts(url)),
  );
  const inText = /https:\/\/console\.[^\s]+/.exec(message.slice(0, MAX_JUDGED))?.[0];
  const link = [...texts(activationUrl), ...links, ...texts(inText)].find((url) =>
    CONSOLE.test(url),
  );
  const [api] = texts(service);
  const [project] = texts(consumer);
  const what = api === undefined ? "An API that this needs" : `The API ${api}`;
  const where = project === undefined ? "the project" : project.replace(/^projects\//, "project ");
  const how =
    link ??
    (api === undefined
      ? "the Google Cloud console"
      : `https://console.cloud.google.com/apis/library/${api}`);
  return {
    code,
    message: `${what} is not enabled in ${where}. Enable it at ${how}, wait a few minutes, then try again.`,
    means: "invalid",
  };
}

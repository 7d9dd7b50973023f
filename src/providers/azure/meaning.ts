/** What the errors of Azure Resource Manager mean: by their codes first, for one status means many things. */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { FailureMeaning } from "#providers/provider.ts";
import type { Answered, ProviderError } from "#providers/rest/definition.ts";
import { withAdvice } from "#providers/rest/with-advice.ts";
import type { Answer } from "#providers/transport.ts";
import { parseTypeName } from "#providers/type-name.ts";
import { spreadsAtAzure } from "./spreading.ts";

interface Said {
  code: string;
  message: string;
  /** Codes of what stands inside the error. */
  inner: string[];
  policy?: string;
  /** Not in ARM's form: a gateway's words, or none. */
  isForeign?: boolean;
}

const MAX_DEPTH = 4;
const ROLE_ASSIGNMENT = "Microsoft.Authorization/roleAssignments";

/** `{ error: { code, message, details } }`, or the older `{ Code, Message }`. */
export function saidIn(json: Json | undefined): Said | undefined {
  const outer = isJsonMap(json) ? json : {};
  const error = isJsonMap(outer["error"]) ? outer["error"] : outer;
  const isForeign = error === outer && typeof outer["Code"] !== "string";
  const code = error["code"] ?? error["Code"];
  const message = error["message"] ?? error["Message"];
  if (typeof code !== "string" && typeof message !== "string") return undefined;
  const policy = policyIn(error);
  return {
    code: typeof code === "string" ? code : "",
    message: typeof message === "string" ? message : "",
    inner: innerOf(error, MAX_DEPTH),
    ...(policy === undefined ? {} : { policy }),
    ...(isForeign ? { isForeign } : {}),
  };
}

function innerOf(error: JsonMap, depth: number): string[] {
  if (depth === 0) return [];
  const { details, innererror } = error;
  const within = [...(Array.isArray(details) ? details : []), innererror ?? null];
  return within.slice(0, 20).flatMap((one) => {
    if (!isJsonMap(one)) return [];
    const code = one["code"];
    return [...(typeof code === "string" ? [code] : []), ...innerOf(one, depth - 1)];
  });
}

function policyIn(error: JsonMap): string | undefined {
  const all = error["additionalInfo"];
  for (const one of Array.isArray(all) ? all : []) {
    const info = isJsonMap(one) && isJsonMap(one["info"]) ? one["info"] : {};
    const name = info["policyAssignmentDisplayName"] ?? info["policyDefinitionDisplayName"];
    if (typeof name === "string" && name !== "") return name.slice(0, 200);
  }
  return undefined;
}

const taken =
  /already (?:exists|in use|been taken|taken)|is (?:already )?taken|not available|name is (?:already )?(?:in use|reserved)|deleted state/i;
const limited =
  /quota|limit (?:has been |is |was )?(?:reached|exceeded)|exceed(?:s|ed|ing)? .{0,60}limit|maximum number/i;
const working =
  /in progress|being (?:created|updated|deleted|provisioned)|another operation|currently (?:running|updating|busy)|not (?:yet )?(?:ready|provisioned|succeeded)|try again|retry/i;

/** By the whole code, in lower case. */
const exact: Readonly<Record<string, FailureMeaning>> = {
  authorizationfailed: "denied",
  linkedauthorizationfailed: "denied",
  invalidauthenticationtoken: "denied",
  expiredauthenticationtoken: "denied",
  invalidauthenticationtokentenant: "denied",
  authenticationfailed: "denied",
  subscriptionnotfound: "denied",
  invalidsubscriptionid: "denied",
  tenantnotfound: "denied",
  scopelocked: "denied",
  readonlydisabledsubscription: "denied",
  disallowedoperation: "denied",
  requestdisallowedbypolicy: "invalid",
  missingsubscriptionregistration: "invalid",
  subscriptionnotregistered: "invalid",
  noregisteredproviderfound: "invalid",
  invalidresourcetype: "invalid",
  invalidresourcenamespace: "invalid",
  skunotavailable: "invalid",
  locationnotavailableforresourcetype: "invalid",
  parentresourcenotfound: "gone",
  resourcegroupnotfound: "gone",
  resourcenotfound: "gone",
  notfound: "gone",
  agentpoolnotfound: "gone",
  containernotfound: "gone",
  roleassignmentnotfound: "gone",
  secretnotfound: "gone",
  vaultnotfound: "gone",
  anotheroperationinprogress: "busy",
  operationinprogress: "busy",
  concurrentupdateerror: "busy",
  conflictingserveroperation: "busy",
  retryableerror: "busy",
  resourcegroupbeingdeleted: "busy",
  referencedresourcenotprovisioned: "busy",
  resourcenotprovisioned: "busy",
  cannotdeleteresource: "busy",
  nicinuse: "busy",
  serverisbusy: "busy",
  serverbusy: "busy",
  invalidresourcelocation: "exists",
  roleassignmentexists: "exists",
  vaultalreadyexists: "exists",
  storageaccountalreadytaken: "exists",
  storageaccountalreadyexists: "exists",
  preconditionfailed: "stale",
  subscriptionrequeststhrottled: "throttled",
  resourcerequeststhrottled: "throttled",
  toomanyrequests: "throttled",
  allocationfailed: "quota",
  zonalallocationfailed: "quota",
  overconstrainedallocationrequest: "quota",
  overconstrainedzonalallocationrequest: "quota",
};

/** By what the code says. Each runs in linear time. */
const alike: readonly (readonly [RegExp, FailureMeaning])[] = [
  [/quota|limitreached|limitexceeded|countlimit|maxstorageaccountscount/i, "quota"],
  [/^inuse.*cannotbe|cannotbedeleted$|beinguse|inuseby/i, "busy"],
  [/(?<!operation)not(?:allowed|supported|permitted)$|unsupported|immutable|^invalid/, "invalid"],
  [
    /(?:alreadyexists|alreadyinuse|alreadytaken|nameunavailable|namenotavailable|notavailablename)$/i,
    "exists",
  ],
  [/operationinprogress|isbeing(?:created|updated|deleted)|notinsucceededstate|notready$/i, "busy"],
];

function byCode(code: string): FailureMeaning | undefined {
  const lower = code.toLowerCase();
  if (Object.hasOwn(exact, lower)) return exact[lower];
  return alike.find(([pattern]) => pattern.test(lower))?.[1];
}

/**
 * What an error means; undefined: nobody knows, so the call may have had an effect. A 404 means that the object is gone
 * only if ARM says so with a code that is known for it: a gateway's page, or a feature or a subscription that Azure does
 * not find, says nothing of the object.
 */
export function meaningOf(
  status: number,
  { code, message, inner, isForeign }: Said,
  verb: Answered["verb"],
): FailureMeaning | undefined {
  const isMissing = status === 404 || status === 410;
  if (isMissing && (isForeign === true || code === "")) return unsaidFor(verb);
  const known = byCode(code);
  if (known === "gone") return isMissing ? goneFor(verb) : "invalid";
  if (known === "exists" && verb !== "create") return "busy";
  if (known !== undefined) return known;
  if (status === 429) return "throttled";
  if (isMissing) {
    const isOther = !/notfound|notexist/i.test(code) || verb === "create" || verb === "update";
    return isOther ? "invalid" : unsaidFor(verb);
  }
  const within = inner.map(byCode).find((one) => one !== undefined && one !== "gone");
  if (within !== undefined && (within !== "exists" || verb === "create")) return within;
  if (status === 409 || status === 400) {
    if (limited.test(message)) return "quota";
    if (verb === "create" && taken.test(message)) return "exists";
    if (working.test(message)) return "busy";
  }
  if (status === 409) {
    const isSaid = verb === "create" && code !== "" && !/^conflict/i.test(code);
    return isSaid || /^operationnotallowed$/i.test(code) ? "invalid" : "busy";
  }
  return status === 412 ? "stale" : undefined;
}

/** What a create does not find is what it stands in. */
function goneFor(verb: Answered["verb"]): FailureMeaning {
  return verb === "create" ? "invalid" : "gone";
}

/** What a 404 means that says nothing of the object. After a delete and a poll the object is read anyway. */
function unsaidFor(verb: Answered["verb"]): FailureMeaning {
  return verb === "delete" || verb === "poll" ? "gone" : "busy";
}

/** The action that the credential may not do. */
function permissionIn({ code, message }: Said): string | undefined {
  const linked = /linkedauthorizationfailed/i.test(code);
  const actions = [...message.matchAll(/perform actions?(?:\(s\))? '([A-Za-z0-9./*-]{1,200})'/g)];
  return (linked ? actions.at(-1) : actions[0])?.[1];
}

function namespaceIn(message: string): string | undefined {
  return /namespace '([A-Za-z0-9.]{1,100})'/i.exec(message)?.[1];
}

/** What to do, where the words of Azure leave that open. */
function adviceFor(said: Said, means: FailureMeaning | undefined, { verb }: Answered): string {
  const { code, message, policy } = said;
  switch (code.toLowerCase()) {
    case "missingsubscriptionregistration":
    case "subscriptionnotregistered": {
      const namespace = namespaceIn(message) ?? "<namespace>";
      return `Register the resource provider once for the subscription: az provider register --namespace ${namespace}`;
    }
    case "subscriptionnotfound":
    case "invalidsubscriptionid":
      return "Correct subscriptionId in the target's config, or give the application a role in the subscription.";
    case "resourcegroupnotfound":
      return verb === "create"
        ? "Create the resource group first: as a resource of the template, named by `resourceGroup`, or at Azure."
        : "";
    case "parentresourcenotfound":
      return verb === "create" ? "The object that `parent` names does not exist." : "";
    case "requestdisallowedbypolicy":
      return `${policy === undefined ? "A policy" : `The policy "${policy}"`} of the subscription refuses these properties: change them, or have the policy exempt this.`;
    case "skunotavailable":
      return "Choose another size, zone or region: az vm list-skus --location <region> shows what there is.";
    case "scopelocked":
      return "Remove the lock at Azure first.";
    case "invalidresourcetype":
    case "invalidresourcenamespace":
    case "noregisteredproviderfound":
      return "Correct the type, or the version of its API after @.";
    case "principalnotfound":
      return "A new identity takes a while to be known everywhere: set properties.principalType, for example to ServicePrincipal, and Azure does not look for it.";
    default:
      break;
  }
  if (means === "exists" && /deleted state/i.test(message))
    return "Recover the deleted object, purge it, or choose another name.";
  return means === "quota" ? "Ask Azure for more, or use another region or size." : "";
}

/** An error of ARM as the engine takes it. */
export function armError(answer: Answer, of: Answered): ProviderError {
  const said = saidIn(answer.json) ?? { code: "", message: "", inner: [], isForeign: true };
  const means = meaningOf(answer.status, said, of.verb);
  const permission = means === "denied" ? permissionIn(said) : undefined;
  const words = said.message === "" ? "no reason given" : said.message;
  const spreads = spreadsAtAzure(said, of.verb);
  return {
    code: said.code || `http_${answer.status}`,
    message: withAdvice(words, adviceFor(said, means, of)),
    ...(isNotSpread(said, of) ? { means: "busy" } : means === undefined ? {} : { means }),
    ...(spreads === undefined ? {} : { spreads }),
    ...(permission === undefined ? {} : { permission }),
  };
}

/** Whether a role is given to a principal that was just made, which Azure does not know everywhere yet. */
function isNotSpread({ code }: Said, { verb, type = "" }: Answered): boolean {
  const gives = verb === "create" || verb === "update" || verb === "delete";
  return gives && code === "PrincipalNotFound" && parseTypeName(type)?.name === ROLE_ASSIGNMENT;
}

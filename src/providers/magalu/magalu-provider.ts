/**
 * Magalu Cloud: seven regional services behind one host, an API key, and tables of types. The region is the first
 * segment of every path, by the object's `region`. No service knows idempotency tokens or labels that can be relied on, so
 * a create whose answer was lost is looked up by its name among what was made since. Keeps no state.
 */
import * as z from "zod";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { accessKeySchema } from "#providers/buckets/access-key.ts";
import { withBuckets } from "#providers/buckets/with-buckets.ts";
import type { Provider, ProviderContext } from "#providers/provider.ts";
import type {
  Answered,
  Failed,
  ProviderError,
  RequestResult,
  RequestSpec,
  RestProviderDefinition,
} from "#providers/rest/definition.ts";
import { restProvider } from "#providers/rest/rest-provider.ts";
import { withAdvice } from "#providers/rest/with-advice.ts";
import type { Answer } from "#providers/transport.ts";
import { meaningOf } from "./meaning.ts";
import { magaluBuckets, OBJECTS, objectsUrl } from "./object-storage.ts";
import { beforeItem, headersOf, NETWORK, regions } from "./place.ts";
import { magaluTypes, rowInUse } from "./types.ts";

/** Advice for an answer whose words give none. */
function adviceFor({ status }: Answer, message: string, { verb, type }: Answered): string {
  if (status === 401)
    return "The API key is wrong, has expired or was revoked: set the credential to one that is valid.";
  if (status === 403) return "Give the API key the scope for this service.";
  if (status === 404 && verb !== "create")
    return "Nothing says that the object is missing: check the region.";
  if (type === "magalu:Vm" && verb === "create" && /volume/i.test(message))
    return "A volume is attached to one machine at a time: to replace a machine that has volumes, set its option deleteBeforeReplace.";
  if (type === "magalu:Vm" && verb === "create" && /\bport\b|interface/i.test(message))
    return "A port goes with the machine that it is attached to: check for drift, which shows that it is to be made again, then deploy.";
  if (type === "magalu:Vm" && /stopped/i.test(message))
    return "A volume is detached from a machine that is stopped: stop it and deploy again.";
  if (type === "magalu:Volume" && verb === "update" && /available|in-use/i.test(message))
    return "A volume changes while it is detached: detach it and deploy again.";
  return "";
}

/** The code and words of an error: services answer an object, a list of objects, or the findings of a validation. */
function errorIn(json: Json | undefined): { slug?: string; words?: string } {
  const one = Array.isArray(json) ? json[0] : json;
  if (!isJsonMap(one)) return {};
  const { slug, message, detail, msg } = one;
  const of = typeof slug === "string" && slug !== "" ? { slug } : {};
  for (const words of [message, detail, msg])
    if (typeof words === "string" && words !== "") return { ...of, words };
  if (!Array.isArray(detail)) return of;
  const found = detail.flatMap((item) => {
    if (!isJsonMap(item)) return [];
    const { loc, msg: said } = item;
    const at = Array.isArray(loc)
      ? `${loc.filter((part) => typeof part === "string" || typeof part === "number").join(".")}: `
      : "";
    return typeof said === "string" ? [at + said] : [];
  });
  return { ...of, words: found.join("; ") };
}

function readError(answer: Answer, of: Answered): ProviderError {
  const { slug, words = "unknown reason" } = errorIn(answer.json);
  const isSaid = slug !== undefined || isJsonMap(answer.json) || Array.isArray(answer.json);
  const means = meaningOf(answer.status, words, of, isSaid);
  const waits = means === "busy" && of.verb === "create";
  const isAdvised = means === undefined || means === "invalid" || waits;
  return {
    code: slug ?? `http_${answer.status}`,
    message:
      isAdvised && !isGone(answer, means) ? withAdvice(words, adviceFor(answer, words, of)) : words,
    ...(means === undefined ? {} : { means }),
  };
}

function isGone({ status }: Answer, means: ProviderError["means"]): boolean {
  return status === 404 && means === undefined;
}

/** An API key: bare, or as `{"apiKey": "…"}`, with a key pair of object storage beside it. */
function credentialSchema() {
  const apiKey = z.string().regex(/^[\x21-\x7e]{1,500}$/, { error: "must be an API key" });
  const keyPair = accessKeySchema().optional();
  return z.union([apiKey, z.strictObject({ apiKey, keyPair })]);
}

type Ask = (spec: RequestSpec) => Promise<RequestResult>;

/** The tenant of the key, which networks and security groups name: each region has some from the start. */
async function account(_: ProviderContext, ask: Ask): Promise<string | Failed> {
  for (const kind of ["vpcs", "security_groups"]) {
    const result = await ask({ method: "GET", path: `${NETWORK}/v0/${kind}` });
    if (!result.ok) return result.failed;
    const list = isJsonMap(result.answer.json) ? result.answer.json[kind] : undefined;
    for (const one of Array.isArray(list) ? list : [])
      if (isJsonMap(one) && typeof one["tenant_id"] === "string" && one["tenant_id"] !== "")
        return one["tenant_id"];
  }
  return {
    kind: "failed",
    code: "unknown_account",
    message:
      "Magalu shows neither a VPC nor a security group in the target's region, and so not whose the API key is. Make a VPC by hand.",
    retryable: false,
    unknownOutcome: false,
  };
}

export function magaluDefinition(): RestProviderDefinition {
  const schema = credentialSchema();
  const keyOf = (credential: Json): string => {
    const parsed = schema.parse(credential);
    return typeof parsed === "string" ? parsed : parsed.apiKey;
  };
  return {
    types: magaluTypes,
    rowIn: (row, _: JsonMap, properties) => rowInUse(row, properties),
    baseUrl: () => "https://api.magalu.cloud",
    hosts: { [OBJECTS]: ({ region }) => objectsUrl(region) },
    credential: schema,
    config: z.object({}),
    authorize: (_, { credential }) => ({ "x-api-key": keyOf(credential) }),
    headers: (_, row) => headersOf(row),
    beforeItem,
    readError,
    regions: { known: regions.join(" ") },
    concurrency: 4,
    account,
    verifyPath: `${NETWORK}/v0/vpcs`,
  };
}

export function magaluProvider(): Provider {
  const definition = magaluDefinition();
  const schema = credentialSchema();
  const buckets = magaluBuckets((credential) => {
    const parsed = schema.parse(credential);
    return typeof parsed === "string" ? undefined : parsed.keyPair;
  });
  return withBuckets(restProvider(definition), definition, buckets);
}

/**
 * DigitalOcean: the tables of types, a bearer token, and how its answers are read. It knows no idempotency tokens, so a
 * create whose answer was lost is looked up: by a tag of ours where objects have tags, else by its name among what was
 * created since. What has neither ends with `cannot_tell`. Keeps no state.
 */
import * as z from "zod";
import { isJsonMap, type Json } from "#platform/json.ts";
import { accessKeySchema } from "#providers/buckets/access-key.ts";
import { withBuckets } from "#providers/buckets/with-buckets.ts";
import type { CreateCall, Outcome, Provider, ProviderContext } from "#providers/provider.ts";
import type {
  Answered,
  ProviderError,
  RestProviderDefinition,
} from "#providers/rest/definition.ts";
import { budgetIn } from "#providers/rest/requests/budget-in.ts";
import { restProvider } from "#providers/rest/rest-provider.ts";
import { withAdvice } from "#providers/rest/with-advice.ts";
import type { Answer } from "#providers/transport.ts";
import { actionPoller } from "./action-poller.ts";
import { meaningOf } from "./meaning.ts";
import { prepareRequest, readsFirst, rowInUse } from "./prepare-request.ts";
import { SPACES, spacesBuckets, spacesHost } from "./spaces.ts";
import { beforeItem, leftovers } from "./tag-parts.ts";
import { digitaloceanTypes } from "./types.ts";

/** Advice for an answer whose words give none. */
function adviceFor({ status }: Answer, message: string, { verb, type }: Answered): string {
  if (status === 401)
    return "The token is wrong, has expired or was revoked: set the credential to a token that is valid.";
  if (status === 403 && verb === "verify")
    return "The token lacks the scope account:read: give it that scope and those of the resources to deploy.";
  if (status === 403) return "Give the token the scope for this resource.";
  if (type === "digitalocean:Kubernetes" && verb === "update" && /version/i.test(message))
    return "An upgrade takes the whole slug of a version, for example 1.34.1-do.0.";
  if (type === "digitalocean:Droplet" && verb === "update" && /power|running/i.test(message))
    return "A Droplet is resized while it is powered off: power it off and deploy again, or set the option replaceOnChanges: [size].";
  return "";
}

function readError(answer: Answer, of: Answered): ProviderError {
  const { id, message } = isJsonMap(answer.json) ? answer.json : {};
  const words = typeof message === "string" && message !== "" ? message : "unknown reason";
  const means = meaningOf(answer.status, words, of);
  return {
    code: typeof id === "string" && id !== "" ? id : `http_${answer.status}`,
    message: means === undefined ? withAdvice(words, adviceFor(answer, words, of)) : words,
    ...(means === undefined ? {} : { means }),
  };
}

/** The team, which owns the objects; an account from before there were teams has itself alone. */
const teamOf: NonNullable<RestProviderDefinition["account"]> = async (_, request) => {
  const asked = await request({ method: "GET", path: "/v2/account" });
  if (!asked.ok) return asked.failed;
  const { json } = asked.answer;
  const { account } = isJsonMap(json) ? json : {};
  const { uuid, team } = isJsonMap(account) ? account : {};
  const id = isJsonMap(team) ? team["uuid"] : uuid;
  return typeof id === "string" ? id : "";
};

/** A personal access token: bare, or as `{"token": "…"}`, with an access key of Spaces beside it. */
function credentialSchema() {
  const token = z.string().regex(/^[\x21-\x7e]{1,500}$/, { error: "must be a token" });
  const spacesAccessKey = accessKeySchema().optional();
  return z.union([token, z.strictObject({ token, spacesAccessKey })]);
}

export function digitaloceanDefinition(): RestProviderDefinition {
  const schema = credentialSchema();
  const tokenOf = (credential: Json): string => {
    const parsed = schema.parse(credential);
    return typeof parsed === "string" ? parsed : parsed.token;
  };
  return {
    types: digitaloceanTypes,
    baseUrl: () => "https://api.digitalocean.com",
    hosts: { [SPACES]: ({ region }) => `https://${spacesHost(region)}` },
    credential: schema,
    config: z.object({}),
    authorize: (_, { credential }) => ({ authorization: `Bearer ${tokenOf(credential)}` }),
    rowIn: rowInUse,
    readsFirst,
    prepare: prepareRequest,
    beforeItem,
    leftovers,
    readError,
    // The hourly budget of the token.
    readBudget: ({ headers }, nowMs) => budgetIn(headers, "ratelimit-", nowMs),
    paging: { by: "link", at: "links.pages.next", size: { query: "per_page", count: 200 } },
    poller: actionPoller,
    concurrency: 6,
    account: teamOf,
    verifyPath: "/v2/account",
  };
}

export function digitaloceanProvider(): Provider {
  const definition = digitaloceanDefinition();
  const schema = credentialSchema();
  const buckets = spacesBuckets((credential) => {
    const parsed = schema.parse(credential);
    return typeof parsed === "string" ? undefined : parsed.spacesAccessKey;
  });
  const provider = withBuckets(restProvider(definition), definition, buckets);
  return {
    ...provider,
    create: async (context, call) =>
      (await zoneAround(provider, context, call)) ?? provider.create(context, call),
  };
}

/**
 * Where tenants share the account, a zone inside one that is there already would take its names over, and the other may
 * be the operator's, which nobody has claimed. The reason not to create it.
 */
async function zoneAround(
  provider: Provider,
  context: ProviderContext,
  { type, name, properties }: CreateCall,
): Promise<Extract<Outcome, { kind: "failed" }> | undefined> {
  const zone = properties["name"];
  if (context.ownAccount === true || type !== "digitalocean:Domain" || typeof zone !== "string")
    return undefined;
  const labels = zone.split(".");
  for (let at = 1; at <= labels.length - 2; at += 1) {
    const id = labels.slice(at).join(".");
    const seen = await provider.read(context, { type, id, name, properties: { name: id } });
    if (seen.kind === "gone") continue;
    // The create was not sent.
    if (seen.kind === "failed") return { ...seen, unknownOutcome: false };
    return {
      kind: "failed",
      code: "reference_not_allowed",
      message: `${zone} is inside another domain of this account, which tenants share. Use another domain, or a target of your own`,
      retryable: false,
      unknownOutcome: false,
    };
  }
  return undefined;
}

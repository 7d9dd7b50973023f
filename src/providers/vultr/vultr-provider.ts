/**
 * Vultr: the tables of types, an API key, and how its answers are read. It knows no idempotency tokens, so a create whose
 * answer was lost is looked up: by a tag of ours at machines, else by its properties among what was created since. What
 * has neither ends with `cannot_tell`. Keeps no state.
 */
import * as z from "zod";
import { isJsonMap, type Json } from "#platform/json.ts";
import type { Provider } from "#providers/provider.ts";
import type {
  Answered,
  ProviderError,
  RestProviderDefinition,
} from "#providers/rest/definition.ts";
import { failure } from "#providers/rest/requests/attempt.ts";
import { restProvider } from "#providers/rest/rest-provider.ts";
import { valueAt } from "#providers/rest/value-at.ts";
import { withAdvice } from "#providers/rest/with-advice.ts";
import type { Answer } from "#providers/transport.ts";
import { meaningOf, WRONG_ID } from "./meaning.ts";
import { listed, waitsFor } from "./row-parts.ts";
import { vultrTypes } from "./types.ts";

/** The budget is so many calls each second. */
const THROTTLED_MS = 1_000;

const ACCOUNT = "/v2/account";

/** A key is taken from listed addresses alone, which are not those of whoever made it. */
const wrongAddress = /unauthorized ip/i;
const ADMIT =
  "Vultr takes this key from the addresses alone that its access control lists: add those that this service calls from, or allow all, in Vultr's portal under Account, API.";

/** What to do about an answer, where its words leave that open. */
function adviceFor({ status }: Answer, message: string, { verb, type }: Answered): string {
  if ((status === 401 || status === 403) && wrongAddress.test(message)) return ADMIT;
  if (status === 401)
    return "The API key is wrong, or was replaced or disabled: set the credential to the one of the user in Vultr's portal.";
  if (status === 403)
    return "The key's user lacks the permission for this: give it to the user in Vultr's portal.";
  if (type === "vultr:Instance" && verb === "update" && /plan|grade/i.test(message))
    return "An instance can only get a larger plan of its kind: name one, or set the option replaceOnChanges: [plan].";
  if (type === "vultr:Block" && verb === "update" && /size|smaller|shrink/i.test(message))
    return "A volume can only grow: name a larger size, or set the option replaceOnChanges: [size_gb].";
  if (/base-?64/i.test(message)) return "Wrap the text in fn::toBase64.";
  return "";
}

function readError(answer: Answer, of: Answered): ProviderError {
  const { error } = isJsonMap(answer.json) ? answer.json : {};
  const isVultrs = typeof error === "string" && error !== "";
  const words = isVultrs ? error : "unknown reason";
  const { means, code = `http_${answer.status}` } = meaningOf(answer.status, words, of, isVultrs);
  return {
    code,
    message:
      means === undefined || means === "invalid"
        ? withAdvice(words, adviceFor(answer, words, of))
        : words,
    ...(means === undefined ? {} : { means }),
    ...(answer.status === 429 && answer.afterMs === undefined ? { afterMs: THROTTLED_MS } : {}),
  };
}

/** An API key: bare, or as `{"apiKey": "…"}`. */
function credentialSchema() {
  const apiKey = z.string().regex(/^[\x21-\x7e]{1,500}$/, { error: "must be an API key" });
  return z.union([apiKey, z.strictObject({ apiKey })]);
}

export function vultrDefinition(): RestProviderDefinition {
  const schema = credentialSchema();
  const keyOf = (credential: Json): string => {
    const parsed = schema.parse(credential);
    return typeof parsed === "string" ? parsed : parsed.apiKey;
  };
  return {
    types: vultrTypes,
    baseUrl: () => "https://api.vultr.com",
    credential: schema,
    config: z.object({}),
    authorize: (_, { credential }) => ({ authorization: `Bearer ${keyOf(credential)}` }),
    readError,
    waitsFor,
    listed,
    hides: [WRONG_ID],
    paging: { by: "cursor", at: "meta.links.next", query: "cursor" },
    // 30 calls a second from one address, which other targets of the installation call from, too.
    concurrency: 6,
    verifyPath: ACCOUNT,
    verify: async (_, request, refused) => {
      const result = await request({ method: "GET", path: ACCOUNT });
      if (result.ok) return { ok: true };
      const told = refused(result);
      const isAddress = !told.ok && wrongAddress.test(told.message);
      return isAddress ? { ...told, hint: ADMIT } : told;
    },
    // Each user of an account has an address of its own.
    accountNameChanges: true,
    account: async (_, request) => {
      const result = await request({ method: "GET", path: ACCOUNT });
      if (!result.ok) return result.failed;
      const email = valueAt(result.answer.json, "account.email");
      return typeof email === "string" && email !== ""
        ? email.toLowerCase()
        : failure("invalid_answer", "vultr answered without the account's address.", {
            retryable: true,
          });
    },
  };
}

export function vultrProvider(): Provider {
  return restProvider(vultrDefinition());
}

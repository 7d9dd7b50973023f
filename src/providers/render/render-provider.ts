/**
 * Render: the tables of types, an API key, and the workspace that everything is in. It knows no idempotency tokens and no
 * tags, so a create whose answer was lost is looked up by its name among what was created since. What does not say when
 * it was created is found only under a name of the engine's choice; a route and a variable not at all. Keeps no state.
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
import { budgetIn, sharedBudgetIn } from "#providers/rest/requests/budget-in.ts";
import { restProvider } from "#providers/rest/rest-provider.ts";
import { withAdvice } from "#providers/rest/with-advice.ts";
import type { Answer } from "#providers/transport.ts";
import { jobsProvider } from "./jobs.ts";
import { meaningOf } from "./meaning.ts";
import { beforeItem, effectOf, listed } from "./row-parts.ts";
import { renderTypes } from "./types.ts";
import { workspaceProvider } from "./workspace.ts";

const OWNER_PATH = "/v1/owners/{ownerId}";
const NO_WORKSPACE = "The target names no workspace. Set `ownerId` in its config.";
const RATE = "ratelimit-";
const DAY_MS = 86_400_000;

/** A 404 or 410 without Render's own JSON is of something in between, and says nothing of the object. */
function isOfAnother({ status, json }: Answer): boolean {
  const { message } = isJsonMap(json) ? json : {};
  return (status === 404 || status === 410) && (typeof message !== "string" || message === "");
}

/** Advice for an answer whose words give none. */
function adviceFor(answer: Answer, message: string, { verb }: Answered): string {
  const { status } = answer;
  if (status === 401)
    return "The key is wrong or was revoked: set the credential to an API key that is valid.";
  if (status === 402) return "Add payment information to the workspace at Render.";
  if ((status === 403 || status === 404) && verb === "verify")
    return "The key does not open the workspace of `ownerId` in the target's config.";
  if (isOfAnother(answer))
    return "The answer is not one of Render's API: look at what stands between, such as a proxy.";
  if (/suspended/i.test(message)) return "Resume it at Render and deploy again.";
  return "";
}

function readError(answer: Answer, of: Answered): ProviderError {
  const { id, message } = isJsonMap(answer.json) ? answer.json : {};
  const words = typeof message === "string" && message !== "" ? message : "unknown reason";
  const means = isOfAnother(answer) ? "denied" : meaningOf(answer.status, words, of);
  const waitMs = answer.status === 429 ? budgetIn(answer.headers, RATE, 0)?.resetMs : undefined;
  return {
    code: typeof id === "string" && id !== "" ? id : `http_${answer.status}`,
    message: withAdvice(words, adviceFor(answer, words, of)),
    ...(means === undefined ? {} : { means }),
    // The few creates of an hour are whole again when the headers say.
    ...(waitMs === undefined || waitMs > DAY_MS || answer.afterMs !== undefined
      ? {}
      : { afterMs: waitMs }),
  };
}

/** An API key: bare, or as `{"apiKey": "…"}`. */
function credentialSchema() {
  const apiKey = z.string().regex(/^[\x21-\x7e]{1,500}$/, { error: "must be an API key" });
  return z.union([apiKey, z.strictObject({ apiKey })]);
}

export function renderDefinition(): RestProviderDefinition {
  const schema = credentialSchema();
  const keyOf = (credential: Json): string => {
    const parsed = schema.parse(credential);
    return typeof parsed === "string" ? parsed : parsed.apiKey;
  };
  return {
    types: renderTypes,
    baseUrl: () => "https://api.render.com",
    credential: schema,
    config: z.object({
      ownerId: z
        .string()
        .regex(/^(tea|usr|own)-[a-z0-9]{1,60}$/)
        .optional()
        .describe("The id of the workspace: tea-… or usr-…"),
    }),
    authorize: (_, { credential }) => ({ authorization: `Bearer ${keyOf(credential)}` }),
    readError,
    listed,
    effectOf,
    beforeItem,
    readBudget: ({ headers }, nowMs) => sharedBudgetIn(headers, RATE, nowMs),
    paging: { by: "item", at: "cursor", query: "cursor", size: { query: "limit", count: 100 } },
    concurrency: 4,
    verifyPath: OWNER_PATH,
    verify: async ({ config }, request, refused) => {
      if (config["ownerId"] === undefined)
        return { ok: false, code: "invalid_config", message: NO_WORKSPACE, retryable: false };
      const result = await request({ method: "GET", path: OWNER_PATH });
      return result.ok ? { ok: true } : refused(result);
    },
    // Whether a key opens the workspace; a 404 says that it does not.
    account: async ({ config }, request) => {
      if (config["ownerId"] === undefined)
        return failure("invalid_config", NO_WORKSPACE, { means: "invalid", fault: "user" });
      const result = await request({ verb: "verify", method: "GET", path: OWNER_PATH });
      if (!result.ok)
        return result.failed.means === "gone"
          ? { ...result.failed, means: "denied" }
          : result.failed;
      const { id } = isJsonMap(result.answer.json) ? result.answer.json : {};
      return typeof id === "string"
        ? id
        : failure("invalid_answer", "Render showed a workspace without an id.", {
            retryable: true,
          });
    },
  };
}

export function renderProvider(): Provider {
  return jobsProvider(workspaceProvider(restProvider(renderDefinition())));
}

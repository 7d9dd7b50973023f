/**
 * Vercel: the tables of types, each with a version of the API in its path, a bearer token, and the team as a parameter of
 * every call. It knows no idempotency tokens: a deployment whose answer was lost is found by a mark in its `meta`, other
 * objects by their properties among what was created since. A webhook and a certificate are not looked for. Keeps no
 * state.
 */
import * as z from "zod";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
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
import { meaningOf } from "./meaning.ts";
import { CODE_CHOOSES } from "./project-rows.ts";
import { noTeam, teamProvider, withoutTeam } from "./team.ts";
import { vercelTypes } from "./types.ts";
import { prepareRequest, readsFirst, refusalIn } from "./vercel-type.ts";

const RATE = "x-ratelimit-";
const REGIONS =
  "arn1 bom1 cdg1 cle1 cpt1 dub1 dxb1 fra1 gru1 hkg1 hnd1 iad1 icn1 kix1 lhr1 pdx1 sfo1 sin1 syd1 yul1";
const TEAM_PATH = "/v2/teams/{teamId}";

const map = (value: Json | undefined): JsonMap => (isJsonMap(value) ? value : {});

/** Advice for an answer whose words give none. */
function adviceFor({ status, json }: Answer, { verb }: Answered): string {
  if (status === 401 || map(map(json)["error"])["invalidToken"] === true)
    return "The token is wrong, has expired or was revoked: set the credential to a token that is valid.";
  if (status === 403 && verb === "verify")
    return "The token does not open the team of `teamId` in the target's config: make one with that team as its scope.";
  if (status === 403) return "Give the token's owner a role in the team that may do this.";
  return "";
}

function readError(answer: Answer, of: Answered): ProviderError {
  const { code, message } = map(map(answer.json)["error"]);
  const words = typeof message === "string" && message !== "" ? message : "unknown reason";
  const name = typeof code === "string" ? code : "";
  const means = meaningOf(answer.status, name, words, of);
  const isDenied = means === undefined || means === "denied";
  return {
    code: name === "" ? `http_${answer.status}` : name,
    message: isDenied ? withAdvice(words, adviceFor(answer, of)) : words,
    ...(means === undefined ? {} : { means }),
    ...waitOf(answer),
  };
}

/** The wait until a path's used-up budget is whole again, by the answer's own clock. */
function waitOf({ status, headers, afterMs }: Answer): Pick<ProviderError, "afterMs"> {
  const nowMs = Date.parse(headers.get("date") ?? "");
  if (status !== 429 || afterMs !== undefined || Number.isNaN(nowMs)) return {};
  const budget = budgetIn(headers, RATE, nowMs);
  return budget === undefined ? {} : { afterMs: Math.max(1_000, budget.resetMs - nowMs) };
}

/** An access token: bare, or as `{"token": "…"}`. */
function credentialSchema() {
  const token = z.string().regex(/^[\x21-\x7e]{1,500}$/, { error: "must be a token" });
  return z.union([token, z.strictObject({ token })]);
}

export function vercelDefinition(): RestProviderDefinition {
  const schema = credentialSchema();
  const tokenOf = (credential: Json): string => {
    const parsed = schema.parse(credential);
    return typeof parsed === "string" ? parsed : parsed.token;
  };
  return {
    types: vercelTypes,
    baseUrl: () => "https://api.vercel.com",
    credential: schema,
    config: z.object({
      teamId: z
        .string()
        .regex(/^team_[A-Za-z0-9]{1,60}$/)
        .optional()
        .describe("The id of the team, team_…. Required: without it no call is made"),
      [CODE_CHOOSES]: z
        .boolean()
        .optional()
        .describe("Whether code may move functions to other regions than the project's"),
    }),
    authorize: (_, { credential }) => ({ authorization: `Bearer ${tokenOf(credential)}` }),
    query: ({ config }): Record<string, string> => {
      const { teamId } = config;
      return typeof teamId === "string" ? { teamId } : {};
    },
    readError,
    readsFirst,
    prepare: prepareRequest,
    refusalIn,
    readBudget: ({ headers }, nowMs) => sharedBudgetIn(headers, RATE, nowMs),
    // Lists of deployments call it otherwise than a deployment does, as do answers to new records.
    idIn: ({ id, uid, name }, row) => {
      const shown = row.id?.at === "name" ? name : (id ?? uid);
      return typeof shown === "string" ? shown : undefined;
    },
    regions: { known: REGIONS },
    concurrency: 4,
    verifyPath: TEAM_PATH,
    verify: async (context, request, refused) => {
      if (withoutTeam(context) !== undefined) return { ok: false, ...noTeam, retryable: false };
      const result = await request({ method: "GET", path: TEAM_PATH });
      return result.ok ? { ok: true } : refused(result);
    },
    account: async (context, request) => {
      const mistake = withoutTeam(context);
      if (mistake !== undefined) return mistake;
      const result = await request({ verb: "verify", method: "GET", path: TEAM_PATH });
      if (!result.ok)
        return result.failed.means === "gone"
          ? { ...result.failed, means: "denied" }
          : result.failed;
      const { id } = map(result.answer.json);
      return typeof id === "string"
        ? id
        : failure("invalid_answer", "Vercel showed a team without an id.", { retryable: true });
    },
  };
}

export function vercelProvider(): Provider {
  return teamProvider(restProvider(vercelDefinition()));
}

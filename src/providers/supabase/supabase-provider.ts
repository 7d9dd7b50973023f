/**
 * Supabase: the Management API, by a personal access token. It knows no idempotency tokens and no tags, so a create
 * whose answer was lost is looked up by its properties among what was created since. Keeps no state.
 */
import * as z from "zod";
import { isJsonMap, type Json } from "#platform/json.ts";
import type { Provider, RateBudget } from "#providers/provider.ts";
import type { RequestResult, RestProviderDefinition } from "#providers/rest/definition.ts";
import { failure } from "#providers/rest/requests/attempt.ts";
import { restProvider } from "#providers/rest/rest-provider.ts";
import type { Answer } from "#providers/transport.ts";
import { readError } from "./meaning.ts";
import { withPausedProjects } from "./paused-projects.ts";
import { prepareRequest } from "./prepare-request.ts";
import { supabaseTypes } from "./types.ts";

/** Calls that the token has in the organization or project. */
function readBudget({ headers }: Answer, nowMs: number): RateBudget | undefined {
  const [remaining, resetSeconds] = ["remaining", "reset"].map((name) => {
    const text = headers.get(`x-ratelimit-${name}`) ?? "";
    return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  });
  if (remaining === undefined || resetSeconds === undefined) return undefined;
  return { remaining, resetMs: nowMs + resetSeconds * 1000 };
}

/** A personal access token: bare, or as `{"token": "…"}`. */
function credentialSchema() {
  const token = z.string().regex(/^[\x21-\x7e]{1,500}$/, { error: "must be a token" });
  return z.union([token, z.strictObject({ token })]);
}

function configSchema() {
  return z.object({
    organizationSlug: z
      .string()
      .regex(/^[\w-]{1,100}$/)
      .optional()
      .describe("The slug of the organization, as its dashboard's address has it"),
  });
}

const REGIONS =
  "us-east-1 us-east-2 us-west-1 us-west-2 ap-east-1 ap-southeast-1 ap-northeast-1 ap-northeast-2 ap-southeast-2 eu-west-1 eu-west-2 eu-west-3 eu-north-1 eu-central-1 eu-central-2 ca-central-1 ap-south-1 sa-east-1";

const organizations = { method: "GET", path: "/v1/organizations", filled: true } as const;

/** Whether the token's owner belongs to the target's organization. */
function opens({ answer }: Extract<RequestResult, { ok: true }>, slug: string): boolean {
  const { json } = answer;
  return Array.isArray(json) && json.some((one) => isJsonMap(one) && one["slug"] === slug);
}

function notMember(slug: string | undefined): string {
  return slug === undefined
    ? "The target names no organization. Set `organizationSlug` in its config."
    : `The token opens no organization with the slug ${slug}. Correct organizationSlug in the target's config, or use a token of one of its members.`;
}

export function supabaseDefinition(): RestProviderDefinition {
  const credential = credentialSchema();
  const config = configSchema();
  const tokenOf = (value: Json): string => {
    const parsed = credential.parse(value);
    return typeof parsed === "string" ? parsed : parsed.token;
  };
  return {
    types: supabaseTypes,
    baseUrl: () => "https://api.supabase.com",
    credential,
    config,
    authorize: (_, context) => ({ authorization: `Bearer ${tokenOf(context.credential)}` }),
    readError,
    prepare: prepareRequest,
    readBudget,
    regions: { known: REGIONS },
    concurrency: 4,
    verifyPath: "/v1/organizations",
    verify: async (context, request, refused) => {
      const slug = config.parse(context.config).organizationSlug;
      const result = await request(organizations);
      if (!result.ok) return refused(result);
      if (slug !== undefined && opens(result, slug)) return { ok: true };
      const message = notMember(slug);
      return { ok: false, code: "no_organization", message, retryable: false, means: "denied" };
    },
    account: async (context, request) => {
      const slug = config.parse(context.config).organizationSlug;
      const result = await request(organizations);
      if (!result.ok) return result.failed;
      if (slug !== undefined && opens(result, slug)) return slug;
      return failure("no_organization", notMember(slug), { means: "denied", fault: "user" });
    },
  };
}

export function supabaseProvider(): Provider {
  const provider = withPausedProjects(restProvider(supabaseDefinition()));
  const config = configSchema();
  return {
    ...provider,
    create: async (context, call) => {
      const own = config.parse(context.config).organizationSlug;
      const named = call.properties["organization_slug"];
      if (named === undefined || own === undefined || named === own)
        return provider.create(context, call);
      const message = `The target's organization is ${own}, and organization_slug names another. Leave it out.`;
      return failure("invalid_organization", message, { means: "invalid", fault: "user" });
    },
  };
}

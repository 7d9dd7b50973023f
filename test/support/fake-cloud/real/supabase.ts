import { type Behaviour } from "./behaviour.ts";
import { restShape } from "./rest-shape.ts";

const behaviours: readonly Behaviour[] = [
  {
    what: "a new project's pooler has no tenant yet",
    source: "https://github.com/supabase/terraform-provider-supabase/issues/239",
    does: "refuse",
    method: /^(?:POST|PATCH|PUT)$/,
    at: /\/network-restrictions/,
    status: 500,
    says: {
      code: "",
      message: "Failed to update network restrictions: error adding pooler tenant",
    },
    times: 3,
  },
  {
    what: "the service of functions does not know the project yet",
    source: "https://github.com/supabase/cli/issues/2782",
    does: "refuse",
    method: /^(?:POST|PATCH|PUT)$/,
    at: /\/v1\/projects\/[^/]+\/functions/,
    status: 406,
    says: { code: "", message: "Could not obtain service for project 1527228" },
  },
  {
    what: "functions are deployed, and the gateway has no answer",
    source: "https://github.com/dyad-sh/dyad/issues/4172",
    does: "refuse",
    method: /^(?:POST|PATCH|PUT)$/,
    at: /\/v1\/projects\/[^/]+\/functions/,
    hasEffect: true,
    status: 502,
    says: { code: "", message: "Bad Gateway" },
    times: 1,
  },
  {
    what: "calls are throttled",
    source: "https://supabase.com/docs/reference/api/introduction",
    does: "refuse",
    at: /\/v1\/projects/,
    status: 429,
    says: { code: "", message: "ThrottlerException: Too Many Requests" },
    headers: { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "5" },
    times: 1,
  },
  {
    what: "a gateway times out at a read",
    source: "https://github.com/supabase/supabase/issues/25820",
    does: "refuse",
    method: /^GET$/,
    at: /\/v1\/projects\/./,
    status: 522,
    says: { code: "", message: "Connection timed out" },
    times: 1,
  },
  {
    what: "a service is unavailable at a read",
    source: "https://github.com/supabase/supabase/issues/47126",
    does: "refuse",
    method: /^GET$/,
    at: /\/v1\/projects\/./,
    status: 503,
    says: { code: "", message: "Service unavailable" },
    times: 1,
  },
];

export const realSupabase = restShape({
  error: (_, { message }) => ({ message }),
  missing: { code: "", message: "Not found" },
  item: /\/v1\/projects\/[^/]+$/,
  names: ["ref", "id", "name"],
  ignores: /\/v1\/organizations/,
  behaviours,
});

import { type Behaviour } from "./behaviour.ts";
import { restShape, reversed } from "./rest-shape.ts";

const behaviours: readonly Behaviour[] = [
  {
    what: "a path's budget is used up",
    source: "https://github.com/Pytal/deploy-env/issues/16",
    does: "refuse",
    method: /^(?:POST|PATCH)$/,
    at: /\/projects/,
    status: 429,
    says: {
      code: "rate_limited",
      message: 'Too many requests - try again in 6 seconds (more than 120, code: "api-projects").',
    },
    headers: { "x-ratelimit-limit": "120", "x-ratelimit-remaining": "0" },
  },
  {
    what: "a budget is whole again before the answer says so",
    source: "https://github.com/vercel/terraform-provider-vercel/issues/99",
    does: "refuse",
    method: /^GET$/,
    at: /\/projects\/./,
    status: 429,
    says: {
      code: "rate_limited",
      message: 'Too many requests - try again in -70 ms (more than 120, code: "api-projects").',
    },
    headers: {
      "x-ratelimit-limit": "120",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": "1000000000",
    },
    times: 1,
  },
  {
    what: "the API has an internal error at a read",
    source: "https://vercel.com/docs/rest-api/reference/errors",
    does: "refuse",
    method: /^GET$/,
    at: /\/v\d+\//,
    status: 500,
    says: { code: "internal_server_error", message: "An unexpected internal error occurred" },
    times: 1,
  },
  {
    what: "targets of a variable are shown in another order",
    source: "https://github.com/vercel/terraform-provider-vercel/issues/255",
    does: "show",
    method: /^GET$/,
    at: /\/env(?:\/|$)/,
    as: (object) => reversed(object, "target"),
  },
  {
    what: "a project shows defaults of its own",
    source: "https://github.com/vercel/terraform-provider-vercel/issues/524",
    does: "show",
    method: /^GET$/,
    at: /\/projects\/[^/]+$/,
    as: (object) => ({ publicSource: null, buildCommand: null, ...object }),
  },
];

export const realVercel = restShape({
  error: (_, { code, message }) => ({ error: { code, message } }),
  missing: { code: "not_found", message: "The requested resource was not found." },
  item: /\/(?:prj|ecfg|dpl|env|edge|rec|icfg|cert|hook|tok)[_-]?[^/]+$/,
  names: ["id", "uid", "name"],
  ignores: /\/v2\/teams\//,
  behaviours,
});

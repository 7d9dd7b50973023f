import { isJsonMap } from "#platform/json.ts";
import { type Behaviour } from "./behaviour.ts";
import { restShape, reversed } from "./rest-shape.ts";

const DELETE = /^DELETE$/;

const behaviours: readonly Behaviour[] = [
  {
    what: "a new database is not found",
    source: "https://github.com/render-oss/terraform-provider-render/issues/61",
    does: "hide",
    from: "reads",
    at: /\/v1\/postgres\//,
    forMs: 20_000,
  },
  {
    what: "creates of an hour are used up for the moment",
    source: "https://api-docs.render.com/reference/rate-limiting",
    does: "refuse",
    method: /^POST$/,
    at: /\/v1\/services$/,
    status: 429,
    says: { code: "", message: "rate limit exceeded" },
    headers: { "ratelimit-limit": "20", "ratelimit-remaining": "0", "ratelimit-reset": "90" },
    times: 1,
  },
  {
    what: "calls are throttled",
    source: "https://api-docs.render.com/reference/rate-limiting",
    does: "refuse",
    at: /\/v1\//,
    status: 429,
    says: { code: "", message: "rate limit exceeded" },
    headers: { "ratelimit-limit": "400", "ratelimit-remaining": "0", "ratelimit-reset": "4" },
    times: 1,
  },
  {
    what: "a service shows defaults of its own",
    source: "https://github.com/render-oss/terraform-provider-render/issues/32",
    does: "show",
    method: /^GET$/,
    at: /\/v1\/services\/[^/]+$/,
    as: (object) => ({
      ...object,
      serviceDetails: {
        ...(isJsonMap(object["serviceDetails"]) ? object["serviceDetails"] : {}),
        maintenanceMode: { enabled: false, uri: "" },
      },
    }),
  },
  {
    what: "ids of services are shown in another order",
    source: "https://github.com/render-oss/terraform-provider-render/issues/95",
    does: "show",
    method: /^GET$/,
    at: /\/v1\/(?:env-groups|projects|environments)\//,
    as: (object) => reversed(object, "serviceIds", "serviceLinks", "environmentIds"),
  },
  {
    what: "the API has an internal error at a read",
    source: "https://api-docs.render.com/reference/introduction",
    does: "refuse",
    method: /^GET$/,
    at: /\/v1\//,
    status: 500,
    says: { code: "", message: "internal server error" },
    times: 1,
  },
  {
    what: "a deleted database is still shown",
    source: "https://github.com/render-oss/terraform-provider-render/issues/61",
    does: "keep",
    method: DELETE,
    at: /\/v1\/(?:postgres|services)\/[^/]+$/,
    forMs: 30_000,
  },
];

export const realRender = restShape({
  error: (_, { message }) => ({ id: "", message }),
  missing: { code: "", message: "not found" },
  item: /\/(?:srv|dpg|prj|evm|evg|red|cdm|dep|crn|whk|rgc)-[^/]+$/,
  ignores: /\/v1\/owners\//,
  behaviours,
});

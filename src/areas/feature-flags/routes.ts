import type * as z from "zod";
import { callOf } from "#http/request-call.ts";
import { plainRoute, type Route, route } from "#http/route.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { matchesIfNoneMatch } from "#platform/etag.ts";
import { timestamp } from "#platform/timestamp.ts";
import type { FeatureFlag } from "#schema/feature-flags.ts";
import {
  deleteFeatureFlagEndpoint,
  type FeatureFlagView,
  getFeatureFlagEndpoint,
  listFeatureFlagsEndpoint,
  putFeatureFlagEndpoint,
} from "./contract.ts";
import { deleteFeatureFlag } from "./delete-feature-flag.ts";
import {
  type Evaluated,
  evaluateFeatureFlag,
  evaluateFeatureFlags,
} from "./evaluate-feature-flags.ts";
import { tagged, type TaggedFlag } from "./feature-flag.ts";
import { evaluateFeatureFlagEndpoint, evaluateFeatureFlagsEndpoint } from "./ofrep-contract.ts";
import { ofrepFailure } from "./ofrep-failure.ts";
import { putFeatureFlag } from "./put-feature-flag.ts";
import { getFeatureFlag, listFeatureFlags } from "./read-feature-flags.ts";

export const featureFlagRoutes: readonly Route[] = [
  route(
    listFeatureFlagsEndpoint,
    (call, { query }) => listFeatureFlags(call, query, featureFlagView),
    (page) => page,
  ),
  route(
    getFeatureFlagEndpoint,
    async (call, { params }) => tagged(await getFeatureFlag(call, params.key)),
    featureFlagView,
  ),
  route(
    putFeatureFlagEndpoint,
    (call, { params, body }) => putFeatureFlag(call, params.key, body),
    featureFlagView,
  ),
  route(deleteFeatureFlagEndpoint, (call, { params }) => deleteFeatureFlag(call, params.key)),
  failingAsOfrep(
    plainRoute(evaluateFeatureFlagEndpoint, async (c, { params, body }) => {
      const call = await callOf(c, evaluateFeatureFlagEndpoint);
      const result = await evaluateFeatureFlag(call, params.key, body.context);
      return Response.json(result, { status: statusOf(result) });
    }),
  ),
  failingAsOfrep(
    plainRoute(evaluateFeatureFlagsEndpoint, async (c, { body }) => {
      const call = await callOf(c, evaluateFeatureFlagsEndpoint);
      const flags = await evaluateFeatureFlags(call, body.context);
      const text = JSON.stringify({ flags });
      const etag = `"${(await digestHex(text)).slice(0, 32)}"`;
      if (matchesIfNoneMatch(c.req.header("if-none-match"), etag))
        return new Response(null, { status: 304, headers: { etag } });
      return new Response(text, { headers: { etag, "content-type": "application/json" } });
    }),
  ),
];

function statusOf(result: Evaluated): 200 | 400 | 404 {
  if (!("errorCode" in result)) return 200;
  return result.errorCode === "FLAG_NOT_FOUND" ? 404 : 400;
}

/** Evaluations fail in the protocol's own shape: its clients cannot read problem details. */
function failingAsOfrep({ endpoint, mount }: Route): Route {
  return {
    endpoint,
    mount: (app) => {
      const path = endpoint.path.replace(/\{(\w+)\}/g, ":$1");
      app.on(endpoint.method, [path], async (c, next) => {
        await next();
        const { status } = c.res;
        const failure = c.error === undefined ? undefined : ofrepFailure(c.error, status);
        if (failure === undefined) return;
        const key = c.req.param("key");
        c.res = Response.json(key === undefined ? failure : { key, ...failure }, { status });
      });
      mount(app);
    },
  };
}

function featureFlagView(flag: FeatureFlag | TaggedFlag): z.input<typeof FeatureFlagView> {
  return {
    id: flag.id,
    key: flag.key,
    type: flag.type,
    enabled: flag.enabled,
    variants: flag.variants,
    defaultVariant: flag.defaultVariant,
    rules: flag.rules.map(({ tenantIds, ...rule }) => ({
      ...(tenantIds === undefined ? {} : { tenantIds: [...tenantIds] }),
      ...rule,
    })),
    createdAt: timestamp(flag.createdAtMs),
    updatedAt: timestamp(flag.updatedAtMs),
  };
}

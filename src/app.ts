/** The table of contents: the middleware in its order, then every area. */
import { Hono } from "hono";
import { authRoutes } from "#areas/auth/routes.ts";
import { cloudTargetRoutes } from "#areas/cloud-targets/routes.ts";
import { deploymentRoutes } from "#areas/deployments/routes.ts";
import { instanceRoutes } from "#areas/instances/routes.ts";
import { operationsRoutes } from "#areas/operations/routes.ts";
import { templateRoutes } from "#areas/templates/routes.ts";
import { tenantRoutes } from "#areas/tenants/routes.ts";
import { webhookRoutes } from "#areas/webhooks/routes.ts";
import type { Endpoint } from "#platform/http/endpoint.ts";
import { API_PREFIX, type AppEnv, areaRouter, type Route } from "#platform/http/router.ts";
import { answerUnmatched, useShell } from "#platform/http/shell.ts";

const areas: readonly (readonly Route[])[] = [
  authRoutes,
  tenantRoutes,
  cloudTargetRoutes,
  templateRoutes,
  instanceRoutes,
  deploymentRoutes,
  webhookRoutes,
];

/** Every endpoint there is, in the order of the document. */
export const endpoints: readonly Endpoint[] = [
  ...areas.flat(),
  ...operationsRoutes(() => endpoints),
].map(({ endpoint }) => endpoint);

export const app = new Hono<AppEnv>();
useShell(app);
for (const area of [...areas, operationsRoutes(() => endpoints)])
  app.route(API_PREFIX, areaRouter(area));
answerUnmatched(app, endpoints);

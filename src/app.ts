/** The table of contents: the middleware in its order, then every area. */
import { Hono } from "hono";
import { auditRoutes } from "#areas/audit/routes.ts";
import { authRoutes } from "#areas/auth/routes.ts";
import { serveAccount, serveLogin } from "#areas/auth/serve-sign-in-pages.ts";
import { signInRoutes } from "#areas/auth/sign-in-routes.ts";
import { cloudTargetRoutes } from "#areas/cloud-targets/routes.ts";
import { deploymentRoutes } from "#areas/deployments/routes.ts";
import { importRoutes } from "#areas/imports/routes.ts";
import { incidentRoutes } from "#areas/incidents/routes.ts";
import { instanceRoutes } from "#areas/instances/routes.ts";
import { licenseRoutes } from "#areas/license/routes.ts";
import { marketplaceRoutes } from "#areas/marketplace/routes.ts";
import { operationsRoutes } from "#areas/operations/routes.ts";
import { docsServer } from "#areas/operations/serve-docs.ts";
import { serveStatusPage } from "#areas/operations/serve-status-page.ts";
import { profileRoutes } from "#areas/profiles/routes.ts";
import { settingsRoutes } from "#areas/settings/routes.ts";
import { templateRoutes } from "#areas/templates/routes.ts";
import { tenantRoutes } from "#areas/tenants/routes.ts";
import { webhookRoutes } from "#areas/webhooks/routes.ts";
import type { Endpoint } from "#platform/http/endpoint.ts";
import { API_PREFIX, type AppEnv, areaRouter, type Route } from "#platform/http/router.ts";
import { answerUnmatched, useShell } from "#platform/http/shell.ts";

const areas: readonly (readonly Route[])[] = [
  signInRoutes,
  authRoutes,
  tenantRoutes,
  cloudTargetRoutes,
  templateRoutes,
  instanceRoutes,
  deploymentRoutes,
  marketplaceRoutes,
  incidentRoutes,
  webhookRoutes,
  licenseRoutes,
  settingsRoutes,
  profileRoutes,
  importRoutes,
  auditRoutes,
];

/** Every endpoint there is, in the order of the document. */
export const endpoints: readonly Endpoint[] = [
  ...areas.flat(),
  ...operationsRoutes(() => endpoints),
].map(({ endpoint }) => endpoint);

export const app = new Hono<AppEnv>();
useShell(app, endpoints);
for (const area of [...areas, operationsRoutes(() => endpoints)])
  app.route(API_PREFIX, areaRouter(area));
const serveDocs = docsServer(() => endpoints);
app.get("/docs", (c) => serveDocs(c.req.header("if-none-match")));
app.get("/login", serveLogin);
app.get("/account", serveAccount);
app.get("/status/:slug", (c) =>
  serveStatusPage(c, c.req.param("slug"), c.req.header("cf-connecting-ip")),
);
answerUnmatched(app, endpoints);

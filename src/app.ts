/** The app: the middleware in order, then every area. */
import { apiKeyRoutes } from "#areas/api-keys/routes.ts";
import { auditRoutes } from "#areas/audit/routes.ts";
import { cloudTargetRoutes } from "#areas/cloud-targets/routes.ts";
import { deploymentRoutes } from "#areas/deployments/routes.ts";
import { docsRoutes } from "#areas/docs/routes.ts";
import { serveDocsPage, serveDocsSearch } from "#areas/docs/serve-docs.ts";
import { featureFlagRoutes } from "#areas/feature-flags/routes.ts";
import { healthRoutes } from "#areas/health/routes.ts";
import { serveHome } from "#areas/home/serve-home.ts";
import { JWKS_PATH, serveDiscovery, serveIdentityKeys } from "#areas/identity/serve-issuer.ts";
import { importRoutes } from "#areas/imports/routes.ts";
import { incidentRoutes } from "#areas/incidents/routes.ts";
import { instanceRoutes } from "#areas/instances/routes.ts";
import { invitationRoutes } from "#areas/invitations/routes.ts";
import { currentStanding } from "#areas/license/public.ts";
import { licenseRoutes } from "#areas/license/routes.ts";
import { marketplaceRoutes } from "#areas/marketplace/routes.ts";
import { operationRoutes } from "#areas/operations/routes.ts";
import { profileRoutes } from "#areas/profiles/routes.ts";
import { signInRoutes } from "#areas/sign-in/routes.ts";
import { serveLogin } from "#areas/sign-in/serve-login.ts";
import { statusRoutes } from "#areas/status/routes.ts";
import { serveStatusPage } from "#areas/status/serve-status-page.ts";
import { templateRoutes } from "#areas/templates/routes.ts";
import { tenantRoutes } from "#areas/tenants/routes.ts";
import { triggerRoutes } from "#areas/triggers/routes.ts";
import { webhookRoutes } from "#areas/webhooks/routes.ts";
import { consolePages, serveMissing, serveOverview, servePage } from "#console/serve-console.ts";
import { API_PREFIX } from "#http/api-prefix.ts";
import type { Endpoint } from "#http/endpoint.ts";
import { newApp } from "#http/middleware/new-app.ts";
import { answerUnmatched, useShell } from "#http/middleware/shell.ts";
import type { AppContext } from "#http/request-call.ts";
import { areaRouter, type Route } from "#http/route.ts";

const areas: readonly (readonly Route[])[] = [
  signInRoutes,
  invitationRoutes,
  apiKeyRoutes,
  tenantRoutes,
  cloudTargetRoutes,
  templateRoutes,
  instanceRoutes,
  triggerRoutes,
  deploymentRoutes,
  marketplaceRoutes,
  incidentRoutes,
  webhookRoutes,
  licenseRoutes,
  featureFlagRoutes,
  profileRoutes,
  importRoutes,
  auditRoutes,
  statusRoutes,
  healthRoutes,
  operationRoutes,
  docsRoutes,
];

export const endpoints: readonly Endpoint[] = areas.flat().map(({ endpoint }) => endpoint);

export const app = newApp();
useShell(app, endpoints, async (env, nowMs) => (await currentStanding(env, nowMs)).limits);
for (const area of areas) app.route(API_PREFIX, areaRouter(area));
app.get("/docs/search", (c) => serveDocsSearch(c.env.ASSETS, c.req.query("q") ?? ""));
app.on("GET", ["/docs", "/docs/:page"], async (c) => {
  const page = await serveDocsPage(c.env.ASSETS, c.req.path, c.req.header("if-none-match"));
  return page ?? c.notFound();
});
app.get("/.well-known/openid-configuration", serveDiscovery);
app.get(JWKS_PATH, serveIdentityKeys);
app.get("/", async (c) => {
  const isPerson = c.req.header("accept")?.includes("text/html") === true;
  const overview = isPerson ? await serveOverview(c, serveFor(c)) : undefined;
  return overview ?? (await serveHome(c.req.header("accept"))) ?? c.notFound();
});
for (const page of consolePages) app.get(page.path, (c) => servePage(c, page, serveFor(c)));
app.get("/login", serveLogin);
app.get("/status/:slug", (c) =>
  serveStatusPage(c, c.req.param("slug"), c.req.header("cf-connecting-ip")),
);
app.get("*", async (c, next) => {
  const isPerson = c.req.header("accept")?.includes("text/html") === true;
  const isPage = isPerson && !c.req.path.startsWith(`${API_PREFIX}/`);
  return isPage ? serveMissing(c, serveFor(c)) : next();
});
answerUnmatched(app, endpoints);

/** The app to what a page of the console asks of it. */
function serveFor(c: AppContext): (request: Request) => Response | Promise<Response> {
  return (request) => app.fetch(request, c.env, c.executionCtx);
}

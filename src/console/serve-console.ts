/**
 * The pages of the console, for signed-in people and by GET only. The page's script sends changes to the API. Other
 * visitors are sent to sign in, and then return.
 */
import { getSessionEndpoint, SIGN_IN_PAGE } from "#areas/sign-in/contract.ts";
import { listTenantsEndpoint } from "#areas/tenants/contract.ts";
import { accountPage } from "./account/account-page.tsx";
import { auditPage } from "./audit/audit-page.tsx";
import { chosenTenant, isForgotten, rememberTenant } from "./chosen-tenant.ts";
import type { ConsolePage } from "./console-page.ts";
import { deploymentPage } from "./deployments/deployment-page.tsx";
import { deploymentsPage } from "./deployments/deployments-page.tsx";
import { flagPage } from "./flags/flag-page.tsx";
import { flagsPage } from "./flags/flags-page.tsx";
import { importPage } from "./imports/import-page.tsx";
import { importsPage } from "./imports/imports-page.tsx";
import { newImportPage } from "./imports/new-import-page.tsx";
import { incidentPage } from "./incidents/incident-page.tsx";
import { incidentsPage } from "./incidents/incidents-page.tsx";
import { instancePage, instanceTabPage } from "./instances/instance-page.tsx";
import { instancesPage } from "./instances/instances-page.tsx";
import { keysPage } from "./keys/keys-page.tsx";
import { type FrameAddress, layout } from "./layout.tsx";
import { membersPage } from "./members/members-page.tsx";
import { overviewPage } from "./overview-page.tsx";
import { PageApi, PageProblem, type Serve } from "./page-api.ts";
import { problemPage } from "./problem-page.tsx";
import { LISTED_TENANTS, type Reader } from "./reader.ts";
import { newTargetPage } from "./targets/new-target-page.tsx";
import { targetPage } from "./targets/target-page.tsx";
import { targetsPage } from "./targets/targets-page.tsx";
import { newTemplatePage } from "./templates/new-template-page.tsx";
import { templatePage } from "./templates/template-page.tsx";
import { templatesPage } from "./templates/templates-page.tsx";
import { tenantsPage } from "./tenants/tenants-page.tsx";
import { deliveryPage } from "./webhooks/delivery-page.tsx";
import { recoveryPage } from "./webhooks/recovery-page.tsx";
import { webhookPage } from "./webhooks/webhook-page.tsx";
import { webhooksPage } from "./webhooks/webhooks-page.tsx";

/** The parts of a request that the pages need. */
interface PageRequest {
  var: { requestId: string };
  req: {
    url: string;
    path: string;
    param: () => Record<string, string>;
    header: (name: string) => string | undefined;
  };
}

export const consolePages: readonly ConsolePage[] = [
  accountPage,
  instancesPage,
  instancePage,
  instanceTabPage,
  deploymentsPage,
  deploymentPage,
  targetsPage,
  newTargetPage,
  targetPage,
  webhooksPage,
  webhookPage,
  deliveryPage,
  recoveryPage,
  tenantsPage,
  membersPage,
  keysPage,
  auditPage,
  incidentsPage,
  incidentPage,
  flagsPage,
  flagPage,
  importsPage,
  // Before `importPage`, whose path matches it too.
  newImportPage,
  importPage,
  templatesPage,
  // Before `templatePage`, whose path matches it too.
  newTemplatePage,
  templatePage,
];

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The overview at `/`; undefined if nobody is signed in. */
export async function serveOverview(c: PageRequest, serve: Serve): Promise<Response | undefined> {
  const response = await servePage(c, overviewPage, serve);
  return response.status === 302 ? undefined : response;
}

export async function servePage(
  c: PageRequest,
  page: ConsolePage,
  serve: Serve,
): Promise<Response> {
  const { url, path } = c.req;
  const { requestId } = c.var;
  const { searchParams: query, search } = new URL(url);
  const cookies = c.req.header("cookie");
  // A fast exit: most visitors without a session have no cookie.
  if (cookies === undefined) return toSignIn(path + search);
  const tenant = chosenTenant(query, cookies);
  const api = new PageApi({ url, requestId, header: (name) => c.req.header(name) }, serve);
  const [session, loaded] = await Promise.allSettled([
    readReader(api),
    page.load(api, { params: c.req.param(), query, tenantId: tenant.tenantId }),
  ]);
  const { reader, problem } = readerOf(session);
  const at = { path, tenantId: tenant.tenantId };
  if (problem !== undefined && problem.status !== 401) return problemAnswer(problem, at, reader);
  if (reader === undefined) return toSignIn(path + search, problem?.setCookie);
  if (isForgotten(tenant, reader)) return redirect(path + search, rememberTenant(undefined, url));
  const setCookie = tenant.from === "address" ? rememberTenant(tenant.tenantId, url) : undefined;
  if (loaded.status === "fulfilled")
    return answer(200, await layout(loaded.value(reader), at, reader), setCookie);
  if (!(loaded.reason instanceof PageProblem)) throw loaded.reason;
  return problemAnswer(loaded.reason, at, reader);
}

/** The page for an address that is none, for people who follow a wrong link. */
export async function serveMissing(c: PageRequest, serve: Serve): Promise<Response> {
  const response = await servePage(c, missingPage, serve);
  if (response.status !== 302) return response;
  const at = { path: c.req.path, tenantId: undefined };
  return problemAnswer(new PageProblem(404, ""), at, undefined);
}

const missingPage: ConsolePage = {
  path: "*",
  load: () => Promise.reject(new PageProblem(404, "")),
};

/** `returnTo`: the requested page. `setCookie`: deletes an invalid cookie. */
function toSignIn(returnTo: string, setCookie?: string): Response {
  const query = new URLSearchParams({ returnTo }).toString();
  return redirect(`${SIGN_IN_PAGE}?${query}`, setCookie);
}

function redirect(location: string, setCookie: string | undefined): Response {
  const headers = new Headers({ location });
  if (setCookie !== undefined) headers.set("set-cookie", setCookie);
  return new Response(null, { status: 302, headers });
}

async function readReader(api: PageApi): Promise<Reader> {
  const session = await api.read(getSessionEndpoint);
  return { ...session, others: session.operator ? await allTenants(api) : [] };
}

function readerOf(session: PromiseSettledResult<Reader>): {
  reader: Reader | undefined;
  problem?: PageProblem;
} {
  if (session.status === "fulfilled") return { reader: session.value };
  if (!(session.reason instanceof PageProblem)) throw session.reason;
  return { reader: undefined, problem: session.reason };
}

/** The first hundred tenants for a choice. The page of tenants lists all. */
async function allTenants(api: PageApi): Promise<Reader["others"]> {
  const listed = await api.readIfAny(
    listTenantsEndpoint,
    {},
    { sort: "name", limit: `${LISTED_TENANTS}` },
  );
  return listed?.data.map(({ id, name, slug }) => ({ tenantId: id, name, slug })) ?? [];
}

async function problemAnswer(
  { status, message }: PageProblem,
  at: FrameAddress,
  reader: Reader | undefined,
): Promise<Response> {
  return answer(status, await layout(problemPage(status, message), at, reader));
}

function answer(status: number, text: string, setCookie?: string): Response {
  return new Response(text, {
    status,
    headers: {
      "content-type": "text/html; charset=UTF-8",
      "content-security-policy": policy,
      ...(setCookie === undefined ? {} : { "set-cookie": setCookie }),
    },
  });
}

/**
 * Google Cloud: a REST API per service, each at its own host. Names are chosen here, so every object's id is known
 * before its create; labels, or the time at which it was made, tell whose it is when an answer was lost. Changes go on
 * after their answer (`operations.ts`), many properties have calls of their own, and rights are members of policies
 * (`iam-members.ts`). Keeps no state but tokens, which `rest/requests/session.ts` keeps.
 */
import type { Provider, Verified } from "#providers/provider.ts";
import type {
  Answered,
  ProviderError,
  RestProviderDefinition,
} from "#providers/rest/definition.ts";
import { withoutFurtherReads } from "#providers/rest/observe.ts";
import { restProvider } from "#providers/rest/rest-provider.ts";
import type { Answer } from "#providers/transport.ts";
import { gcpFederation } from "./federation.ts";
import { headersOf, listed, prepareRequest, readsFirst } from "./google-calls.ts";
import { IamMembers } from "./iam-members.ts";
import { googleError } from "./meaning.ts";
import { gcpNeeds } from "./needs.ts";
import { gcpPoller } from "./operations.ts";
import { placedProvider } from "./placed-provider.ts";
import { connectionsByNumber } from "./private-connections.ts";
import { idIn } from "./resource-id.ts";
import { signInError } from "./sign-in-errors.ts";
import { gcpConfig, gcpCredential, gcpSession } from "./sign-in.ts";
import { gcpTypes } from "./types.ts";

const services = [
  "artifactregistry",
  "cloudfunctions",
  "compute",
  "container",
  "dns",
  "iam",
  "iamcredentials",
  "oauth2",
  "pubsub",
  "redis",
  "run",
  "secretmanager",
  "servicenetworking",
  "serviceusage",
  "sqladmin",
  "storage",
  "sts",
] as const;

const RESOURCE_MANAGER = "cloudresourcemanager";

function hostOf(service: string): string {
  return `https://${service}.googleapis.com`;
}

function readError(answer: Answer, of: Answered): ProviderError {
  return of.verb === "session" ? signInError(answer) : googleError(answer, of);
}

/** A server of Redis has a password only while it asks for one. */
const rowIn: NonNullable<RestProviderDefinition["rowIn"]> = (row, _, { authEnabled }) =>
  row.host === "redis" && authEnabled !== true ? withoutFurtherReads(row) : row;

/** Whether the identity sees the project. */
const verify: NonNullable<RestProviderDefinition["verify"]> = async (context, request, refused) => {
  const { project } = gcpConfig().parse(context.config);
  if (project === undefined)
    return {
      ok: false,
      code: "invalid_config",
      message: "The target names no project. Set `project` in its config, then verify again.",
      retryable: false,
    };
  const result = await request({
    method: "GET",
    host: RESOURCE_MANAGER,
    path: `/v3/projects/${encodeURIComponent(project)}`,
    filled: true,
  });
  if (result.ok) return { ok: true };
  const judged: Verified = refused(result);
  if (judged.ok) return judged;
  const { hint, ...rest } = judged;
  // The errors of the sign-in and of an API that is not enabled have their own advice.
  const saysSo = /^(invalid_|unauthorized_client|SERVICE_DISABLED|accessNotConfigured)/;
  if (saysSo.test(result.failed.code)) return rest;
  const { permission } = result.failed;
  if (permission?.startsWith("resourcemanager.") === true || judged.means === "gone")
    return {
      ...rest,
      hint: `The identity does not see the project ${project}: it has no role there, or the project does not exist. Give it a role such as roles/browser with ${permission ?? "resourcemanager.projects.get"}, or correct project in the target's config, then verify again.`,
    };
  return hint === undefined ? rest : { ...rest, hint };
};

/** Made on first use: nothing of a provider is evaluated when the Worker starts. */
export function gcpDefinition(): RestProviderDefinition {
  return {
    types: gcpTypes,
    rowIn,
    baseUrl: () => hostOf(RESOURCE_MANAGER),
    hosts: Object.fromEntries(
      [RESOURCE_MANAGER, ...services].map((service) => [service, () => hostOf(service)]),
    ),
    credential: gcpCredential(),
    config: gcpConfig(),
    session: gcpSession,
    authorize: (_, { session }) => ({
      authorization: `Bearer ${typeof session === "string" ? session : ""}`,
    }),
    readError,
    headers: (_, row) => headersOf(row),
    readsFirst,
    prepare: prepareRequest,
    listed,
    // `placed-provider.ts` compares: it knows the two spellings of a name.
    comparesFound: true,
    idIn: (object, row, { config }) => idIn(object, row, config),
    paging: { by: "cursor", at: "nextPageToken", query: "pageToken" },
    poller: gcpPoller,
    concurrency: 8,
    verifyPath: "/v3/projects",
    verify,
    needs: gcpNeeds,
  };
}

export function gcpProvider(): Provider {
  const definition = gcpDefinition();
  return {
    ...placedProvider(
      connectionsByNumber(restProvider(definition), definition),
      new IamMembers(definition),
      definition,
    ),
    federation: gcpFederation,
  };
}

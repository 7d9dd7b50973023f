/**
 * Azure Resource Manager: every type by its resource id and a version of its API. Creates and updates are PUTs of the
 * whole object, as Bicep's are. A PUT takes over what is there, so a create reads its place first, and leaves its token
 * on the object as a tag; where there are no tags, the time of the object's creation tells whose it is. Changes go on
 * after their answer (`operations.ts`). Keeps no state but tokens, which `rest/requests/session.ts` keeps.
 */
import type { Provider, Verified } from "#providers/provider.ts";
import type {
  Answered,
  ProviderError,
  RestProviderDefinition,
} from "#providers/rest/definition.ts";
import { restProvider } from "#providers/rest/rest-provider.ts";
import type { Answer } from "#providers/transport.ts";
import { undelete } from "./arm-row.ts";
import { armBudget } from "./budget.ts";
import { cloudOf } from "./clouds.ts";
import { listRowOf } from "./contents.ts";
import { azureFederation } from "./federation.ts";
import { armError } from "./meaning.ts";
import { azureNeeds } from "./needs.ts";
import { armPoller } from "./operations.ts";
import { incomplete } from "./place.ts";
import { placedProvider } from "./placed-provider.ts";
import { signInError } from "./sign-in-errors.ts";
import { azureSchemas, azureSession } from "./sign-in.ts";
import { callableTypes, rowInUse } from "./types.ts";

const SUBSCRIPTIONS_VERSION = "2022-12-01";
const GROUPS_VERSION = "2025-04-01";

function readError(answer: Answer, of: Answered): ProviderError {
  return of.verb === "session" ? signInError(answer) : armError(answer, of);
}

/** Whether the identity can see what the target is for: its resource group if it has one, else its subscription. */
const verify: NonNullable<RestProviderDefinition["verify"]> = async (context, request, refused) => {
  const lacks = incomplete(context.config);
  if (lacks !== undefined)
    return { ok: false, code: lacks.code, message: lacks.message, retryable: false };
  const { subscriptionId, resourceGroup } = azureSchemas().config.parse(context.config);
  const group =
    resourceGroup === undefined ? "" : `/resourceGroups/${encodeURIComponent(resourceGroup)}`;
  const version = group === "" ? SUBSCRIPTIONS_VERSION : GROUPS_VERSION;
  const result = await request({
    method: "GET",
    path: `/subscriptions/${subscriptionId}${group}?api-version=${version}`,
    filled: true,
  });
  if (result.ok) return { ok: true };
  const told: Verified = refused(result);
  if (told.ok) return told;
  const { hint, ...rest } = told;
  const { code } = result.failed;
  // The sign-in says what to do; whether ARM accepts the credential was not asked.
  if (/^(AADSTS\d+|invalid_credential)$/.test(code)) return rest;
  if (/^resourcegroupnotfound$/i.test(code))
    return {
      ...rest,
      hint: `The subscription has no resource group ${resourceGroup}. Create it, or correct resourceGroup in the target's config, then verify again.`,
    };
  return hint === undefined ? rest : { ...rest, hint };
};

function azureDefinition(): RestProviderDefinition {
  const { credential, config } = azureSchemas();
  return {
    types: {
      ...callableTypes,
      rowOf: (type) => listRowOf(type) ?? callableTypes.rowOf(type),
    },
    rowIn: (row, _, properties) => rowInUse(row, properties),
    undelete,
    baseUrl: ({ config }) => cloudOf(config).management,
    hosts: { login: ({ config }) => cloudOf(config).login },
    federation: azureFederation,
    credential,
    config,
    session: azureSession,
    authorize: (_, { session }) => ({
      authorization: `Bearer ${typeof session === "string" ? session : ""}`,
    }),
    readError,
    readBudget: armBudget,
    poller: armPoller,
    concurrency: 8,
    verifyPath: "/subscriptions",
    verify,
    needs: azureNeeds,
  };
}

export function azureProvider(): Provider {
  return placedProvider(restProvider(azureDefinition()));
}

/**
 * What a subscription lacks for a template: resource providers that are not registered, of which Azure tells one at each
 * attempt, rights, and quotas. Rights that only a resource group below gives are not seen from the subscription.
 */
import { isJsonMap, type Json } from "#platform/json.ts";
import type { AccountNeeds, Lack, ProviderContext } from "#providers/provider.ts";
import type {
  RequestResult,
  RequestSpec,
  RestProviderDefinition,
} from "#providers/rest/definition.ts";
import { joined } from "#providers/rest/quota-lacks.ts";
import { exceededQuotas } from "./quotas.ts";
import { azureSchemas } from "./sign-in.ts";

const PROVIDERS_VERSION = "2021-04-01";
const PERMISSIONS_VERSION = "2022-04-01";
/** Each takes a request. Beyond it, the answer says so. */
const MAX_NAMESPACES = 25;
/** Every subscription has these. */
const always = new Set(["microsoft.resources", "microsoft.authorization"]);

type Ask = (spec: RequestSpec) => Promise<RequestResult>;

export const azureNeeds: NonNullable<RestProviderDefinition["needs"]> = async (
  context,
  types,
  request,
): Promise<AccountNeeds> => {
  const names = [...types.keys()];
  const registrations = await unregistered(context, names, request);
  const rights = await missingRights(context, names, request);
  const without = new Set(
    registrations.lacks.flatMap((lack) =>
      lack.types.map((type) => namespaceOf(type).toLowerCase()),
    ),
  );
  const quotas = await exceededQuotas(context, types, { without, request });
  return joined([registrations, rights, quotas]);
};

function namespaceOf(type: string): string {
  return type.split("/")[0] ?? "";
}

async function unregistered(
  { config }: ProviderContext,
  types: readonly string[],
  request: Ask,
): Promise<AccountNeeds> {
  const { subscriptionId } = azureSchemas().config.parse(config);
  const byNamespace = Map.groupBy(types, namespaceOf);
  const asked = [...byNamespace].filter(([name]) => !always.has(name.toLowerCase()));
  const lacks: Lack[] = [];
  const unread: string[] = [];
  for (const [name, needing] of asked.slice(0, MAX_NAMESPACES)) {
    const found = await request({
      method: "GET",
      path: `/subscriptions/${subscriptionId}/providers/${encodeURIComponent(name)}?api-version=${PROVIDERS_VERSION}`,
      filled: true,
    });
    if (!found.ok) {
      unread.push(
        `Which resource providers are registered was not found out: ${found.failed.message}`,
      );
      continue;
    }
    const state = textAt(found.answer.json, "registrationState");
    if (state === undefined) unread.push(`Azure did not say whether ${name} is registered.`);
    else if (!/^regist/i.test(state))
      lacks.push({
        what: `The subscription has not registered the resource provider ${name}.`,
        fix: `az provider register --namespace ${name} --subscription ${subscriptionId} --wait`,
        types: needing,
      });
  }
  if (asked.length > MAX_NAMESPACES)
    unread.push(`Of ${asked.length} resource providers, only ${MAX_NAMESPACES} were looked at.`);
  return { lacks, unread };
}

async function missingRights(
  { config }: ProviderContext,
  types: readonly string[],
  request: Ask,
): Promise<AccountNeeds> {
  const { subscriptionId, resourceGroup } = azureSchemas().config.parse(config);
  const scope =
    resourceGroup === undefined ? "" : `/resourceGroups/${encodeURIComponent(resourceGroup)}`;
  const place = resourceGroup === undefined ? "the subscription" : `the group ${resourceGroup}`;
  const found = await request({
    method: "GET",
    path: `/subscriptions/${subscriptionId}${scope}/providers/Microsoft.Authorization/permissions?api-version=${PERMISSIONS_VERSION}`,
    filled: true,
  });
  if (!found.ok)
    return {
      lacks: [],
      unread: [`The identity's rights were not found out: ${found.failed.message}`],
    };
  const grants = grantsIn(found.answer.json);
  if (grants === undefined)
    return { lacks: [], unread: ["Azure did not list all rights of the identity."] };
  const lacks = ["write", "delete"].flatMap((verb): Lack[] => {
    const refused = types.filter(
      (type) => !grants.some((grant) => allows(grant, `${actionOf(type)}/${verb}`)),
    );
    if (refused.length === 0) return [];
    return [
      {
        what: `The identity lacks the actions …/${verb} of these types in ${place}.`,
        fix: "Give it a role with these actions there: Contributor has all but those of Microsoft.Authorization, which Role Based Access Control Administrator has.",
        types: refused,
      },
    ];
  });
  return { lacks, unread: [] };
}

/** Resource groups are the only type whose actions have another name. */
function actionOf(type: string): string {
  return type.toLowerCase() === "microsoft.resources/resourcegroups"
    ? "Microsoft.Resources/subscriptions/resourceGroups"
    : type;
}

interface Grant {
  actions: readonly string[];
  notActions: readonly string[];
}

/** Undefined: it is another answer, or the first of several pages. */
function grantsIn(json: Json | undefined): Grant[] | undefined {
  const { value, nextLink } = isJsonMap(json) ? json : {};
  if (!Array.isArray(value) || typeof nextLink === "string") return undefined;
  return value.filter(isJsonMap).map((one) => ({
    actions: textsIn(one["actions"]),
    notActions: textsIn(one["notActions"]),
  }));
}

function allows({ actions, notActions }: Grant, action: string): boolean {
  const covers = (pattern: string) => isCovered(action.toLowerCase(), pattern.toLowerCase());
  return actions.some(covers) && !notActions.some(covers);
}

/** Whether the pattern, in which `*` stands for any text, covers the action. In linear time for each `*`. */
function isCovered(action: string, pattern: string): boolean {
  const [start = "", ...rest] = pattern.split("*");
  if (!action.startsWith(start)) return false;
  const end = rest.pop();
  if (end === undefined) return action === start;
  let at = start.length;
  for (const part of rest) {
    const found = action.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return action.length - end.length >= at && action.endsWith(end);
}

function textsIn(of: Json | undefined): string[] {
  return (Array.isArray(of) ? of : []).filter((one) => typeof one === "string");
}

function textAt(json: Json | undefined, name: string): string | undefined {
  const value = isJsonMap(json) ? json[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

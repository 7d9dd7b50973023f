/** ARM's functions of the place and the time of a deployment, which no file tells. */
import { type Expression, literal } from "#importers/expression.ts";
import { flatText } from "#importers/text/joined-text.ts";
import type { Step } from "./arm-steps.ts";
import type { CalledNode } from "./functions/arm-call.ts";
import { call, textIn } from "./known-values.ts";

/** The place that a template is deployed to. */
export interface DeploymentPlace {
  level: "resourceGroup" | "subscription" | "managementGroup" | "tenant";
  /** The resource group and the subscription of a nested deployment, if they differ from those around it. */
  group?: Expression | undefined;
  subscription?: Expression | undefined;
}

function pseudo(name: string, line: number): Expression {
  return call("pseudo", [literal(name)], line);
}

export function subscriptionId({ subscription }: DeploymentPlace, line: number): Expression {
  return subscription ?? pseudo("subscription.subscriptionId", line);
}

export function groupName({ group }: DeploymentPlace, line: number): Expression {
  return group ?? pseudo("resourceGroup.name", line);
}

/** The id of the place: `/subscriptions/…/resourceGroups/…`. */
export function placeId(place: DeploymentPlace, line: number): Expression {
  const { level } = place;
  if (level === "tenant") return literal("");
  if (level === "managementGroup") return pseudo("managementGroup.id", line);
  const subscription = [literal("/subscriptions/"), subscriptionId(place, line)];
  const group =
    level === "subscription" ? [] : [literal("/resourceGroups/"), groupName(place, line)];
  return flatText([...subscription, ...group], line);
}

/** The public cloud's values of `environment()`. Others are asked for with this default. */
const environment: ReadonlyMap<string, string> = new Map([
  ["name", "AzureCloud"],
  ["resourcemanager", "https://management.azure.com/"],
  ["portal", "https://portal.azure.com"],
  ["graph", "https://graph.windows.net/"],
  ["gallery", "https://gallery.azure.com/"],
  ["authentication.loginendpoint", "https://login.microsoftonline.com/"],
  ["authentication.audiences.0", "https://management.core.windows.net/"],
  ["suffixes.storage", "core.windows.net"],
  ["suffixes.keyvaultdns", ".vault.azure.net"],
  ["suffixes.sqlserverhostname", ".database.windows.net"],
  ["suffixes.acrloginserver", ".azurecr.io"],
]);

/** Calls whose value is asked for, because only Azure computes it. */
const asked: ReadonlySet<string> = new Set([
  "datetimeadd",
  "deployer",
  "guid",
  "newguid",
  "uniquestring",
  "utcnow",
]);

/** The template whose place is meant. */
interface Placed {
  place: DeploymentPlace;
  /** Asks for a value that only Azure knows. `initial`: its default. */
  asked: (called: CalledNode, how?: { initial?: string }) => Expression;
}

/** `none`: the call has no such value; undefined: it is another function. */
export function placeMeaning(
  name: string,
  called: CalledNode,
  values: Placed,
): Expression | "none" | undefined {
  const { place } = values;
  const { steps, line } = called;
  const path = steps.map(({ value }) =>
    value.kind === "literal" ? String(value.value).toLowerCase() : "…",
  );
  const [member = "", ...rest] = path;
  const whole = path.join(".");
  switch (name) {
    case "resourcegroup":
      if (rest.length > 0 && member !== "tags") return "none";
      if (member === "name") return groupName(place, line);
      if (member === "id") return placeId({ ...place, level: "resourceGroup" }, line);
      if (member === "location" && place.group !== undefined)
        return pseudo("resourceGroup.location of the nested deployment", line);
      return member === "" ? "none" : pseudo(`resourceGroup.${spelledPath(steps)}`, line);
    case "subscription":
      if (member === "subscriptionid") return subscriptionId(place, line);
      if (member === "id") return placeId({ ...place, level: "subscription" }, line);
      return member === "" ? "none" : pseudo(`subscription.${spelledPath(steps)}`, line);
    case "tenant":
    case "managementgroup":
      return member === ""
        ? "none"
        : pseudo(`${name === "tenant" ? "tenant" : "managementGroup"}.${spelledPath(steps)}`, line);
    case "deployment":
      if (member === "name") return pseudo("deployment.name", line);
      return member === "" ? "none" : pseudo(`deployment.${spelledPath(steps)}`, line);
    case "environment": {
      const initial = environment.get(whole);
      if (member === "") return "none";
      return initial === undefined
        ? pseudo(`environment.${spelledPath(steps)}`, line)
        : values.asked(called, { initial });
    }
    default:
      if (!asked.has(name)) return undefined;
      if (name === "deployer" && member === "") return "none";
      return values.asked(called);
  }
}

function spelledPath(steps: readonly Step[]): string {
  return steps.map(({ value }) => textIn(value) ?? "0").join(".");
}

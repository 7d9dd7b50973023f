import { isJsonMap, type JsonMap } from "#platform/json.ts";

/** Kinds of services, by the members of `serviceDetails` that not every kind has. */
const only: Readonly<Record<string, readonly string[]>> = {
  ...each(["buildCommand", "headers", "publishPath", "routes"], ["static_site"]),
  ...each(["cache", "healthCheckPath", "maintenanceMode"], ["web_service"]),
  ...each(["ipAllowList", "renderSubdomainPolicy"], ["static_site", "web_service"]),
  ...each(
    ["autoscaling", "disk", "maxShutdownDelaySeconds", "numInstances", "preDeployCommand"],
    ["web_service", "private_service", "background_worker"],
  ),
  ...each(
    ["envSpecificDetails", "plan", "region", "runtime"],
    ["web_service", "private_service", "background_worker", "cron_job"],
  ),
  ...each(
    ["previews", "pullRequestPreviewsEnabled"],
    ["static_site", "web_service", "private_service", "background_worker"],
  ),
  ...each(["schedule"], ["cron_job"]),
};

function each(names: readonly string[], kinds: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, kinds]));
}

/** What each kind needs to be made. */
const needed: Readonly<Record<string, readonly string[]>> = {
  web_service: ["runtime"],
  private_service: ["runtime"],
  background_worker: ["runtime"],
  cron_job: ["runtime", "schedule"],
};

/** Why these cannot be the properties of a service of their kind: Render takes what it does not know in silence. */
export function kindMistake({ type, serviceDetails = {} }: JsonMap): string | undefined {
  if (typeof type !== "string" || !isJsonMap(serviceDetails)) return undefined;
  for (const name of Object.keys(serviceDetails)) {
    const kinds = only[name];
    if (kinds !== undefined && !kinds.includes(type))
      return `A ${type} has no serviceDetails.${name}: ${kinds.join(", ")} have it. Remove it.`;
  }
  const missing = needed[type]?.find((name) => !Object.hasOwn(serviceDetails, name));
  return missing === undefined ? undefined : `A ${type} needs serviceDetails.${missing}. Set it.`;
}

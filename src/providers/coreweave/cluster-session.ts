/** Where a cluster's API is: CoreWeave's own API says it, and nothing else is believed. */
import { isJsonMap, type Json } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";
import type {
  Failed,
  RestProviderDefinition,
  SessionMaker,
  SessionRequest,
} from "#providers/rest/definition.ts";
import { failure } from "#providers/rest/requests/attempt.ts";
import { CLUSTER_GONE } from "./meaning.ts";

/** The key of the config, as a call has it, that names the cluster of the call's object. */
export const CLUSTER = "clusterId";
/** The collection of CoreWeave's own API. */
export const CLUSTERS = "/v1beta1/cks/clusters";
const LIFE_MS = 10 * 60_000;

/** The token goes to no other host: not to addresses, other domains or ports. */
const own = /^([a-z0-9-]{1,63})\.k8s\.[a-z0-9-]{1,63}\.coreweave\.com$/;

/** The organization in the address of a cluster, which is `<org>-<hash>.k8s.<zone>.coreweave.com`. */
export function organizationIn(address: string): string | undefined {
  const [, name = ""] = own.exec(address.replace(/^https:\/\//, "")) ?? [];
  return /^(.+)-[a-z0-9]+$/.exec(name)?.[1];
}

/** The base URL of the cluster of the session. */
export function clusterUrl({ session }: Pick<ProviderContext, "session">): string {
  const host = isJsonMap(session ?? null) ? (session as Record<string, Json>)["host"] : undefined;
  return `https://${typeof host === "string" ? host : "no-cluster.invalid"}`;
}

/** A cluster that is not found: gone if the organization's list lacks it too, else nobody can tell. */
async function confirmed(
  id: string,
  gone: Failed,
  ask: (path: string) => ReturnType<SessionRequest>,
): Promise<Failed> {
  const listed = await ask(CLUSTERS);
  if (!listed.ok)
    return listed.failed.code === CLUSTER_GONE
      ? failure("clusters_hidden", "CoreWeave shows no list of clusters.", { means: "denied" })
      : listed.failed;
  const { items } = listed.json;
  if (!Array.isArray(items))
    return failure("invalid_answer", "CoreWeave answered without a list of clusters.", {
      retryable: true,
    });
  const isListed = items.some((item) => isJsonMap(item) && item["id"] === id);
  return isListed
    ? failure("cluster_hidden", `CoreWeave lists the cluster ${id}, but does not show it.`, {
        means: "denied",
        fault: "user",
      })
    : gone;
}

export function clusterSession(authorize: RestProviderDefinition["authorize"]): SessionMaker {
  return {
    scope: ({ config }) => config[CLUSTER] ?? null,
    obtain: async (context, ask) => {
      const id = context.config[CLUSTER];
      if (typeof id !== "string" || !/^[A-Za-z0-9-]{1,100}$/.test(id))
        return failure("missing_path_value", "Set `clusterId` to the id of the cluster.", {
          means: "invalid",
          fault: "user",
        });
      const get = (path: string) => ask({ method: "GET", path, filled: true, authorize });
      const asked = await get(`${CLUSTERS}/${id}`);
      if (!asked.ok)
        return asked.failed.code === CLUSTER_GONE ? confirmed(id, asked.failed, get) : asked.failed;
      const { cluster } = asked.json;
      const { id: shown, apiServerEndpoint: at, status } = isJsonMap(cluster) ? cluster : {};
      if (shown !== id) return failure("other_id", `CoreWeave shows another cluster than ${id}.`);
      if (typeof at !== "string" || at === "" || status === "STATUS_CREATING")
        return failure("cluster_not_ready", `The cluster ${id} has no address yet.`, {
          means: "busy",
          retryable: true,
        });
      const host = at.replace(/^https:\/\//, "");
      if (!own.test(host))
        return failure(
          "untrusted_address",
          `CoreWeave shows an address of the cluster ${id} that is none of its own, so the token is not sent there.`,
        );
      return { kind: "session", token: { host }, expiresMs: context.now() + LIFE_MS };
    },
  };
}

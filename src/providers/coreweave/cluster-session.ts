/** Where a cluster's API is: CoreWeave's own API says it, and nothing else is believed. */
import { isJsonMap, type Json } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";
import type { RestProviderDefinition, SessionMaker } from "#providers/rest/definition.ts";
import { failure } from "#providers/rest/requests/attempt.ts";

/** The key of the config, as a call has it, that names the cluster of the call's object. */
export const CLUSTER = "clusterId";
const LIFE_MS = 10 * 60_000;

/** The token goes to no other host: not to addresses, other domains or ports. */
const own = /^[a-z0-9-]{1,63}\.k8s\.[a-z0-9-]{1,63}\.coreweave\.com$/;

/** The base URL of the cluster of the session. */
export function clusterUrl({ session }: Pick<ProviderContext, "session">): string {
  const host = isJsonMap(session ?? null) ? (session as Record<string, Json>)["host"] : undefined;
  return `https://${typeof host === "string" ? host : "no-cluster.invalid"}`;
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
      const path = `/v1beta1/cks/clusters/${id}`;
      const asked = await ask({ method: "GET", path, filled: true, authorize });
      if (!asked.ok) return asked.failed;
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

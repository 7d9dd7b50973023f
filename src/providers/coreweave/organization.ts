/** What the organization that a token opens is called: no published call shows it, but the addresses of its clusters do. */
import { isJsonMap } from "#platform/json.ts";
import type { RestProviderDefinition } from "#providers/rest/definition.ts";
import { failure } from "#providers/rest/requests/attempt.ts";
import { CLUSTERS, organizationIn } from "./cluster-session.ts";

/**
 * Without clusters it is named after the token, which opens one organization only. That name is its alias, which proves
 * it when the first cluster comes and when the last one goes. With another token, one of the instance's objects has to.
 */
export function organizationOf(
  tokenOf: (context: { credential: unknown }) => string,
): NonNullable<RestProviderDefinition["account"]> {
  return async (context, request) => {
    const asked = await request({ method: "GET", path: CLUSTERS });
    if (!asked.ok) return asked.failed;
    const { json } = asked.answer;
    const items = isJsonMap(json) ? json["items"] : undefined;
    if (!Array.isArray(items))
      return failure("invalid_answer", "CoreWeave answered without a list of clusters.", {
        retryable: true,
      });
    const names = new Set(
      items.map((item) => {
        const address = isJsonMap(item) ? item["apiServerEndpoint"] : undefined;
        return typeof address === "string" ? organizationIn(address) : undefined;
      }),
    );
    names.delete(undefined);
    const [name] = names;
    const alias = await afterToken(tokenOf(context));
    return { id: names.size === 1 && name !== undefined ? name : alias, alias };
  };
}

async function afterToken(token: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0"));
  return `of the token ${hex.join("").slice(0, 12)}`;
}

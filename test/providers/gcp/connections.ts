/**
 * Private connections at the fake Google: their calls name the network, by the number of its project, in a query or a
 * body. Here the path of an object has it, as those of other types do.
 */
import type { JsonMap } from "#platform/json.ts";
import { NUMBER, peeringOf, PROJECT } from "./shown.ts";

interface Call {
  method: string;
  path: string;
  body: JsonMap;
  query: URLSearchParams;
}

const PATH = /^\/v1\/services\/([^/]+)\/connections(?:\/([^/]+))?$/;

/** The call with the connection in its path; one that Google would not take has a path that leads nowhere. */
export function connectionCall(host: string, call: Call): Call {
  if (host !== "servicenetworking") return call;
  const { method, path, body, query } = call;
  const [, service, peering] = PATH.exec(path) ?? [];
  const { consumerNetwork, ...sent } = body;
  const named = query.get("network") ?? consumerNetwork ?? sent["network"];
  const network = typeof named === "string" ? named : "";
  const start = `projects/${NUMBER}/`;
  if (service === undefined || !network.startsWith(start)) return { ...call, path: "/nowhere" };
  const own = `projects/${PROJECT}/${network.slice(start.length)}`;
  const of = { path: `/v1/${own}/services/${service}`, body: { ...sent, network: own }, query };
  if (method === "GET" && peering === undefined) {
    const prefix = new URLSearchParams({ prefix: service });
    return { method, path: `/v1/${own}/services`, body, query: prefix };
  }
  if (method === "POST" && peering === undefined) return { method: "PUT", ...of };
  if (method === "POST" && peering === peeringOf(service)) return { method: "DELETE", ...of };
  if (method === "PATCH" && (peering === "-" || peering === peeringOf(service)))
    return { method, ...of };
  return { ...call, path: "/nowhere" };
}

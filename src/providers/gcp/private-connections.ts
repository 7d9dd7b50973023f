/**
 * Private connections name their network by the project's number, in requests and in answers, where the template and the
 * engine's ids have the project's id. So each call asks for the number first. (Discovery document of servicenetworking
 * v1.)
 */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { Outcome, Provider, ProviderContext } from "#providers/provider.ts";
import type { Failed, RestProviderDefinition } from "#providers/rest/definition.ts";
import { type Attempt, failure, unsent } from "#providers/rest/requests/attempt.ts";
import { sendRequest } from "#providers/rest/requests/request.ts";

export const CONNECTION = "gcp:servicenetworking/Connection";

const NETWORK = /^projects\/([^/]+)\/global\/networks\/[^/]+$/;

interface Called {
  type: string;
  properties: JsonMap;
}

/** The provider, with the number in the calls for connections, and the id in their outcomes. */
export function connectionsByNumber(
  provider: Provider,
  definition: RestProviderDefinition,
): Provider {
  const byNumber = async <C extends Called>(
    verb: Attempt["verb"],
    context: ProviderContext,
    call: C,
    act: (call: C) => Promise<Outcome>,
  ): Promise<Outcome> => {
    if (call.type !== CONNECTION) return act(call);
    const project = projectOf(context, call);
    if (typeof project !== "string") return project;
    const number = await numberOf(definition, context, project);
    if (typeof number !== "string") return unsent(verb, number);
    const outcome = await act(renamed(call, project, number));
    return withService(renamed(outcome, number, project));
  };
  return {
    ...provider,
    create: (context, call) =>
      byNumber("create", context, call, (asked) => provider.create(context, asked)),
    lookUp: (context, call) =>
      byNumber("list", context, call, (asked) => provider.lookUp(context, asked)),
    read: (context, call) =>
      byNumber("read", context, call, (asked) => provider.read(context, asked)),
    update: (context, call) =>
      byNumber("update", context, call, (asked) => provider.update(context, asked)),
    delete: (context, call) =>
      byNumber("delete", context, call, (asked) => provider.delete(context, asked)),
    poll: (context, call) =>
      byNumber("poll", context, call, (asked) => provider.poll(context, asked)),
  };
}

/** The project of the network, which has to be the target's. */
function projectOf({ config }: ProviderContext, { properties }: Called): string | Failed {
  const { network } = properties;
  const named = typeof network === "string" ? NETWORK.exec(network)?.[1] : undefined;
  if (named !== undefined && named === config["project"]) return named;
  const message =
    "A private connection needs the id of a network in the target's project, as in projects/<project>/global/networks/<name>.";
  return failure("invalid_network", message, { means: "invalid", fault: "user" });
}

async function numberOf(
  definition: RestProviderDefinition,
  context: ProviderContext,
  project: string,
): Promise<string | Failed> {
  const row = { path: "/", update: "none" } as const;
  const result = await sendRequest(
    { definition, context, row, type: CONNECTION, verb: "read", properties: {} },
    {
      method: "GET",
      host: "cloudresourcemanager",
      path: `/v3/projects/${encodeURIComponent(project)}`,
      filled: true,
    },
  );
  if (!result.ok)
    // What is missing is no connection, but the project.
    return result.failed.means === "gone" ? { ...result.failed, means: "denied" } : result.failed;
  const { json } = result.answer;
  const { name } = isJsonMap(json) ? json : {};
  const number = typeof name === "string" ? /^projects\/(\d+)$/.exec(name)?.[1] : undefined;
  const message = `Google does not show the number of the project ${project}.`;
  return number ?? failure("invalid_answer", message, { retryable: true });
}

/** The same with `projects/<to>/` at the start of each text that has `projects/<from>/` there. */
function renamed<V extends object>(value: V, from: string, to: string): V {
  const start = `projects/${from}/`;
  const walk = (one: Json): Json => {
    if (typeof one === "string")
      return one.startsWith(start) ? `projects/${to}/${one.slice(start.length)}` : one;
    if (Array.isArray(one)) return one.map(walk);
    if (!isJsonMap(one)) return one;
    return Object.fromEntries(Object.entries(one).map(([key, below]) => [key, walk(below)]));
  };
  return walk(value as unknown as Json) as unknown as V;
}

/** A connection shows `services/` before its service. */
function withService(outcome: Outcome): Outcome {
  if (!("outputs" in outcome) || outcome.outputs === undefined) return outcome;
  const { service } = outcome.outputs;
  return typeof service === "string"
    ? { ...outcome, outputs: { ...outcome.outputs, service: service.replace(/^services\//, "") } }
    : outcome;
}

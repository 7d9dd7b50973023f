/**
 * What is in a project that is paused, or that comes and goes, is answered as if it did not exist. It counts as gone
 * only if the project itself is gone, or works.
 */
import type { JsonMap } from "#platform/json.ts";
import type { Outcome, Provider, ProviderContext } from "#providers/provider.ts";
import type { Failed } from "#providers/rest/definition.ts";
import { failure } from "#providers/rest/requests/attempt.ts";
import { PAUSED, restoreAdvice } from "./meaning.ts";
import { stuck } from "./project-rows.ts";

const PROJECT_TYPE = "supabase:Project";
const works: ReadonlySet<unknown> = new Set(["ACTIVE_HEALTHY", "ACTIVE_UNHEALTHY", "REMOVED"]);

interface Call {
  type: string;
  properties: JsonMap;
  id?: string;
}

function paused(what: string, status: unknown): Failed {
  const message = `${what} is not usable while its project is ${String(status)}.`;
  return stuck.includes(String(status))
    ? failure(PAUSED, `${message} ${restoreAdvice}`, { means: "invalid", fault: "user" })
    : failure("project_busy", message, { means: "busy", retryable: true });
}

/** The ref of the project that the object is in. */
function refOf({ properties, id }: Call): string | undefined {
  const ref = properties["ref"] ?? id?.split("/")[0];
  return typeof ref === "string" ? ref : undefined;
}

export function withPausedProjects(provider: Provider): Provider {
  const judged = async (
    context: ProviderContext,
    call: Call,
    outcome: Outcome,
  ): Promise<Outcome> => {
    if (call.type === PROJECT_TYPE) return withAdvice(outcome);
    const id = refOf(call);
    if (outcome.kind !== "gone" || id === undefined) return outcome;
    const project = await provider.read(context, { type: PROJECT_TYPE, id, properties: {} });
    if (project.kind === "failed") return { ...project, unknownOutcome: false };
    const status = project.kind === "done" ? project.outputs["status"] : undefined;
    if (status === undefined || works.has(status)) return outcome;
    return paused(`The ${call.type} ${call.id ?? ""}`.trim(), status);
  };
  return {
    ...provider,
    read: async (context, call) => judged(context, call, await provider.read(context, call)),
    update: async (context, call) => judged(context, call, await provider.update(context, call)),
    delete: async (context, call) => judged(context, call, await provider.delete(context, call)),
    poll: async (context, call) => judged(context, call, await provider.poll(context, call)),
  };
}

function withAdvice(outcome: Outcome): Outcome {
  if (outcome.kind !== "failed" || outcome.code !== "resource_failed") return outcome;
  const status = outcome.outputs?.["status"];
  if (status !== "INACTIVE" && status !== "PAUSE_FAILED") return outcome;
  return {
    ...outcome,
    code: PAUSED,
    message: `${outcome.message} ${restoreAdvice}`,
    fault: "user",
  };
}

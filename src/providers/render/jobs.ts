/**
 * One-off jobs. Render deletes none: one that runs is canceled, and one that has ended counts as deleted, although it can
 * still be read.
 */
import type { Outcome, Provider, ProviderContext, ReadCall } from "#providers/provider.ts";

const JOB = "render:Job";
const ended: ReadonlySet<unknown> = new Set(["succeeded", "failed", "canceled"]);

/** The provider, with deletes of jobs that leave ended ones. */
export function jobsProvider(provider: Provider): Provider {
  /** The outcome of a delete, if the job has ended or cannot be read. Undefined: it still runs. */
  const endOf = async (context: ProviderContext, call: ReadCall): Promise<Outcome | undefined> => {
    const seen = await provider.read(context, call);
    if (seen.kind === "done")
      return ended.has(seen.outputs["status"]) ? { kind: "gone" } : undefined;
    return seen;
  };
  return {
    ...provider,
    delete: async (context, call) => {
      if (call.type !== JOB) return provider.delete(context, call);
      const end = await endOf(context, call);
      if (end !== undefined) return end;
      const canceled = await provider.delete(context, call);
      // It may have ended in between, which Render refuses to cancel.
      if (canceled.kind !== "gone" && (canceled.kind !== "failed" || !canceled.retryable))
        return (await endOf(context, call)) ?? canceled;
      return canceled;
    },
    poll: async (context, call) => {
      const { id } = call;
      if (call.type !== JOB || call.verb !== "delete" || id === undefined)
        return provider.poll(context, call);
      const end = await endOf(context, { ...call, id });
      return end === undefined || end.kind === "failed" ? provider.poll(context, call) : end;
    },
  };
}

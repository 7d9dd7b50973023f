/** The entry of the Worker: requests, queue messages, the cron schedule and the Durable Objects. */
import type { Bindings } from "#kernel/bindings.ts";
import { describeError, log } from "#platform/log.ts";
import { app } from "./app.ts";
import { consumers } from "./queues.ts";
import { sweeps } from "./schedules.ts";

export { MockCloud } from "#providers/mock/mock-cloud.ts";
export { InstanceRunner } from "#orchestrator/runner/instance-runner.ts";
export { TargetGate } from "#orchestrator/gate/target-gate.ts";
export { QuotaCounter } from "#kernel/limits/quota-counter.ts";

export default {
  fetch: app.fetch,

  async queue(batch, env, context) {
    const consume = Object.hasOwn(consumers, batch.queue) ? consumers[batch.queue] : undefined;
    if (consume === undefined) throw new Error(`No consumer for the queue ${batch.queue}`);
    await consume(batch, env, context);
  },

  async scheduled(event, env) {
    if (env.SCHEDULED_HANDLER_KEY !== undefined && event.cron !== env.SCHEDULED_HANDLER_KEY)
      throw new Error("A scheduled event without the key of this run was refused");
    // Wrangler takes any time from whoever sends the event: a later one would expire what is still valid.
    const nowMs = Math.min(event.scheduledTime, Date.now());
    const results = await Promise.allSettled(
      Object.entries(sweeps).map(async ([name, sweep]) => {
        try {
          await sweep(env, nowMs);
        } catch (error) {
          log("error", "A sweep failed", { sweep: name, error: describeError(error) });
          throw error;
        }
      }),
    );
    const failed = results.filter((result) => result.status === "rejected").length;
    if (failed > 0) throw new Error(`${failed} of ${results.length} sweeps failed; see the log`);
  },
} satisfies ExportedHandler<Bindings>;

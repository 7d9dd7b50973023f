/** The entry of the Worker: requests, queue messages, the cron schedule and the Durable Objects. */
import { noteSweeps, type SweepEnd } from "#areas/operations/note-sweeps.ts";
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
    if (env.SCHEDULED_HANDLER_KEY !== undefined && event.cron !== env.SCHEDULED_HANDLER_KEY) {
      const refused = "A scheduled event without the key of this run was refused";
      // On this machine, what a handler throws is shown by an inspector alone, and there is none (decision 0024).
      log("warn", refused);
      throw new Error(refused);
    }
    // Wrangler takes any time from whoever sends the event: a later one would expire what is still valid.
    const nowMs = Math.min(event.scheduledTime, Date.now());
    // Seam for several databases (docs/operations.md, "Past one database"): each of them is swept.
    const ends = await Promise.all(
      Object.entries(sweeps).map(async ([name, sweep]): Promise<[string, SweepEnd]> => {
        const startedAtMs = Date.now();
        let failed = false;
        try {
          await sweep(env, nowMs);
        } catch (error) {
          log("error", "A sweep failed", { sweep: name, error: describeError(error) });
          failed = true;
        }
        return [name, { startedAtMs, durationMs: Date.now() - startedAtMs, failed }];
      }),
    );
    await noteSweeps(env, Object.fromEntries(ends));
    const count = ends.filter(([, { failed }]) => failed).length;
    if (count > 0) throw new Error(`${count} of ${ends.length} sweeps failed; see the log`);
  },
} satisfies ExportedHandler<Bindings>;

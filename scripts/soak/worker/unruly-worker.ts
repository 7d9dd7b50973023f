/**
 * The Worker in the platform's worst mood, for `npm run soak`: messages come late, twice and out of order, some of them
 * once more seconds later, and alarms of runners fire twice. `UNRULY_SEED` decides; without it this is the Worker
 * itself.
 */
import type { Bindings } from "#kernel/bindings.ts";
import { InstanceRunner as Runner } from "#orchestrator/runner/instance-runner.ts";
import { Random } from "#test/simulation/random.ts";
import worker from "#worker.ts";
import { deliverUnruly } from "./unruly-batch.ts";

export { MockCloud, QuotaCounter, TargetGate } from "#worker.ts";

type UnrulyBindings = Bindings & { UNRULY_SEED?: string };

const ALARM_TWICE_CHANCE = 0.2;

let random: Random | undefined;

function moodOf(env: UnrulyBindings): Random | undefined {
  const seed = env.UNRULY_SEED;
  if (seed === undefined || seed === "") return undefined;
  return (random ??= new Random(Number(seed)));
}

export class InstanceRunner extends Runner {
  override async alarm(): Promise<void> {
    await super.alarm();
    if (moodOf(this.env)?.chance(ALARM_TWICE_CHANCE) === true) await super.alarm();
  }
}

/** The queue to which a message is sent once more; undefined: the queue of dead letters. */
function producerOf(env: UnrulyBindings, queue: string): Queue | undefined {
  const producers = new Map<string, Queue>([
    ["control-deployments", env.DEPLOYMENTS_QUEUE],
    ["control-triggers", env.TRIGGERS_QUEUE],
    ["control-webhooks", env.WEBHOOKS_QUEUE],
    ["control-webhooks-slow", env.WEBHOOKS_SLOW_QUEUE],
  ]);
  return producers.get(queue);
}

/** The batch with these messages. `isHeard`: whether an answer reaches the queue. */
function batchOf(
  batch: MessageBatch,
  messages: readonly Message[],
  isHeard: boolean,
): MessageBatch {
  const none = (): void => {};
  return {
    queue: batch.queue,
    metadata: batch.metadata,
    messages: messages.map((message) => ({
      id: message.id,
      timestamp: message.timestamp,
      body: message.body,
      attempts: message.attempts,
      ack: isHeard ? () => message.ack() : none,
      retry: isHeard ? (options) => message.retry(options) : none,
    })),
    ackAll: isHeard ? () => batch.ackAll() : none,
    retryAll: isHeard ? (options) => batch.retryAll(options) : none,
  };
}

export default {
  fetch: async (request, env, context) => worker.fetch(request, env, context),
  scheduled: async (event, env) => worker.scheduled(event, env),

  async queue(batch, env, context) {
    const random = moodOf(env);
    const producer = producerOf(env, batch.queue);
    if (random === undefined || producer === undefined) return worker.queue(batch, env, context);
    await deliverUnruly(batch.messages, random, {
      consume: async (messages, isHeard) =>
        worker.queue(batchOf(batch, messages, isHeard), env, context),
      again: async ({ body }, delaySeconds) => {
        await producer.send(body, { delaySeconds });
      },
      wait: async (ms) => scheduler.wait(ms),
    });
  },
} satisfies ExportedHandler<UnrulyBindings>;

/**
 * The Worker in the platform's worst mood, for `npm run soak`: messages come late, twice and out of order, some of them
 * once more seconds later, and alarms of runners ring twice. `UNRULY_SEED` decides; without it this is the Worker itself.
 */
import type { Bindings } from "#kernel/bindings.ts";
import { InstanceRunner as Runner } from "#orchestrator/runner/instance-runner.ts";
import { Random } from "#test/simulation/random.ts";
import worker from "#worker.ts";

export { MockCloud, QuotaCounter, TargetGate } from "#worker.ts";

type UnrulyBindings = Bindings & { UNRULY_SEED?: string };

const LATE_CHANCE = 0.3;
const MAX_LATE_MS = 700;
const TWICE_CHANCE = 0.3;
const AGAIN_CHANCE = 0.1;
const MAX_AGAIN_SECONDS = 6;
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

const producers = (env: UnrulyBindings): Readonly<Record<string, Queue>> => ({
  "control-deployments": env.DEPLOYMENTS_QUEUE,
  "control-triggers": env.TRIGGERS_QUEUE,
  "control-webhooks": env.WEBHOOKS_QUEUE,
  "control-webhooks-slow": env.WEBHOOKS_SLOW_QUEUE,
});

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, place: random.next() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

/** The batch with these messages. `answers`: whether an acknowledgement reaches the queue. */
function batchOf(
  batch: MessageBatch,
  messages: readonly Message[],
  answers: boolean,
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
      ack: answers ? () => message.ack() : none,
      retry: answers ? (options) => message.retry(options) : none,
    })),
    ackAll: answers ? () => batch.ackAll() : none,
    retryAll: answers ? (options) => batch.retryAll(options) : none,
  };
}

export default {
  fetch: async (request, env, context) => worker.fetch(request, env, context),
  scheduled: async (event, env) => worker.scheduled(event, env),

  async queue(batch, env, context) {
    const random = moodOf(env);
    const producer = Object.hasOwn(producers(env), batch.queue)
      ? producers(env)[batch.queue]
      : undefined;
    if (random === undefined || producer === undefined) return worker.queue(batch, env, context);
    if (random.chance(LATE_CHANCE)) await scheduler.wait(random.below(MAX_LATE_MS));
    const again = batch.messages.filter(() => random.chance(AGAIN_CHANCE));
    for (const { body } of again)
      await producer.send(body, { delaySeconds: random.below(MAX_AGAIN_SECONDS) });
    const twice = random.chance(TWICE_CHANCE);
    await worker.queue(batchOf(batch, shuffled(batch.messages, random), true), env, context);
    if (twice)
      await worker.queue(batchOf(batch, shuffled(batch.messages, random), false), env, context);
  },
} satisfies ExportedHandler<UnrulyBindings>;

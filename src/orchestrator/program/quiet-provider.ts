import type { Outcome, Provider } from "#providers/provider.ts";
import { redactSecrets } from "#providers/redact-secrets.ts";

/**
 * The provider, in whose words none of the run's secrets stands: a cloud that refuses a value quotes it, and what it
 * says is kept in the log, the deployment and its events. `secrets`: those that are known by now.
 */
export function quietProvider(provider: Provider, secrets: () => readonly string[]): Provider {
  const quiet = async (answer: Promise<Outcome>): Promise<Outcome> => {
    const outcome = await answer;
    if (outcome.kind === "failed")
      return { ...outcome, message: redactSecrets(outcome.message, [...secrets()]) };
    if (outcome.kind === "pending" && outcome.note !== undefined)
      return { ...outcome, note: redactSecrets(outcome.note, [...secrets()]) };
    return outcome;
  };
  return {
    name: provider.name,
    openTypes: provider.openTypes,
    credential: provider.credential,
    config: provider.config,
    concurrency: provider.concurrency,
    facts: (type) => provider.facts(type),
    types: () => provider.types(),
    verify: (context) => provider.verify(context),
    timeoutMs: (type, verb) => provider.timeoutMs(type, verb),
    create: (context, call) => quiet(provider.create(context, call)),
    read: (context, call) => quiet(provider.read(context, call)),
    update: (context, call) => quiet(provider.update(context, call)),
    delete: (context, call) => quiet(provider.delete(context, call)),
    poll: (context, call) => quiet(provider.poll(context, call)),
  };
}

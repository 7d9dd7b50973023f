import type { Outcome, Provider } from "#providers/provider.ts";
import { redactSecrets } from "#providers/redact-secrets.ts";

/**
 * Removes the run's secrets from the provider's messages. A cloud that rejects a value quotes it, and its messages are
 * stored in the log, the deployment and the events. `secrets`: the secret texts known so far.
 */
export function redactingProvider(provider: Provider, secrets: () => readonly string[]): Provider {
  const redacted = async (answer: Promise<Outcome>): Promise<Outcome> => {
    const outcome = await answer;
    if (outcome.kind === "failed")
      return { ...outcome, message: redactSecrets(outcome.message, [...secrets()]) };
    if (outcome.kind !== "gone" && outcome.note !== undefined)
      return { ...outcome, note: redactSecrets(outcome.note, [...secrets()]) };
    return outcome;
  };
  return {
    name: provider.name,
    openTypes: provider.openTypes,
    credential: provider.credential,
    config: provider.config,
    concurrency: provider.concurrency,
    ...(provider.hosts === undefined ? {} : { hosts: provider.hosts }),
    ...(provider.federation === undefined ? {} : { federation: provider.federation }),
    facts: (type) => provider.facts(type),
    types: () => provider.types(),
    verify: (context) => provider.verify(context),
    timeoutMs: (type, verb) => provider.timeoutMs(type, verb),
    repeats: (context, type) => provider.repeats(context, type),
    create: (context, call) => redacted(provider.create(context, call)),
    lookUp: (context, call) => redacted(provider.lookUp(context, call)),
    read: (context, call) => redacted(provider.read(context, call)),
    update: (context, call) => redacted(provider.update(context, call)),
    delete: (context, call) => redacted(provider.delete(context, call)),
    poll: (context, call) => redacted(provider.poll(context, call)),
  };
}

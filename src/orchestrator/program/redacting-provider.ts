import type { Json } from "#platform/json.ts";
import { quotable, shortened, withinLimits } from "#providers/message-limits.ts";
import type { Outcome, Provider, ProviderContext } from "#providers/provider.ts";
import { redactSecrets, secretsIn } from "#providers/redact-secrets.ts";

/**
 * Removes the run's secrets and its credential from the provider's messages, and only then cuts them. A cloud that
 * rejects a value quotes it, and its messages are stored in the log, the deployment and the events. `secrets`: the
 * secret texts known so far.
 */
export function redactingProvider(provider: Provider, secrets: () => readonly string[]): Provider {
  const redacted = async (
    { credential, config }: ProviderContext,
    answer: Promise<Outcome>,
  ): Promise<Outcome> => {
    const outcome = await answer;
    return withoutSecrets(outcome, [...secretsIn(credential, config), ...secrets()]);
  };
  const account = provider.account?.bind(provider);
  return {
    name: provider.name,
    openTypes: provider.openTypes,
    credential: provider.credential,
    config: provider.config,
    concurrency: provider.concurrency,
    ...(provider.federation === undefined ? {} : { federation: provider.federation }),
    ...(provider.hosts === undefined ? {} : { hosts: provider.hosts }),
    facts: (type) => provider.facts(type),
    types: () => provider.types(),
    ...(account === undefined
      ? {}
      : {
          account: async (context) => {
            const asked = await account(context);
            if (asked.kind === "account") return asked;
            const told = await redacted(context, Promise.resolve(asked));
            return told.kind === "failed" ? told : asked;
          },
        }),
    verify: (context) => provider.verify(context),
    timeoutMs: (type, verb) => provider.timeoutMs(type, verb),
    repeats: (context, type) => provider.repeats(context, type),
    ...(provider.knownId === undefined
      ? {}
      : { knownId: (context, call) => provider.knownId?.(context, call) }),
    ...(provider.spelledId === undefined
      ? {}
      : { spelledId: (type, id) => provider.spelledId?.(type, id) ?? id }),
    ...(provider.namedObjects === undefined
      ? {}
      : { namedObjects: (context, call) => provider.namedObjects?.(context, call) ?? [] }),
    create: (context, call) => redacted(context, provider.create(context, call)),
    lookUp: (context, call) => redacted(context, provider.lookUp(context, call)),
    read: (context, call) => redacted(context, provider.read(context, call)),
    update: (context, call) => redacted(context, provider.update(context, call)),
    delete: (context, call) => redacted(context, provider.delete(context, call)),
    poll: (context, call) => redacted(context, provider.poll(context, call)),
  };
}

function withoutSecrets(outcome: Outcome, secrets: Json): Outcome {
  const redact = (text: string): string => redactSecrets(quotable(text), secrets);
  const { requestId } = outcome;
  const of = requestId === undefined ? {} : { requestId: redact(requestId) };
  if (outcome.kind === "failed") {
    const { code, fault, message, permission } = outcome;
    return withinLimits({
      ...outcome,
      ...of,
      // Codes without a fault are this service's own, and decide the engine's next action.
      code: fault === undefined ? code : redact(code),
      message: redact(message),
      ...(permission !== undefined && { permission: redact(permission) }),
    });
  }
  if (outcome.kind === "gone" || outcome.note === undefined) return { ...outcome, ...of };
  return { ...outcome, ...of, note: shortened(redact(outcome.note)) };
}

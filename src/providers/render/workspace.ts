/** The shared implementation in one workspace: what a target makes is in the one of its config. */
import { isJsonMap, type JsonMap } from "#platform/json.ts";
import type { Outcome, Provider, ProviderContext } from "#providers/provider.ts";
import type { Failed } from "#providers/rest/definition.ts";
import { failure } from "#providers/rest/requests/attempt.ts";
import { kindMistake } from "./service-kinds.ts";

const SERVICE = "render:Service";

/** Their creates name the workspace; others are in that of what they belong to. */
const owned: ReadonlySet<string> = new Set(
  ["Service", "Postgres", "KeyValue", "EnvGroup", "Project", "RegistryCredential", "Webhook"].map(
    (name) => `render:${name}`,
  ),
);

interface Call {
  type: string;
  properties: JsonMap;
}

function refused(message: string): Failed {
  return failure("invalid_property", message, { means: "invalid", fault: "user" });
}

/** A key may open several workspaces of its user: properties name none but the target's. */
function strangeOwner({ config }: ProviderContext, { properties }: Call): Failed | undefined {
  const { ownerId, image } = properties;
  const named = [ownerId, isJsonMap(image) ? image["ownerId"] : undefined];
  return named.every((one) => one === undefined || one === config["ownerId"])
    ? undefined
    : refused("The workspace is the one of the target's config. Remove `ownerId`.");
}

function withOwner({ config }: ProviderContext, properties: JsonMap): JsonMap {
  const { ownerId } = config;
  const { image } = properties;
  if (ownerId === undefined || !isJsonMap(image)) return properties;
  return { ...properties, image: { ...image, ownerId } };
}

export function workspaceProvider(provider: Provider): Provider {
  const mistakeOf = (context: ProviderContext, call: Call): Failed | undefined => {
    const kind = call.type === SERVICE ? kindMistake(call.properties) : undefined;
    return strangeOwner(context, call) ?? (kind === undefined ? undefined : refused(kind));
  };
  return {
    ...provider,
    create: async (context, call): Promise<Outcome> => {
      const mistake = mistakeOf(context, call);
      if (mistake !== undefined) return mistake;
      const { ownerId } = context.config;
      const owner = ownerId !== undefined && owned.has(call.type) ? { ownerId } : {};
      const properties = { ...withOwner(context, call.properties), ...owner };
      return provider.create(context, { ...call, properties });
    },
    update: async (context, call): Promise<Outcome> =>
      mistakeOf(context, call) ??
      provider.update(context, {
        ...call,
        properties: withOwner(context, call.properties),
        before: withOwner(context, call.before),
      }),
    poll: (context, call) =>
      provider.poll(context, {
        ...call,
        properties: withOwner(context, call.properties),
        ...(call.update && {
          update: { ...call.update, before: withOwner(context, call.update.before) },
        }),
      }),
  };
}

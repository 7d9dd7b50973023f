/** The shared implementation in one team: a target makes nothing where its token's user happens to work. */
import type {
  CreateCall,
  DeleteCall,
  LookUpCall,
  Outcome,
  PollCall,
  Provider,
  ProviderContext,
  ReadCall,
  UpdateCall,
} from "#providers/provider.ts";
import type { Failed } from "#providers/rest/definition.ts";
import { failure } from "#providers/rest/requests/attempt.ts";

/** What a target without a team is told, before anything is asked. */
export const noTeam = {
  code: "invalid_config",
  message: "The target names no team. Set `teamId` in its config.",
} as const;

/** Without a team, calls go to the default team of the token's user, who may change it at any time. */
export function withoutTeam({ config }: ProviderContext): Failed | undefined {
  return config["teamId"] === undefined
    ? failure(noTeam.code, noTeam.message, { means: "invalid", fault: "user" })
    : undefined;
}

export function teamProvider(provider: Provider): Provider {
  const inTeam =
    <C>(act: (context: ProviderContext, call: C) => Promise<Outcome>) =>
    async (context: ProviderContext, call: C): Promise<Outcome> =>
      withoutTeam(context) ?? act(context, call);
  return {
    ...provider,
    create: inTeam(async (context, call: CreateCall) => {
      // Vercel makes a project of the deployment's name, which nobody deletes.
      if (call.type === "vercel:Deployment" && (call.properties["project"] ?? "") === "")
        return failure("invalid_property", "A deployment needs `project`: the id of its project.", {
          means: "invalid",
          fault: "user",
        });
      return provider.create(context, call);
    }),
    lookUp: inTeam((context, call: LookUpCall) => provider.lookUp(context, call)),
    read: inTeam((context, call: ReadCall) => provider.read(context, call)),
    update: inTeam((context, call: UpdateCall) => provider.update(context, call)),
    delete: inTeam((context, call: DeleteCall) => provider.delete(context, call)),
    poll: inTeam((context, call: PollCall) => provider.poll(context, call)),
  };
}

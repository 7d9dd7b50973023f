import type { Provider, ProviderContext } from "#providers/provider.ts";
import type {
  RequestResult,
  RequestSpec,
  RestProviderDefinition,
} from "#providers/rest/definition.ts";
import { failure } from "./attempt.ts";
import { sendRequest } from "./request.ts";
import { usableId } from "./usable-id.ts";

/** Requests to learn one account. */
const MAX_REQUESTS = 2;

/** Asks the cloud whose account the credential opens, as the definition says. */
export async function accountOf(
  definition: RestProviderDefinition,
  context: ProviderContext,
): ReturnType<NonNullable<Provider["account"]>> {
  const { name } = definition.types;
  const row = { path: definition.verifyPath, update: "none" } as const;
  const attempt = { definition, context, row, verb: "verify", properties: {} } as const;
  let sent = 0;
  const request = async (spec: RequestSpec): Promise<RequestResult> => {
    sent += 1;
    if (sent <= MAX_REQUESTS) return sendRequest(attempt, spec);
    const message = `To learn the account at ${name} would need more than ${MAX_REQUESTS} requests.`;
    return { ok: false, failed: failure("internal", message) };
  };
  const told = (await definition.account?.(context, request)) ?? "";
  // Nothing was to be changed.
  if (typeof told !== "string" && "kind" in told) return { ...told, unknownOutcome: false };
  const { alias, ...named } = typeof told === "string" ? { id: told } : told;
  const id = usableId(named.id);
  if (id === undefined)
    return failure("invalid_answer", `${name} did not say which account it is.`, {
      retryable: true,
    });
  const { accountNameChanges: nameChanges } = definition;
  return {
    kind: "account",
    id,
    ...(alias !== undefined && { alias }),
    ...(nameChanges && { nameChanges }),
  };
}

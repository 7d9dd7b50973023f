/** Whose objects the calls of a target see: those of one account, in one region. */
import { isJsonMap } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";
import type { RequestSpec, RestProviderDefinition } from "#providers/rest/definition.ts";
import { failure } from "#providers/rest/requests/attempt.ts";
import { keysIn, roleIn } from "./access.ts";
import { below, stsRequest } from "./session.ts";

/** Signed with the keys of the session, or those that are stored. */
export function callerIdentity(host: "sts" | "stsHome", region: string): RequestSpec {
  const keys = ({ session, credential }: ProviderContext) => keysIn(session ?? credential);
  return stsRequest("GetCallerIdentity", {}, { keys, region, host });
}

/** A role says its account itself. The region is part of it: in another one, an object of the same account is not seen. */
export const awsAccount: NonNullable<RestProviderDefinition["account"]> = async (
  context,
  request,
) => {
  const { region, config } = context;
  const role = roleIn(config);
  if (role !== undefined) return `${role.account} (${region})`;
  const asked = await request(callerIdentity("sts", region));
  if (!asked.ok) return asked.failed;
  const { json } = asked.answer;
  const { Account } = below(below(isJsonMap(json) ? json : {}, "Response"), "Result");
  return typeof Account === "string" && /^\d{12}$/.test(Account)
    ? `${Account} (${region})`
    : failure("invalid_answer", "STS did not say whose keys these are.", { retryable: true });
};

/**
 * `npm run fake:aws`: an AWS that costs nothing, on this machine, for the guide and for experiments. It has the verified
 * types, checks signatures and properties, and forgets everything when it ends. Its role trusts the tokens of one target
 * (`TRUST_SUBJECT`) of one installation (`ISSUER`).
 */
import { KEYS } from "#test/providers/aws/fake-aws.ts";
import { Refused } from "#test/providers/aws/fake-control.ts";
import { awsWithZone } from "#test/providers/aws/served-aws.ts";
import { fakeTrust } from "./fake-trust.ts";
import { runFakeCloud } from "./run-fake-cloud.ts";

const OPERATION_MS = 2_000;
const ROLE = "arn:aws:iam::123456789012:role/deployer";
const SESSION_SECONDS = 900;

const distrusts = fakeTrust("sts.amazonaws.com");

async function assume(action: string, form: URLSearchParams): Promise<{ seconds: number }> {
  if (action !== "AssumeRoleWithWebIdentity" || form.get("RoleArn") !== ROLE)
    throw new Refused("AccessDenied", `Not authorized to perform: sts:${action}`, 403);
  const distrust = await distrusts(form.get("WebIdentityToken") ?? "");
  if (distrust === undefined) return { seconds: SESSION_SECONDS };
  const isPolicy = distrust.of === "subject" || distrust.of === "unset";
  const code = isPolicy ? "AccessDenied" : "InvalidIdentityToken";
  throw new Refused(code, distrust.says, isPolicy ? 403 : 400);
}

const { aws, zoneId } = await awsWithZone({ operationMs: OPERATION_MS, assume });
aws.control.afterChange = ({ verb, type, id }) => {
  console.log(`${verb} ${type} ${id}`);
};
aws.dns.afterChange = (verb, { name, type }) => {
  console.log(`${verb} record ${name} ${type}`);
};
await runFakeCloud({
  defaultPort: "9899",
  fetch: aws.fetch,
  greeting: (url) => `A fake AWS listens on ${url}
Keys                ${JSON.stringify(KEYS)}
Role                ${ROLE}
Hosted zone         ${zoneId}
PROVIDER_ENDPOINTS  ${JSON.stringify({ aws: url })}`,
});

/**
 * `npm run fake:azure`: an Azure that costs nothing, on this machine, for the guide and for experiments. It refuses what
 * the description in `test/providers/azure` does not allow, and forgets everything when it ends. Its application trusts
 * the tokens of one target (`TRUST_SUBJECT`) of one installation (`ISSUER`).
 */
import {
  ArmCloud,
  CLIENT_ID,
  CLIENT_SECRET,
  GROUP,
  SUBSCRIPTION,
  TENANT_ID,
} from "#test/providers/azure/arm-cloud.ts";
import { type Distrust, fakeTrust } from "./fake-trust.ts";
import { runFakeCloud } from "./run-fake-cloud.ts";

const READY_AFTER_MS = 2_000;

/** Microsoft's numbers; `unset` has none of them, so that its words are shown. */
const numbers: Readonly<Record<Distrust["of"], number>> = {
  unset: 7_000_000,
  issuer: 700_211,
  audience: 700_212,
  subject: 700_213,
  token: 700_027,
};
const distrusts = fakeTrust("api://AzureADTokenExchange");

async function trusts(assertion: string): Promise<string | undefined> {
  const distrust = await distrusts(assertion);
  return distrust && `${numbers[distrust.of]} ${distrust.says}`;
}

const cloud = new ArmCloud({ readyAfterMs: READY_AFTER_MS, trusts });
cloud.afterChange = ({ verb, by }) => {
  console.log(`${verb} ${by}`);
};
const config = {
  subscriptionId: SUBSCRIPTION,
  resourceGroup: GROUP,
  tenantId: TENANT_ID,
  clientId: CLIENT_ID,
};
await runFakeCloud({
  defaultPort: "9895",
  fetch: (request) => cloud.fetch(request),
  problems: () => cloud.violations.splice(0).map((problem) => `Not as described: ${problem}`),
  greeting: (url) => `A fake Azure listens on ${url}
Client secret       ${CLIENT_SECRET}
Target's config     ${JSON.stringify(config)}
PROVIDER_ENDPOINTS  ${JSON.stringify({ azure: url })}`,
});

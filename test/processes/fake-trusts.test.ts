/** `npm run fake -- <cloud>` for the clouds that federate: a target without a credential is let in once its subject is trusted. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Named } from "../../scripts/client/client.ts";
import { setUpTenant } from "../../scripts/client/tenant-setup.ts";
import { type Receiver, startReceiver } from "../../scripts/receiver/receiver.ts";
import { freePort } from "../../scripts/service/port.ts";
import { localService } from "./local-service.ts";
import { longScenes } from "./long-scenes.ts";
import { printedAs } from "./pasted-guide.ts";
import { cleanUp, startService, temporaryDirectory } from "./service-process.ts";
import { interrupt, Terminal } from "./terminal.ts";

interface Cloud {
  provider: "aws" | "azure" | "gcp" | "oci";
  region: string;
  /** The config without a key, of what the fake has printed. */
  config: (output: string) => object;
  /** What the check says of another target's subject. */
  says: RegExp;
}

interface Target extends Named {
  identity: { subject: string };
}

interface Verified {
  ok: boolean;
  message: string;
}

const clouds: readonly Cloud[] = [
  {
    provider: "aws",
    region: "eu-central-1",
    config: (output) => ({ roleArn: printedAs("Role ", output) }),
    says: /subject/,
  },
  {
    provider: "azure",
    region: "westeurope",
    config: (output) => JSON.parse(printedAs("Target's config", output)) as object,
    says: /the subject does not match/,
  },
  {
    provider: "gcp",
    region: "europe-west1",
    config: (output) => JSON.parse(printedAs("  without a key", output)) as object,
    says: /attribute condition/,
  },
  {
    provider: "oci",
    region: "eu-frankfurt-1",
    config: (output) => JSON.parse(printedAs("  without a key", output)) as object,
    says: /impersonationServiceUsers/,
  },
];

let directory: string;
let receiver: Receiver;
let fakes: Terminal[];

beforeEach(async () => {
  directory = await temporaryDirectory();
  receiver = await startReceiver();
  fakes = [];
});

afterEach(async () => {
  for (const fake of fakes) await interrupt(fake.pid);
  await receiver.close();
  await cleanUp(directory);
});

async function startFake(
  { provider }: Cloud,
  variables: Record<string, string>,
): Promise<Terminal> {
  const fake = new Terminal("npm", ["run", "fake", "--", provider], variables);
  fakes.push(fake);
  await fake.until("PROVIDER_ENDPOINTS");
  return fake;
}

describe.runIf(longScenes.includes("federation at each fake cloud"))("a fake cloud", () => {
  it("lets in the target whose subject it trusts, and no other", { timeout: 400_000 }, async () => {
    const environment = await localService(directory);
    const ISSUER = `http://127.0.0.1:${environment["PORT"]}`;
    const started = [];
    for (const cloud of clouds) {
      const PORT = String(await freePort());
      started.push({ cloud, PORT, fake: await startFake(cloud, { PORT, ISSUER }) });
    }
    const endpoints = started.map(({ fake }) => printedAs("PROVIDER_ENDPOINTS", fake.output));
    const all = Object.assign({}, ...endpoints.map((one) => JSON.parse(one) as object)) as object;
    environment["PROVIDER_ENDPOINTS"] = JSON.stringify(all);
    const service = await startService(environment);
    const { client } = await setUpTenant(service.address, service.operatorKey, receiver);

    for (const { cloud, PORT, fake } of started) {
      const { provider, region, config, says } = cloud;
      const targetNamed = (name: string) =>
        client.post<Target>("/cloud/targets", {
          provider,
          name,
          config: config(fake.output),
          allowedRegions: [region],
          defaultRegion: region,
        });
      const check = async ({ id }: Named) =>
        JSON.stringify(await client.post<Verified>(`/cloud/targets/${id}/verify`));
      const target = await targetNamed("own");
      const other = await targetNamed("other");
      expect(await check(target), provider).toContain("TRUST_SUBJECT");

      await interrupt(fake.pid);
      await fake.exited;
      const trust = { PORT, ISSUER, TRUST_SUBJECT: target.identity.subject };
      await startFake(cloud, trust);
      expect(await check(target), provider).toContain('"ok":true');
      const refused = await check(other);
      expect(refused, provider).toContain('"ok":false');
      expect(refused, provider).toMatch(says);
    }
  });
});

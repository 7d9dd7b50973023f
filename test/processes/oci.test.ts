/**
 * The example at a fake Oracle Cloud, by a service that is killed with -9 in its runs: deployed, its database resized in place,
 * destroyed. The cloud's ledger shows nothing doubled, lost or left behind, and no secret of it stands in an answer. It signs
 * in by an API key, or by the secret of a client and tokens that the cloud verifies with the keys that the service publishes.
 */
import { afterEach, describe, expect, it } from "vitest";
import { ociDefinition } from "#providers/oci/oci-provider.ts";
import {
  CLIENT,
  COMPARTMENT,
  DOMAIN,
  NAMESPACE,
  OracleCloud,
  REGION,
} from "#test/providers/oci/oracle-cloud.ts";
import { API_KEY, KEY_CANARY } from "#test/providers/oci/signatures.ts";
import { TokenService, type TrustPolicy } from "#test/support/token-service.ts";
import type { Named } from "../../scripts/client/client.ts";
import { doubledNames } from "../invariants/doubles.ts";
import { countFor } from "../support/depth.ts";
import { KilledExample } from "./killed-example.ts";

/** An ordinary run takes nothing of this: it takes minutes. */
const KILLS = countFor({ ordinary: 0, deep: 5 });
const READY_AFTER_MS = 300;
/** What the example makes, besides its rules and its record. */
const OBJECTS = 9;
const RULES = 3;
const secrets = {
  databasePassword: "canary-password-of-the-database",
  certificate: "the certificate",
  certificateKey: "canary-key-of-the-certificate",
};

const CLIENT_SECRET = "idcscs-canary-secret";

type SignIn = "an API key" | "a token";

interface Target extends Named {
  identity: TrustPolicy | null;
}

let cloud: OracleCloud;
let example: KilledExample | undefined;
/** Where the identity domain has the trust of a federated target. */
let tokens: TokenService | undefined;

afterEach(async () => {
  await example?.close();
});

async function distrusts(token: string): Promise<{ code: string; says: string } | undefined> {
  try {
    if (tokens === undefined) throw new Error("No identity propagation trust.");
    tokens.seen.push(token);
    await tokens.verify(token);
    return undefined;
  } catch (error) {
    return { code: "invalid_grant", says: `${String(error)} (${token})` };
  }
}

/** A target that signs in so. */
async function targetOf(started: KilledExample, how: SignIn): Promise<Named> {
  const config = { compartmentId: COMPARTMENT, namespace: NAMESPACE };
  if (how === "an API key")
    return started.addTarget({
      credentialRef: await started.storeCredential(JSON.stringify(API_KEY)),
      config,
    });
  // As the guide says: the trust is set up by what the target's answer names, then the client's secret is set.
  const target = await started.addTarget<Target>({
    config: { ...config, domainUrl: DOMAIN, clientId: CLIENT },
  });
  if (target.identity === null) throw new Error("The target has no identity.");
  tokens = new TokenService("oci", target.identity, async (at) => {
    const answer = await fetch(new URL(at, started.address));
    return { body: await answer.json() };
  });
  const clientSecret = JSON.stringify({ clientSecret: CLIENT_SECRET });
  const credentialRef = await started.storeCredential(clientSecret);
  return started.client.patch<Named>(`/cloud/targets/${target.id}`, { credentialRef });
}

/** An instance of the example. */
async function setUp(how: SignIn): Promise<KilledExample> {
  tokens = undefined;
  cloud = new OracleCloud({ readyAfterMs: READY_AFTER_MS, clientSecret: CLIENT_SECRET, distrusts });
  const started = await KilledExample.start({
    provider: "oci",
    region: REGION,
    fetch: cloud.fetch,
    hosts: ociDefinition().hosts,
    watch: (changed) => {
      cloud.afterChange = changed;
    },
    removeOthers: (known) => {
      for (const key of cloud.records.keys())
        if (!known.has(key.replace("/20180115/zones/", ""))) cloud.removeRecords(key);
    },
  });
  example = started;
  const target = await targetOf(started, how);
  await started.instantiate("oci-service", target.id, {
    ...secrets,
    availabilityDomain: "Uocm:EU-FRANKFURT-1-AD-1",
    domain: "shop.example",
  });
  return started;
}

/** Rules of all groups, and records. */
function parts(): number[] {
  return [[...cloud.rules.values()].flat().length, cloud.records.size];
}

describe.for<SignIn>(["an API key", "a token"])(
  `the example at Oracle Cloud, signed in by %s, by a service killed with -9 ${KILLS} times in each run`,
  (how) => {
    it.runIf(KILLS > 0)(
      "is deployed, resized in place and destroyed, with nothing doubled, lost or left",
      async () => {
        const killed = await setUp(how);
        await killed.toSuccess("deploy", KILLS);
        expect(cloud.living()).toHaveLength(OBJECTS);
        expect(parts()).toEqual([RULES, 1]);
        expect(doubledNames(cloud.ledger)).toEqual([]);

        const [server] = cloud.living("DbSystem");
        await killed.setVariables({ databaseCpus: 4 });
        const before = cloud.ledger.length;
        const resized = await killed.toSuccess("deploy", 0);
        expect(resized.summary).toMatchObject({ create: 0, replace: 0, delete: 0 });
        expect(cloud.ledger.slice(before)).toMatchObject([{ verb: "update", key: server?.id }]);

        await killed.toSuccess("destroy", KILLS);
        expect(cloud.living().map(({ id }) => id)).toEqual([]);
        expect(parts()).toEqual([0, 0]);
        expect(doubledNames(cloud.ledger)).toEqual([]);
        expect(cloud.violations).toEqual([]);
        expect(killed.receiver.refused).toEqual([]);
        // Each way signs in as it is meant to.
        expect(cloud.signIns.length > 0).toBe(how === "a token");
        const told = killed.printed() + (await killed.told());
        expect(told).not.toContain("canary");
        for (const secret of [KEY_CANARY, btoa(`${CLIENT}:${CLIENT_SECRET}`)])
          expect(told).not.toContain(secret);
        for (const token of tokens?.seen ?? [])
          for (const part of token.split(".")) expect(told).not.toContain(part.slice(0, 24));
      },
      900_000,
    );
  },
);

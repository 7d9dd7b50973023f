/**
 * The example at a fake Google Cloud, by a service that is killed with -9 in its runs: deployed, its database resized in place,
 * destroyed. The cloud's ledger shows nothing doubled, lost or left behind, and no secret of it stands in an answer. It signs
 * in by a stored key, or by tokens that the cloud verifies with the keys that the service publishes, which rotate.
 */
import { decodeProtectedHeader } from "jose";
import { afterEach, describe, expect, it } from "vitest";
import { gcpDefinition } from "#providers/gcp/gcp-provider.ts";
import { ACCOUNT, GoogleCloud, KEY_FILE, PROVIDER } from "#test/providers/gcp/google-cloud.ts";
import { PROJECT, REGION } from "#test/providers/gcp/shown.ts";
import { TokenService } from "#test/support/token-service.ts";
import type { Named } from "../../scripts/client/client.ts";
import {
  newIdentityKey,
  rotatedRing,
  rotationSteps,
} from "../../scripts/operator/identity-ring.ts";
import { doubledNames } from "../invariants/doubles.ts";
import { countFor } from "../support/depth.ts";
import { KilledExample } from "./killed-example.ts";

/** An ordinary run takes nothing of this: it takes minutes. */
const KILLS = countFor({ ordinary: 0, deep: 5 });
const READY_AFTER_MS = 300;
/** What the example makes, besides its two rights. */
const OBJECTS = 16;
const SERVERS = "sql/Instance";
const PASSWORD = "canary-password-of-the-database";

let cloud: GoogleCloud;
let example: KilledExample | undefined;
/** Where the cloud has the trust of a federated target. */
let tokens: TokenService | undefined;
const signingKeys = new Set<unknown>();

afterEach(async () => {
  await example?.close();
});

async function distrusts(token: string): Promise<{ code: string; says: string } | undefined> {
  if (tokens === undefined) return { code: "invalid_target", says: "Nobody is trusted." };
  signingKeys.add(decodeProtectedHeader(token).kid);
  try {
    await tokens.verify(token);
    return undefined;
  } catch (error) {
    return { code: "invalid_grant", says: `${String(error)} (${token})` };
  }
}

type SignIn = "key" | "token";
interface TargetIdentity {
  issuer: string;
  subject: string;
  audience: string;
}

interface FederatedTarget extends Named {
  identity: TargetIdentity | null;
}

/** An instance of the example. Each start finds the next step of a key rotation. */
async function setUp(how: SignIn): Promise<KilledExample> {
  tokens = undefined;
  signingKeys.clear();
  let starts = 0;
  cloud = new GoogleCloud({ readyAfterMs: READY_AFTER_MS, distrusts });
  const started = await KilledExample.start(
    {
      provider: "gcp",
      region: REGION,
      fetch: cloud.fetch,
      hosts: gcpDefinition().hosts,
      watch: (changed) => {
        cloud.afterChange = changed;
      },
      // Nothing proves whose a version of a secret or a record is.
      removeOthers: (known) => {
        for (const object of cloud.living()) if (!known.has(object.id)) cloud.remove(object);
      },
      beforeRestart: async (environment) => {
        const step = rotationSteps[starts % rotationSteps.length] ?? "next";
        starts += 1;
        environment["IDENTITY_KEYS"] = await rotatedRing(environment["IDENTITY_KEYS"] ?? "", step);
      },
    },
    { IDENTITY_KEYS: await newIdentityKey() },
  );
  example = started;
  const target = await started.addTarget<FederatedTarget>(
    how === "token"
      ? {
          config: { project: PROJECT, workloadIdentityProvider: PROVIDER, serviceAccount: ACCOUNT },
        }
      : {
          credentialRef: await started.storeCredential(JSON.stringify(KEY_FILE)),
          config: { project: PROJECT },
        },
  );
  if (target.identity !== null)
    tokens = new TokenService("gcp", target.identity, async (path) => {
      const answer = await fetch(`${started.address}${path}`);
      return { status: answer.status, body: await answer.json() };
    });
  await started.instantiate("gcp-service", target.id, {
    databasePassword: PASSWORD,
    domain: "shop.example",
  });
  return started;
}

/** Members of roles in all policies. */
function rights(): number {
  return [...cloud.policies.values()].flatMap(({ bindings }) => bindings).length;
}

describe.for(["key", "token"] as const)(
  `the example at Google Cloud, signed in by a %s, by a service killed with -9 ${KILLS} times in each run`,
  (how) => {
    it.runIf(KILLS > 0)(
      "is deployed, resized in place and destroyed, with nothing doubled, lost or left",
      async () => {
        const killed = await setUp(how);
        await killed.toSuccess("deploy", KILLS);
        expect(cloud.living()).toHaveLength(OBJECTS);
        expect(rights()).toBe(2);
        expect(doubledNames(cloud.ledger)).toEqual([]);

        const [server] = cloud.living(SERVERS);
        await killed.setVariables({ databaseSize: "db-g1-small" });
        const before = cloud.ledger.length;
        const resized = await killed.toSuccess("deploy", 0);
        expect(resized.summary).toMatchObject({ create: 0, replace: 0, delete: 0 });
        expect(cloud.ledger.slice(before)).toMatchObject([{ verb: "update", key: server?.id }]);

        await killed.toSuccess("destroy", KILLS);
        expect(cloud.living().map(({ id }) => id)).toEqual([]);
        expect(rights()).toBe(0);
        expect(doubledNames(cloud.ledger)).toEqual([]);
        expect(cloud.violations).toEqual([]);
        expect(killed.receiver.refused).toEqual([]);
        const signedBy = new Set(cloud.signIns.map((form) => form.has("assertion")));
        expect([...signedBy]).toEqual([how === "key"]);
        expect(await killed.told()).not.toContain("canary");
        // Each rotation takes three starts, of which the second changes the key that signs.
        if (how === "token") expect(signingKeys.size).toBeGreaterThan(2);
      },
      900_000,
    );
  },
);

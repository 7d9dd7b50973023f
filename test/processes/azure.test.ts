/**
 * The example at a fake Azure, by a service that is killed with -9 in its runs: deployed, its database resized in place,
 * destroyed. The cloud's ledger shows nothing doubled, lost or left behind, and no secret of it stands in an answer.
 */
import { afterEach, describe, expect, it } from "vitest";
import {
  ArmCloud,
  CLIENT_ID,
  CLIENT_SECRET,
  REGION,
  SUBSCRIPTION,
  TENANT_ID,
} from "#test/providers/azure/arm-cloud.ts";
import type { Named } from "../../scripts/client/client.ts";
import { doubledNames } from "../invariants/doubles.ts";
import { countFor } from "../support/depth.ts";
import { TokenService } from "../support/token-service.ts";
import { KilledExample } from "./killed-example.ts";

type Way = "a client secret" | "no stored credential";

interface FederatedTarget extends Named {
  identity: { issuer: string; trust: { policy: { subject: string } } } | null;
}

const KILLS = countFor({ ordinary: 0, deep: 5 });
const READY_AFTER_MS = 300;
const OBJECTS = 13;
const SERVERS = "Microsoft.DBforPostgreSQL/flexibleServers";
const PASSWORD = "canary-password-of-the-database";

let cloud: ArmCloud;
let example: KilledExample | undefined;
/** Decides for the cloud which tokens of the service it trusts. */
let tokens: TokenService;

afterEach(async () => {
  await example?.close();
});

/** Reads the issuer's documents once, as clouds do: the service may be down when a token comes. */
function tokenService(): TokenService {
  const documents = new Map<string, { status: number; body: unknown }>();
  const trust = { issuer: "", audience: "api://AzureADTokenExchange", subject: "" };
  return new TokenService("azure", trust, async (at) => {
    const known = documents.get(at);
    if (known !== undefined) return known;
    const answer = await fetch(new URL(at, example?.address));
    const document = { status: answer.status, body: await answer.json() };
    documents.set(at, document);
    return document;
  });
}

async function trusts(assertion: string): Promise<string | undefined> {
  tokens.seen.push(assertion);
  try {
    await tokens.verify(assertion);
    return undefined;
  } catch (error) {
    return `70021 No matching federated identity record found: ${(error as Error).message}`;
  }
}

/** An instance of the example at a target with or without a stored credential. */
async function setUp(way: Way): Promise<KilledExample> {
  tokens = tokenService();
  cloud = new ArmCloud({ readyAfterMs: READY_AFTER_MS, trusts });
  const started = await KilledExample.start({
    provider: "azure",
    region: REGION,
    fetch: cloud.fetch,
    watch: (changed) => {
      cloud.afterChange = changed;
    },
  });
  example = started;
  const stored =
    way === "a client secret"
      ? { credentialRef: await started.storeCredential(CLIENT_SECRET) }
      : {};
  const target = await started.addTarget<FederatedTarget>({
    ...stored,
    config: { subscriptionId: SUBSCRIPTION, tenantId: TENANT_ID, clientId: CLIENT_ID },
  });
  if (target.identity !== null) {
    // As its owner would set it up at Azure, by what the target shows.
    const { issuer, trust } = target.identity;
    Object.assign(tokens.trust, { issuer, subject: trust.policy.subject });
  }
  await started.instantiate("azure-service", target.id, {
    databasePassword: PASSWORD,
    tenantId: "22222222-2222-4222-8222-222222222222",
    domain: "shop.example",
  });
  return started;
}

describe.for<Way>(["a client secret", "no stored credential"])(
  `the example at Azure with %s, by a service killed with -9 ${KILLS} times in each run`,
  (way) => {
    it.runIf(KILLS > 0)(
      "is deployed, resized in place and destroyed, with nothing doubled, lost or left",
      async () => {
        const killed = await setUp(way);
        await killed.toSuccess("deploy", KILLS);
        expect(cloud.living()).toHaveLength(OBJECTS);
        expect(doubledNames(cloud.ledger)).toEqual([]);

        const [server] = cloud.living(SERVERS);
        await killed.setVariables({ databaseSize: "Standard_B2s" });
        const before = cloud.ledger.length;
        const resized = await killed.toSuccess("deploy", 0);
        // The plan cannot know that the server keeps its address, so its users are in it too, and then left alone.
        expect(resized.summary).toMatchObject({ create: 0, update: 3, replace: 0, delete: 0 });
        expect(cloud.ledger.slice(before)).toMatchObject([{ verb: "update", key: server?.key }]);

        await killed.toSuccess("destroy", KILLS);
        expect(cloud.living().map(({ id }) => id)).toEqual([]);
        expect(doubledNames(cloud.ledger)).toEqual([]);
        expect(cloud.violations).toEqual([]);
        expect(killed.receiver.refused).toEqual([]);
        // Each way signs in as it is meant to.
        const federates = way === "no stored credential";
        expect(cloud.signIns.every((form) => form.has("client_assertion") === federates)).toBe(
          true,
        );
        expect(cloud.signIns.length).toBeGreaterThan(0);
        const told = await killed.told();
        expect(told).not.toContain("canary");
        for (const token of tokens.seen)
          for (const part of token.split(".")) expect(told).not.toContain(part.slice(0, 24));
      },
      900_000,
    );
  },
);

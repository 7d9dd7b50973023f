/**
 * The service example at a fake AWS, by a service that is killed with -9 in its runs: deployed, changed in place,
 * destroyed. AWS's ledger shows nothing doubled, lost or left behind.
 */
import { afterEach, describe, expect, it } from "vitest";
import { type FakeAws, KEYS } from "#test/providers/aws/fake-aws.ts";
import { Refused } from "#test/providers/aws/fake-control.ts";
import { awsWithZone } from "#test/providers/aws/served-aws.ts";
import { countFor } from "../support/depth.ts";
import { TokenService } from "../support/token-service.ts";
import { KilledExample } from "./killed-example.ts";

/** An ordinary run takes nothing of this: it takes minutes. */
const KILLS = countFor({ ordinary: 0, deep: 5 });
const OPERATION_MS = 300;
const REGION = "eu-central-1";
const ROLE = "arn:aws:iam::123456789012:role/deployer";
const SESSION_SECONDS = 900;
/** What the example makes by Cloud Control. */
const OBJECTS = 26;

let aws: FakeAws;
let zoneId: string;
let example: KilledExample | undefined;
/** The tokens that were shown to AWS, and the role that accepts them. */
let tokens: string[];
let trust: TokenService;

afterEach(async () => {
  await example?.close();
});

type Access = "keys" | "federation";

async function assume(_: unknown, form: URLSearchParams): Promise<{ seconds: number }> {
  const token = form.get("WebIdentityToken") ?? "";
  tokens.push(token);
  try {
    await trust.verify(token);
  } catch (error) {
    throw new Refused("InvalidIdentityToken", (error as Error).message);
  }
  return { seconds: SESSION_SECONDS };
}

/** An instance of the example, at a target with keys or with a role that trusts its tokens. */
async function setUp(access: Access): Promise<KilledExample> {
  tokens = [];
  ({ aws, zoneId } = await awsWithZone({ operationMs: OPERATION_MS, region: REGION, assume }));
  const started = await KilledExample.start({
    provider: "aws",
    region: REGION,
    fetch: aws.fetch,
    watch: (changed) => {
      aws.control.afterChange = changed;
      aws.dns.afterChange = changed;
    },
    removeOthers: (known) => {
      if (![...known].some((id) => id.endsWith("|A"))) aws.dns.records.clear();
    },
  });
  example = started;
  const { tenantId } = started.tenant;
  const target = await started.addTarget(
    access === "keys"
      ? { config: {}, credentialRef: await started.storeCredential(JSON.stringify(KEYS)) }
      : { config: { roleArn: ROLE } },
  );
  const subject = `tenant:${tenantId}:target:${target.id}`;
  trust = new TokenService(
    "aws",
    { issuer: started.address, audience: "sts.amazonaws.com", subject },
    async (file) => ({ body: await (await fetch(`${started.address}${file}`)).json() }),
  );
  await started.instantiate("aws-service", target.id, {
    zoneId,
    domain: "shop.example.com",
  });
  return started;
}

/** What the example made: without the zone that was there. */
const made = (): string[] =>
  aws.control
    .living()
    .filter(({ id }) => id !== zoneId)
    .map(({ type, id }) => `${type} ${id}`);

describe.runIf(KILLS > 0)(
  `the service example at AWS, by a service killed with -9 ${KILLS} times in each run`,
  () => {
    it.for(["keys", "federation"] as const)(
      "is deployed, changed in place and destroyed, with nothing doubled, lost or left: %s",
      { timeout: 900_000 },
      async (access) => {
        const killed = await setUp(access);
        await killed.toSuccess("deploy", KILLS);
        expect(made()).toHaveLength(OBJECTS);
        expect(aws.dns.records.size).toBe(1);
        const creates = aws.control.ledger.filter(({ verb }) => verb === "create");
        expect(creates).toHaveLength(OBJECTS);

        await killed.setVariables({ tasks: 2 });
        const before = aws.control.ledger.length;
        const changed = await killed.toSuccess("deploy", 0);
        expect(changed.summary).toMatchObject({ create: 0, update: 1, replace: 0, delete: 0 });
        expect(aws.control.ledger.slice(before)).toMatchObject([
          { verb: "update", type: "AWS::ECS::Service" },
        ]);

        await killed.toSuccess("destroy", KILLS);
        expect(made()).toEqual([]);
        expect(aws.control.living()).toHaveLength(1);
        expect(aws.dns.records.size).toBe(0);
        expect(killed.receiver.refused).toEqual([]);
        expect(tokens.length > 0).toBe(access === "federation");
        expect(aws.given.length > 0).toBe(access === "federation");
        const told = killed.printed() + (await killed.told());
        for (const secret of [KEYS.secretAccessKey, ...aws.given, ...tokens])
          expect(told).not.toContain(secret);
      },
    );
  },
);

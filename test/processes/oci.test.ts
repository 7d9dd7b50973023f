/**
 * The example at a fake Oracle Cloud, by a service that is killed with -9 in its runs: deployed, its database resized in place,
 * destroyed. The cloud's ledger shows nothing doubled, lost or left behind, and no secret of it stands in an answer.
 */
import { afterEach, describe, expect, it } from "vitest";
import { ociDefinition } from "#providers/oci/oci-provider.ts";
import { COMPARTMENT, NAMESPACE, OracleCloud, REGION } from "#test/providers/oci/oracle-cloud.ts";
import { API_KEY, KEY_CANARY } from "#test/providers/oci/signatures.ts";
import { countFor } from "../support/depth.ts";
import { expectNoDoubles, KilledExample } from "./killed-example.ts";

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

let cloud: OracleCloud;
let example: KilledExample | undefined;

afterEach(async () => {
  await example?.close();
});

/** An instance of the example. */
async function setUp(): Promise<KilledExample> {
  cloud = new OracleCloud({ readyAfterMs: READY_AFTER_MS });
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
        if (!known.has(key.replace("/20180115/zones/", ""))) cloud.records.delete(key);
    },
  });
  example = started;
  const target = await started.addTarget({
    credentialRef: await started.storeCredential(JSON.stringify(API_KEY)),
    config: { compartmentId: COMPARTMENT, namespace: NAMESPACE },
  });
  await started.instantiate("oci-service", target.id, secrets);
  return started;
}

/** Rules of all groups, and records. */
function parts(): number[] {
  return [[...cloud.rules.values()].flat().length, cloud.records.size];
}

describe.runIf(KILLS > 0)(
  `the example at Oracle Cloud, by a service killed with -9 ${KILLS} times in each run`,
  () => {
    it("is deployed, resized in place and destroyed, with nothing doubled, lost or left", async () => {
      const killed = await setUp();
      await killed.toSuccess("deploy", KILLS);
      expect(cloud.living()).toHaveLength(OBJECTS);
      expect(parts()).toEqual([RULES, 1]);
      expectNoDoubles(cloud.ledger);

      const [server] = cloud.living("DbSystem");
      await killed.setVariables({ ...secrets, databaseCpus: 4 });
      const before = cloud.ledger.length;
      const resized = await killed.toSuccess("deploy", 0);
      expect(resized.summary).toMatchObject({ create: 0, replace: 0, delete: 0 });
      expect(cloud.ledger.slice(before)).toMatchObject([{ verb: "update", key: server?.id }]);

      await killed.toSuccess("destroy", KILLS);
      expect(cloud.living().map(({ id }) => id)).toEqual([]);
      expect(parts()).toEqual([0, 0]);
      expectNoDoubles(cloud.ledger);
      expect(cloud.violations).toEqual([]);
      expect(killed.receiver.refused).toEqual([]);
      const told = await killed.told();
      expect(told).not.toContain("canary");
      expect(told).not.toContain(KEY_CANARY);
    }, 900_000);
  },
);

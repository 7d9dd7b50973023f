/** The example of every cloud with a fake of the cloud, for whole lives in virtual time. */
import { readFileSync } from "node:fs";
import type { JsonMap } from "#platform/json.ts";
import { KEYS } from "#test/providers/aws/fake-aws.ts";
import { awsWithZone } from "#test/providers/aws/served-aws.ts";
import * as azure from "#test/providers/azure/arm-cloud.ts";
import * as coreweave from "#test/providers/coreweave/coreweave-cloud.ts";
import { digitaloceanDocument } from "#test/providers/digitalocean/description.ts";
import * as digitalocean from "#test/providers/digitalocean/digitalocean-cloud.ts";
import * as gcp from "#test/providers/gcp/google-cloud.ts";
import { PROJECT, REGION as GCP_REGION } from "#test/providers/gcp/shown.ts";
import { magaluDocument } from "#test/providers/magalu/description.ts";
import * as magalu from "#test/providers/magalu/magalu-cloud.ts";
import * as oci from "#test/providers/oci/oracle-cloud.ts";
import { API_KEY as OCI_KEY } from "#test/providers/oci/signatures.ts";
import { renderDocument } from "#test/providers/render/description.ts";
import * as render from "#test/providers/render/render-cloud.ts";
import { OWNER } from "#test/providers/render/rules.ts";
import { supabaseDocument } from "#test/providers/supabase/description.ts";
import * as supabase from "#test/providers/supabase/supabase-cloud.ts";
import { vercelDocument } from "#test/providers/vercel/description.ts";
import { TEAM } from "#test/providers/vercel/rules.ts";
import * as vercel from "#test/providers/vercel/vercel-cloud.ts";
import { vultrDocument } from "#test/providers/vultr/description.ts";
import * as vultr from "#test/providers/vultr/vultr-cloud.ts";
import type { FakeCloud, FakeLedgerEntry } from "#test/support/fake-cloud/fake-cloud.ts";

/** The duration of states and operations. */
const READY_AFTER_MS = 20_000;
/** The clock is read anew at each call: a test puts a virtual one in its place. */
const readyLater = { readyAfterMs: READY_AFTER_MS, now: () => Date.now() };

/** A cloud, and what the life of its example needs. */
export interface LivedCloud {
  fetch: (request: Request) => Promise<Response>;
  /** The source of the example. */
  source: string;
  region: string;
  config: JsonMap;
  credential: string;
  variables: JsonMap;
  /** The variables of a change in place. */
  changed: JsonMap;
  /** The ids of what exists, as the service spells them. */
  living: () => readonly string[];
  ledger: () => readonly Pick<FakeLedgerEntry, "verb" | "collection" | "name">[];
  /** What was not as described. */
  violations: () => readonly unknown[];
  /** Removes, as a person would, what is none of these objects. */
  removeOthers: (known: readonly KnownObject[]) => void;
}

/** An object of the instance. */
export interface KnownObject {
  type: string;
  id: string;
}

const PASSWORD = "canary-password-of-the-database";
const DOMAIN = "shop.example";

function example(name: string): string {
  return readFileSync(new URL(`../../../examples/${name}.yaml`, import.meta.url), "utf8");
}

/**
 * The parts of a cloud that is made from its description. The key of an object is the end of its id. `collections`: those
 * of types whose objects may have the key of an object of another.
 */
function described(
  {
    fake,
    fetch,
    violations,
  }: {
    fake: FakeCloud;
    fetch: (request: Request) => Promise<Response>;
    violations: readonly unknown[];
  },
  collections: Readonly<Record<string, string>> = {},
): Pick<LivedCloud, "fetch" | "living" | "ledger" | "violations" | "removeOthers"> {
  return {
    fetch,
    living: () => fake.living().map(({ collection, key }) => `${collection} ${key}`),
    ledger: () => fake.ledger,
    violations: () => violations,
    removeOthers: (known) => {
      const living = fake.living();
      const isKnown = ({ collection, key }: { collection: string; key: string }): boolean =>
        known.some(
          ({ type, id }) =>
            (id === key || id.endsWith(`/${key}`)) &&
            (collections[type] ?? collection) === collection,
        );
      for (const object of living) if (!isKnown(object)) fake.remove(object);
    },
  };
}

async function livedAws(): Promise<LivedCloud> {
  const { aws, zoneId } = await awsWithZone({ operationMs: READY_AFTER_MS });
  const made = (): string[] => [
    ...aws.control.living().flatMap(({ type, id }) => (id === zoneId ? [] : [`${type} ${id}`])),
    ...aws.dns.records.keys(),
  ];
  return {
    fetch: aws.fetch,
    source: example("aws-service"),
    region: "eu-central-1",
    config: {},
    credential: JSON.stringify(KEYS),
    variables: { zoneId, domain: "shop.example.com" },
    changed: { tasks: 2 },
    living: made,
    ledger: () =>
      aws.control.ledger.map(({ verb, type, id }) => ({ verb, collection: type, name: id })),
    violations: () => [],
    removeOthers: (known) => {
      if (!known.some(({ id }) => id.endsWith("|A"))) aws.dns.records.clear();
    },
  };
}

function livedAzure(): LivedCloud {
  const cloud = new azure.ArmCloud(readyLater);
  return {
    fetch: cloud.fetch,
    source: example("azure-service"),
    region: azure.REGION,
    config: {
      subscriptionId: azure.SUBSCRIPTION,
      tenantId: azure.TENANT_ID,
      clientId: azure.CLIENT_ID,
    },
    credential: azure.CLIENT_SECRET,
    variables: { databasePassword: PASSWORD, tenantId: azure.TENANT_ID, domain: DOMAIN },
    changed: { databaseSize: "Standard_B2s" },
    living: () => cloud.living().map(({ id }) => id),
    ledger: () => cloud.ledger,
    violations: () => cloud.violations,
    removeOthers: () => {},
  };
}

function livedCoreweave(): LivedCloud {
  const cloud = new coreweave.CoreweaveCloud(readyLater);
  return {
    fetch: cloud.fetch,
    source: example("coreweave-service"),
    region: coreweave.ZONE,
    config: {},
    credential: coreweave.TOKEN,
    variables: { token: PASSWORD },
    changed: { replicas: 3 },
    living: () => cloud.living().map(({ path }) => path),
    ledger: () => cloud.ledger,
    violations: () => cloud.violations,
    removeOthers: () => {},
  };
}

function livedGoogle(): LivedCloud {
  const cloud = new gcp.GoogleCloud(readyLater);
  return {
    fetch: cloud.fetch,
    source: example("gcp-service"),
    region: GCP_REGION,
    config: { project: PROJECT },
    credential: JSON.stringify(gcp.KEY_FILE),
    variables: { databasePassword: PASSWORD, domain: DOMAIN },
    changed: { databaseSize: "db-g1-small" },
    living: () => [
      ...cloud.living().map(({ id }) => id),
      ...[...cloud.policies].flatMap(([at, { bindings }]) =>
        Array.isArray(bindings) && bindings.length > 0 ? [`policy ${at}`] : [],
      ),
    ],
    ledger: () => cloud.ledger,
    violations: () => cloud.violations,
    removeOthers: (known) => {
      const ids = new Set(known.map(({ id }) => id));
      for (const object of cloud.living()) if (!ids.has(object.id)) cloud.remove(object);
    },
  };
}

function livedOracle(): LivedCloud {
  const cloud = new oci.OracleCloud(readyLater);
  return {
    fetch: cloud.fetch,
    source: example("oci-service"),
    region: oci.REGION,
    config: { compartmentId: oci.COMPARTMENT, namespace: oci.NAMESPACE },
    credential: JSON.stringify(OCI_KEY),
    variables: {
      availabilityDomain: "Uocm:EU-FRANKFURT-1-AD-1",
      databasePassword: PASSWORD,
      certificate: "the certificate",
      certificateKey: "canary-key-of-the-certificate",
      domain: DOMAIN,
    },
    changed: { databaseCpus: 4 },
    living: () => [...cloud.living().map(({ id }) => id), ...cloud.records.keys()],
    ledger: () => cloud.ledger,
    violations: () => cloud.violations,
    removeOthers: (known) => {
      for (const key of cloud.records.keys())
        if (!known.some(({ id }) => id === key.replace("/20180115/zones/", "")))
          cloud.removeRecords(key);
    },
  };
}

function livedSupabase(): LivedCloud {
  const cloud = supabase.supabaseCloud(supabase.supabaseDescription(supabaseDocument), readyLater);
  return {
    ...described(cloud),
    source: example("supabase-service"),
    region: supabase.REGION,
    config: supabase.CONFIG,
    credential: supabase.TOKEN,
    variables: {
      databasePassword: PASSWORD,
      mailPassword: PASSWORD,
      siteUrl: `https://${DOMAIN}`,
      office: "192.0.2.0/24",
    },
    changed: { connections: 90 },
  };
}

/** By the names of their providers. */
export const livedClouds: Readonly<Record<string, () => LivedCloud | Promise<LivedCloud>>> = {
  aws: livedAws,
  azure: livedAzure,
  coreweave: livedCoreweave,
  digitalocean: () => ({
    ...described(
      digitalocean.digitaloceanCloud(
        digitalocean.digitaloceanDescription(digitaloceanDocument),
        readyLater,
      ),
    ),
    source: example("digitalocean-three-tier"),
    region: "nyc3",
    config: {},
    credential: digitalocean.TOKEN,
    variables: { domain: DOMAIN },
    changed: { databaseSize: "db-s-2vcpu-4gb" },
  }),
  gcp: livedGoogle,
  magalu: () => ({
    ...described(magalu.magaluCloud(magalu.magaluDescription(magaluDocument), readyLater)),
    source: example("magalu-service"),
    region: magalu.REGION,
    config: {},
    credential: magalu.API_KEY,
    variables: { databasePassword: PASSWORD },
    changed: { databaseSize: 40 },
  }),
  oci: livedOracle,
  render: () => ({
    ...described(render.renderCloud(render.renderDescription(renderDocument), readyLater)),
    source: example("render-service"),
    region: "frankfurt",
    config: { ownerId: OWNER },
    credential: render.TOKEN,
    variables: { host: `www.${DOMAIN}` },
    changed: { plan: "standard" },
  }),
  supabase: livedSupabase,
  vercel: () => ({
    ...described(vercel.vercelCloud(vercel.vercelDescriptions(vercelDocument), readyLater)),
    source: example("vercel-service"),
    region: "fra1",
    config: { teamId: TEAM },
    credential: vercel.TOKEN,
    variables: { domain: `www.${DOMAIN}` },
    changed: { forkProtection: false },
  }),
  vultr: () => ({
    ...described(vultr.vultrCloud(vultr.vultrDescription(vultrDocument), readyLater), {
      "vultr:DatabaseDb": "/v2/databases/{database-id}/dbs",
      "vultr:DatabaseUser": "/v2/databases/{database-id}/users",
    }),
    source: example("vultr-service"),
    region: "ewr",
    config: {},
    credential: vultr.API_KEY,
    variables: { domain: DOMAIN, publicKey: "ssh-ed25519 AAAA operator" },
    changed: { plan: "vc2-2c-4gb" },
  }),
};

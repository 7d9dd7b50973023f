/**
 * The clouds that `npm run fake -- <cloud>` serves. Each refuses requests that its description in `test/providers` does
 * not allow, and prints every change. Clouds with federation trust the tokens of one target (`TRUST_SUBJECT`) of one
 * installation (`ISSUER`).
 */
import { gcpDefinition } from "#providers/gcp/gcp-provider.ts";
import { ociDefinition } from "#providers/oci/oci-provider.ts";
import { KEYS } from "#test/providers/aws/fake-aws.ts";
import { Refused } from "#test/providers/aws/fake-control.ts";
import { awsWithZone } from "#test/providers/aws/served-aws.ts";
import * as azure from "#test/providers/azure/arm-cloud.ts";
import * as coreweave from "#test/providers/coreweave/coreweave-cloud.ts";
import { digitaloceanDocument } from "#test/providers/digitalocean/description.ts";
import * as digitalocean from "#test/providers/digitalocean/digitalocean-cloud.ts";
import * as gcp from "#test/providers/gcp/google-cloud.ts";
import { PROJECT, ZONE } from "#test/providers/gcp/shown.ts";
import { magaluDocument } from "#test/providers/magalu/description.ts";
import * as magalu from "#test/providers/magalu/magalu-cloud.ts";
import * as oci from "#test/providers/oci/oracle-cloud.ts";
import { API_KEY as OCI_KEY } from "#test/providers/oci/signatures.ts";
import { renderDocument } from "#test/providers/render/description.ts";
import * as render from "#test/providers/render/render-cloud.ts";
import { supabaseDocument } from "#test/providers/supabase/description.ts";
import * as supabase from "#test/providers/supabase/supabase-cloud.ts";
import { vercelDocument } from "#test/providers/vercel/description.ts";
import * as vercel from "#test/providers/vercel/vercel-cloud.ts";
import { vultrDocument } from "#test/providers/vultr/description.ts";
import * as vultr from "#test/providers/vultr/vultr-cloud.ts";
import type { DescribedCloud } from "#test/support/fake-cloud/described-cloud.ts";
import type { FakeBuckets } from "#test/support/fake-cloud/fake-buckets.ts";
import type { FakeLedgerEntry } from "#test/support/fake-cloud/fake-cloud.ts";
import type { HandWrittenCloud } from "#test/support/fake-cloud/hand-written-cloud.ts";
import { type Distrust, fakeTrust } from "./fake-trust.ts";
import type { FakeCloud } from "./run-fake-cloud.ts";

/** The time until an object of a person's fake cloud is usable. */
const READY_AFTER_MS = 2_000;
const readyLater = { readyAfterMs: READY_AFTER_MS };

/** The clouds by the name of their provider. */
export const fakeClouds: Readonly<Record<string, () => FakeCloud | Promise<FakeCloud>>> = {
  aws: fakeAws,
  azure: fakeAzure,
  coreweave: () =>
    ofHandWritten(new coreweave.CoreweaveCloud(readyLater), {
      called: "CoreWeave",
      defaultPort: 9906,
      lines: { Token: coreweave.TOKEN },
    }),
  digitalocean: () =>
    ofDescribed(
      digitalocean.digitaloceanCloud(
        digitalocean.digitaloceanDescription(digitaloceanDocument),
        readyLater,
      ),
      {
        called: "DigitalOcean",
        defaultPort: 9898,
        lines: {
          Token: digitalocean.TOKEN,
          "With buckets": JSON.stringify(digitalocean.CREDENTIAL),
        },
      },
    ),
  gcp: fakeGoogleCloud,
  magalu: () =>
    ofDescribed(magalu.magaluCloud(magalu.magaluDescription(magaluDocument), readyLater), {
      called: "Magalu Cloud",
      defaultPort: 9901,
      lines: {
        "API key": magalu.API_KEY,
        "With buckets": JSON.stringify(magalu.CREDENTIAL),
      },
    }),
  oci: fakeOracleCloud,
  render: () =>
    ofDescribed(render.renderCloud(render.renderDescription(renderDocument), readyLater), {
      called: "Render",
      defaultPort: 9903,
      lines: { Token: render.TOKEN },
    }),
  supabase: () =>
    ofDescribed(
      supabase.supabaseCloud(supabase.supabaseDescription(supabaseDocument), readyLater),
      {
        called: "Supabase",
        defaultPort: 9905,
        lines: { Token: supabase.TOKEN, Config: JSON.stringify(supabase.CONFIG) },
      },
    ),
  vercel: () =>
    ofDescribed(vercel.vercelCloud(vercel.vercelDescriptions(vercelDocument), readyLater), {
      called: "Vercel",
      defaultPort: 9904,
      lines: { Token: vercel.TOKEN },
    }),
  vultr: () =>
    ofDescribed(vultr.vultrCloud(vultr.vultrDescription(vultrDocument), readyLater), {
      called: "Vultr",
      defaultPort: 9900,
      lines: { "API key": vultr.API_KEY },
    }),
};

type Told = Omit<FakeCloud, "fetch" | "problems">;

function ofDescribed(cloud: DescribedCloud & { buckets?: FakeBuckets }, told: Told): FakeCloud {
  cloud.fake.afterChange = printChange;
  if (cloud.buckets !== undefined) cloud.buckets.afterChange = printChange;
  return {
    ...told,
    fetch: (request) => cloud.fetch(request),
    problems: () =>
      cloud.violations
        .splice(0)
        .map(({ side, of, problem }) => `The ${side} of ${of} is not as described: ${problem}`),
  };
}

function ofHandWritten(cloud: HandWrittenCloud & Pick<FakeCloud, "fetch">, told: Told): FakeCloud {
  cloud.afterChange = printChange;
  return {
    ...told,
    fetch: (request) => cloud.fetch(request),
    problems: () => cloud.violations.splice(0).map((problem) => `Not as described: ${problem}`),
  };
}

function printChange({ verb, by, name }: FakeLedgerEntry): void {
  console.log(`${verb} ${name} (${by})`);
}

async function fakeAws(): Promise<FakeCloud> {
  const role = "arn:aws:iam::123456789012:role/deployer";
  const distrusts = fakeTrust("sts.amazonaws.com");
  const assume = async (action: string, form: URLSearchParams): Promise<{ seconds: number }> => {
    if (action !== "AssumeRoleWithWebIdentity" || form.get("RoleArn") !== role)
      throw new Refused("AccessDenied", `Not authorized to perform: sts:${action}`, 403);
    const distrust = await distrusts(form.get("WebIdentityToken") ?? "");
    if (distrust === undefined) return { seconds: 900 };
    const isPolicy = distrust.of === "subject" || distrust.of === "unset";
    const code = isPolicy ? "AccessDenied" : "InvalidIdentityToken";
    throw new Refused(code, distrust.says, isPolicy ? 403 : 400);
  };
  const { aws, zoneId } = await awsWithZone({ operationMs: READY_AFTER_MS, assume }, "all");
  aws.control.afterChange = ({ verb, type, id }) => {
    console.log(`${verb} ${type} ${id}`);
  };
  aws.dns.afterChange = (verb, { name, type }) => {
    console.log(`${verb} record ${name} ${type}`);
  };
  return {
    called: "AWS",
    defaultPort: 9899,
    fetch: aws.fetch,
    lines: { Keys: JSON.stringify(KEYS), Role: role, "Hosted zone": zoneId },
  };
}

/** Microsoft's error numbers. `unset` has none, so that its own words are shown. */
const azureNumbers: Readonly<Record<Distrust["of"], number>> = {
  unset: 7_000_000,
  issuer: 700_211,
  audience: 700_212,
  subject: 700_213,
  token: 700_027,
};

function fakeAzure(): FakeCloud {
  const distrusts = fakeTrust("api://AzureADTokenExchange");
  const trusts = async (assertion: string): Promise<string | undefined> => {
    const distrust = await distrusts(assertion);
    return distrust && `${azureNumbers[distrust.of]} ${distrust.says}`;
  };
  const config = {
    subscriptionId: azure.SUBSCRIPTION,
    resourceGroup: azure.GROUP,
    tenantId: azure.TENANT_ID,
    clientId: azure.CLIENT_ID,
  };
  return ofHandWritten(new azure.ArmCloud({ ...readyLater, trusts }), {
    called: "Azure",
    defaultPort: 9895,
    lines: { "Client secret": azure.CLIENT_SECRET, "Target's config": JSON.stringify(config) },
  });
}

function fakeGoogleCloud(): FakeCloud {
  const distrusts = fakeTrust(`https://iam.googleapis.com/${gcp.PROVIDER}`);
  const cloud = new gcp.GoogleCloud({
    ...readyLater,
    distrusts: async (token) => {
      const distrust = await distrusts(token);
      if (distrust === undefined) return undefined;
      return distrust.of === "subject"
        ? {
            code: "unauthorized_client",
            says: `The given credential is rejected by the attribute condition. ${distrust.says}`,
          }
        : { code: "invalid_grant", says: distrust.says };
    },
  });
  const config = { project: PROJECT, zone: ZONE };
  const federated = {
    ...config,
    workloadIdentityProvider: gcp.PROVIDER,
    serviceAccount: gcp.ACCOUNT,
  };
  return ofHandWritten(cloud, {
    called: "Google Cloud",
    defaultPort: 9897,
    lines: {
      "Key file": JSON.stringify(gcp.KEY_FILE),
      "Target's config": JSON.stringify(config),
      "  without a key": JSON.stringify(federated),
    },
    hosts: gcpDefinition().hosts,
  });
}

function fakeOracleCloud(): FakeCloud {
  const distrusts = fakeTrust(oci.DOMAIN);
  const cloud = new oci.OracleCloud({
    ...readyLater,
    distrusts: async (token) => {
      const distrust = await distrusts(token);
      if (distrust === undefined) return undefined;
      const rule = distrust.of === "subject" ? "No rule of the trust fits the token. " : "";
      return { code: "invalid_grant", says: `${rule}${distrust.says}` };
    },
  });
  const config = { compartmentId: oci.COMPARTMENT, namespace: oci.NAMESPACE };
  const federated = { ...config, domainUrl: oci.DOMAIN, clientId: oci.CLIENT };
  return ofHandWritten(cloud, {
    called: "Oracle Cloud",
    defaultPort: 9896,
    lines: {
      "API key": JSON.stringify(OCI_KEY),
      Region: oci.REGION,
      "Target's config": JSON.stringify(config),
      "  without a key": JSON.stringify(federated),
    },
    hosts: ociDefinition().hosts,
  });
}

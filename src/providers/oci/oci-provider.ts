/**
 * Oracle Cloud: a REST API per service, each at a host of the region, and requests that are signed one by one. Creates
 * take a token that lives for a day; afterwards a tag tells whose an object is. Oracle answers alike for what does not
 * exist and what the identity may not see, so an object counts as gone when its compartment's list lacks it. Keeps no
 * state but sessions, which `rest/requests/session.ts` keeps.
 */
import { isJsonMap } from "#platform/json.ts";
import type { Provider } from "#providers/provider.ts";
import type {
  Answered,
  ProviderError,
  RestProviderDefinition,
} from "#providers/rest/definition.ts";
import { failure } from "#providers/rest/requests/attempt.ts";
import { restProvider } from "#providers/rest/rest-provider.ts";
import { valueAt } from "#providers/rest/value-at.ts";
import type { Answer } from "#providers/transport.ts";
import { ociFederation } from "./federation.ts";
import { HIDDEN, hidingCodes, ociError } from "./meaning.ts";
import { placedProvider } from "./placed-provider.ts";
import { SecurityRules } from "./security-rules.ts";
import { signInError } from "./sign-in-errors.ts";
import { authorize, ociConfig, ociCredential, ociSession } from "./sign-in.ts";
import { ociTypes } from "./types.ts";
import { vaultHost } from "./vault-host.ts";
import { workRequests } from "./work-requests.ts";

/** Where a service is in a region, by the name of its host. */
const services = {
  artifacts: "artifacts.{region}.oci",
  containerengine: "containerengine.{region}.oci",
  containerinstances: "compute-containers.{region}.oci",
  database: "database.{region}",
  dns: "dns.{region}.oci",
  iaas: "iaas.{region}",
  identity: "identity.{region}.oci",
  kms: "kms.{region}",
  objectstorage: "objectstorage.{region}",
  psql: "postgresql.{region}.oci",
  vaults: "vaults.{region}.oci",
} as const;

function hostOf(service: keyof typeof services, region: string): string {
  return `https://${services[service].replace("{region}", region)}.oraclecloud.com`;
}

function readError(answer: Answer, of: Answered): ProviderError {
  return of.verb === "session" ? signInError(answer) : ociError(answer, of);
}

/** Whether the identity sees the compartment. */
const verify: NonNullable<RestProviderDefinition["verify"]> = async (context, request, refused) => {
  const { compartmentId } = ociConfig().parse(context.config);
  if (compartmentId === undefined)
    return {
      ok: false,
      code: "invalid_config",
      message:
        "The target names no compartment. Set `compartmentId` in its config, then verify again.",
      retryable: false,
    };
  const result = await request({
    method: "GET",
    host: "identity",
    path: `/20160918/compartments/${encodeURIComponent(compartmentId)}`,
    filled: true,
  });
  if (result.ok) return { ok: true };
  const judged = refused(result);
  if (judged.ok || result.failed.code !== HIDDEN) return judged;
  return {
    ...judged,
    hint: `Oracle accepts the credential, but the identity does not see the compartment ${compartmentId}: correct compartmentId in the target's config, or add the policy "allow group <group> to manage all-resources in compartment id ${compartmentId}", then verify again.`,
  };
};

/**
 * The tenancy, by the namespace of its object storage, which it has for ever: the one call that says it of a key and of
 * a session alike, and takes no right. The region is part of it: in another one, an object of the same tenancy is not seen.
 */
const account: NonNullable<RestProviderDefinition["account"]> = async ({ region }, request) => {
  const result = await request({
    method: "GET",
    host: "objectstorage",
    path: "/n/",
    filled: true,
  });
  if (!result.ok) return result.failed;
  const { json } = result.answer;
  if (typeof json === "string" && json !== "") return `${json} (${region})`;
  const message = "Oracle answered the question for the tenancy's namespace with no name.";
  return failure("invalid_answer", message, { retryable: true });
};

/** Made on first use: nothing of a provider is evaluated when the Worker starts. */
export function ociDefinition(): RestProviderDefinition {
  return {
    types: ociTypes,
    baseUrl: ({ region }) => hostOf("iaas", region),
    hosts: {
      ...Object.fromEntries(
        (Object.keys(services) as (keyof typeof services)[]).map((service) => [
          service,
          ({ region }: { region: string }) => hostOf(service, region),
        ]),
      ),
      domain: ({ config }) => {
        const { success, data } = ociConfig().safeParse(config);
        return (success ? data.domainUrl : undefined) ?? "https://identity.oraclecloud.com";
      },
      vaultKeys: ({ config, region }) => vaultHost(config, region) ?? hostOf("kms", region),
    },
    credential: ociCredential(),
    config: ociConfig(),
    federation: ociFederation,
    session: ociSession,
    authorize,
    readError,
    hides: hidingCodes,
    // A load balancer shows its parts by their names.
    listed: (json, { envelope }) => {
      const list = valueAt(json, envelope?.list);
      return list !== undefined && isJsonMap(list) ? Object.values(list) : list;
    },
    paging: { by: "cursor", header: "opc-next-page", query: "page" },
    poller: workRequests,
    concurrency: 8,
    account,
    verifyPath: "/20160918/regions",
    verify,
  };
}

export function ociProvider(): Provider {
  const definition = ociDefinition();
  const provider = restProvider(definition);
  return placedProvider(provider, new SecurityRules(definition, provider));
}

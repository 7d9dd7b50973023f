/**
 * CoreWeave, as a preview: its own API for networks, clusters and keys, and server-side apply for what is in a cluster,
 * by the same token. Its published sources contradict each other, and nobody has tried this against an account. Keeps no
 * state but where clusters are, which `rest/requests/session.ts` keeps.
 */
import * as z from "zod";
import type { Json, JsonMap } from "#platform/json.ts";
import type { Outcome, Provider, ProviderContext } from "#providers/provider.ts";
import type { RestProviderDefinition } from "#providers/rest/definition.ts";
import { restProvider } from "#providers/rest/rest-provider.ts";
import { serverSideApply } from "./apply.ts";
import { CLUSTER, CLUSTERS, clusterSession, clusterUrl } from "./cluster-session.ts";
import { CLUSTER_GONE, clusterError, managementError } from "./meaning.ts";
import { organizationOf } from "./organization.ts";
import { coreweaveTypes } from "./types.ts";

/** The zones that everybody can use. */
const ZONES =
  "US-EAST-01A US-EAST-02A US-EAST-04A US-EAST-06A US-EAST-08A US-EAST-13A US-EAST-14A US-CENTRAL-06A US-CENTRAL-07A US-WEST-01A US-WEST-04A US-WEST-09B US-WEST-10A RNO2A EU-SOUTH-03B EU-SOUTH-04A";
/** Those of single customers, and new ones: a known area and a number, or a site. */
const ZONE =
  /^((US-(EAST|CENTRAL|WEST|LAB)|CA-EAST|EU-(NORTH|SOUTH|WEST))-[0-9]{2}|[A-Z]{3}[0-9])[A-Z]$/;

/** An API access token: bare, or as `{"token": "…"}`. */
function credentialSchema() {
  const token = z.string().regex(/^[\x21-\x7e]{1,1000}$/, { error: "must be a token" });
  return z.union([token, z.strictObject({ token })]);
}

function managementDefinition(): RestProviderDefinition {
  const credential = credentialSchema();
  const tokenOf = (value: Json): string => {
    const parsed = credential.parse(value);
    return typeof parsed === "string" ? parsed : parsed.token;
  };
  return {
    types: coreweaveTypes,
    baseUrl: () => "https://api.coreweave.com",
    credential,
    config: z.object({}),
    authorize: (_, context) => ({ authorization: `Bearer ${tokenOf(context.credential)}` }),
    readError: managementError,
    // A change sends everything, for what it leaves out may be reset, but by PATCH.
    prepare: (request, { verb }) => (verb === "update" ? { ...request, method: "PATCH" } : request),
    regions: { known: ZONES, others: ZONE },
    concurrency: 4,
    account: organizationOf(({ credential: value }) => tokenOf(value as Json)),
    accountNameChanges: true,
    verifyPath: CLUSTERS,
  };
}

function clusterDefinition(): RestProviderDefinition {
  const management = managementDefinition();
  return {
    ...management,
    hosts: { cluster: clusterUrl },
    session: clusterSession((request, context) => management.authorize(request, context)),
    dialect: serverSideApply,
    // A change must keep the mark that the object has.
    readsFirst: (verb) => verb === "update",
    readError: clusterError,
  };
}

interface Call {
  type: string;
  properties: JsonMap;
  id?: string;
}

/** Nothing is left of what was in a cluster that does not exist. */
function withoutCluster(outcome: Outcome): Outcome {
  const isGone = outcome.kind === "failed" && outcome.code === CLUSTER_GONE;
  return isGone ? { kind: "gone" } : outcome;
}

export function coreweaveProvider(): Provider {
  const management = restProvider(managementDefinition());
  const clusters = restProvider(clusterDefinition());
  const isInCluster = (type: string): boolean =>
    coreweaveTypes.rowOf(type)?.id?.within !== undefined;
  const of = (type: string): Provider => (isInCluster(type) ? clusters : management);
  /** The context of a call, which says in which cluster its object is. */
  const at = (context: ProviderContext, { type, properties, id }: Call): ProviderContext => {
    if (!isInCluster(type)) return context;
    const cluster = properties[CLUSTER] ?? id?.split("/")[0] ?? null;
    return { ...context, config: { ...context.config, [CLUSTER]: cluster } };
  };
  return {
    ...management,
    hosts: clusters.hosts ?? [],
    knownId: (context, call) => of(call.type).knownId?.(at(context, call), call),
    repeats: (context, type) => of(type).repeats(context, type),
    create: (context, call) => of(call.type).create(at(context, call), call),
    lookUp: (context, call) => of(call.type).lookUp(at(context, call), call),
    update: (context, call) => of(call.type).update(at(context, call), call),
    read: async (context, call) =>
      withoutCluster(await of(call.type).read(at(context, call), call)),
    delete: async (context, call) =>
      withoutCluster(await of(call.type).delete(at(context, call), call)),
    poll: async (context, call) => {
      const outcome = await of(call.type).poll(at(context, call), call);
      return call.verb === "delete" ? withoutCluster(outcome) : outcome;
    },
  };
}

/**
 * AWS by its Cloud Control API, which has one shape for every type, and by Route 53 for records, which it lacks. A
 * create carries a token that AWS remembers for 36 hours; after that its object is found by a tag of ours. What a type
 * cannot change, and what it never shows, stand in the rows of the verified ones; of the others the catalogue tells.
 */
import { signAws } from "#providers/auth/sign-aws.ts";
import type { Provider } from "#providers/provider.ts";
import type {
  DialectCall,
  Failed,
  RequestSpec,
  RestProviderDefinition,
} from "#providers/rest/definition.ts";
import { restProvider } from "#providers/rest/rest-provider.ts";
import { awsConfig, awsCredential, keysIn } from "./access.ts";
import { awsAccount } from "./account.ts";
import { readAnswer, requestOf, type Verb } from "./cloud-control.ts";
import { disagreeingId } from "./disagreeing-id.ts";
import { jsonPatch } from "./json-patch.ts";
import { awsNeeds } from "./needs.ts";
import { onlyId } from "./only-id.ts";
import { dnsHost, iamHost, partitionOf, regionalHost } from "./partition.ts";
import { readError } from "./read-error.ts";
import { RECORD_SET, readRecordAnswer, recordRequest } from "./record-sets.ts";
import { awsSession } from "./session.ts";
import { awsFederation } from "./trust.ts";
import { awsTypes } from "./types.ts";
import { verifyAws } from "./verify.ts";

function controlRequestOf(verb: Verb, call: DialectCall): RequestSpec | Failed {
  const { type, id, properties } = call;
  const refused =
    verb === "poll" || id === undefined ? undefined : disagreeingId(type, id, properties);
  return refused ?? requestOf(verb, call);
}

/** Made on first use: nothing of a provider is evaluated when the Worker starts. */
export function awsProvider(): Provider {
  const definition: RestProviderDefinition = {
    types: awsTypes,
    baseUrl: ({ region }) => regionalHost("cloudcontrolapi", region),
    hosts: {
      sts: ({ region }) => regionalHost("sts", region),
      stsHome: ({ region }) => regionalHost("sts", partitionOf(region).homeRegion),
      dns: ({ region }) => dnsHost(region),
      iam: ({ region }) => iamHost(region),
    },
    credential: awsCredential(),
    config: awsConfig(),
    session: awsSession,
    federation: awsFederation,
    authorize: async (request, { credential, session, region, now }) => {
      const keys = keysIn(session ?? credential);
      const signing = { keys, service: "cloudcontrolapi", region, nowMs: now() };
      return (await signAws(request, signing)).headers;
    },
    readError,
    dialect: {
      request: (verb, call) =>
        call.type === RECORD_SET ? recordRequest(verb, call) : controlRequestOf(verb, call),
      read: (answer, verb, call) =>
        call.type === RECORD_SET
          ? readRecordAnswer(answer, verb, call)
          : readAnswer(answer, verb, call),
      patch: jsonPatch,
    },
    onlyId,
    readsFirst: (verb, row) => verb === "delete" && row.host === "dns",
    concurrency: 6,
    account: awsAccount,
    verifyPath: "/",
    verify: verifyAws,
    needs: awsNeeds,
  };
  return restProvider(definition);
}

/**
 * A credential of another account at clouds whose calls name their account (decision 0078): no answer may let an object
 * count as gone. The others are in `other-account.test.ts`.
 */
import { beforeEach, describe, expect, it } from "vitest";
import type { Json, JsonMap } from "#platform/json.ts";
import { azureProvider } from "#providers/azure/azure-provider.ts";
import { gcpProvider } from "#providers/gcp/gcp-provider.ts";
import type { Outcome, Provider, ProviderContext } from "#providers/provider.ts";
import { sessions } from "#providers/rest/requests/session.ts";
import { ArmCloud, GROUP, SUBSCRIPTION } from "#test/providers/azure/arm-cloud.ts";
import { GoogleCloud } from "#test/providers/gcp/google-cloud.ts";
import { PROJECT, REGION, ZONE } from "#test/providers/gcp/shown.ts";

beforeEach(() => sessions.clear());

interface Foreign {
  provider: Provider;
  context: ProviderContext;
  /** Requests beyond the sign-in, by their hosts and paths. */
  sent: string[];
}

function signedIn(
  cloud: { fetch: (request: Request) => Promise<Response> },
  hosts: RegExp,
  answer: () => Response,
) {
  const sent: string[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const { host, pathname } = new URL(request.url);
    if (!hosts.test(host)) return cloud.fetch(request);
    sent.push(host + pathname);
    return answer();
  };
  return { sent, fetch };
}

const azureAt = (answer: () => Response, config: JsonMap = {}): Foreign => {
  const cloud = new ArmCloud();
  const { sent, fetch } = signedIn(cloud, /^management\./, answer);
  const own = cloud.context({ fetch });
  const context = { ...own, config: { ...own.config, ...config } };
  return { provider: azureProvider(), context, sent };
};

const gcpAt = (answer: () => Response, config: JsonMap = {}): Foreign => {
  const cloud = new GoogleCloud();
  const hosts = /^(?!oauth2|sts|iamcredentials)[a-z]+\.googleapis\.com$/;
  const { sent, fetch } = signedIn(cloud, hosts, answer);
  const own = cloud.context({ fetch });
  const context = { ...own, config: { ...own.config, ...config } };
  return { provider: gcpProvider(), context, sent };
};

/** All ways in which the engine may learn that an object is gone. */
async function outcomesOf(
  { provider, context }: Foreign,
  type: string,
  id: string,
): Promise<Outcome[]> {
  const call = { type, id, name: "own", token: "t", properties: {} };
  const before = { tags: { a: "b" }, labels: { a: "b" } };
  return [
    await provider.read(context, call),
    await provider.read(context, { ...call, awaitReady: true }),
    await provider.delete(context, call),
    await provider.update(context, { ...call, before }),
    await provider.lookUp(context, { ...call, known: [], sentMs: 0 }),
  ];
}

const error = (status: number, body: Json) => () => Response.json({ error: body }, { status });

describe("Azure", () => {
  const group = `/subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP}`;
  const objects: [string, string][] = [
    ["azure:Microsoft.Resources/resourceGroups", group],
    [
      "azure:Microsoft.Network/virtualNetworks",
      `${group}/providers/Microsoft.Network/virtualNetworks/own`,
    ],
    [
      "azure:Microsoft.Storage/storageAccounts",
      `${group}/providers/Microsoft.Storage/storageAccounts/own`,
    ],
  ];
  const refusals: [number, string][] = [
    [403, "AuthorizationFailed"],
    [404, "SubscriptionNotFound"],
    [401, "InvalidAuthenticationTokenTenant"],
    [404, "TenantNotFound"],
  ];
  it.each(refusals)(
    "answers %i %s to a credential of others: denied, never gone",
    async (status, code) => {
      for (const [type, id] of objects) {
        const foreign = azureAt(error(status, { code, message: "No." }));
        const outcomes = await outcomesOf(foreign, type, id);
        for (const outcome of outcomes)
          expect(outcome).toMatchObject({ kind: "failed", means: "denied", retryable: false });
      }
    },
  );

  it("is not asked about an object of the subscription that the target was for before", async () => {
    const subscriptionId = "99999999-9999-4999-8999-999999999999";
    for (const [type, id] of objects) {
      const foreign = azureAt(error(404, { code: "ResourceNotFound" }), { subscriptionId });
      const [read, ready, removed, updated] = await outcomesOf(foreign, type, id);
      for (const outcome of [read, ready, removed, updated])
        expect(outcome).toMatchObject({ kind: "failed", code: "invalid_place" });
      expect(foreign.sent.filter((path) => path.includes(SUBSCRIPTION))).toEqual([]);
    }
  });
});

describe("Google Cloud", () => {
  const objects: [string, string][] = [
    ["gcp:compute/Network", `projects/${PROJECT}/global/networks/own`],
    ["gcp:compute/Disk", `projects/${PROJECT}/zones/${ZONE}/disks/own`],
    ["gcp:pubsub/Topic", `projects/${PROJECT}/topics/own`],
    ["gcp:run/Service", `projects/${PROJECT}/locations/${REGION}/services/own`],
  ];
  const refusals: [number, string, string][] = [
    [403, "PERMISSION_DENIED", "Permission denied on resource (or it may not exist)."],
    [403, "PERMISSION_DENIED", `Required permission for 'projects/${PROJECT}'`],
    [404, "NOT_FOUND", "Requested project not found or user does not have access to it."],
    [404, "NOT_FOUND", `The resource 'projects/${PROJECT}' was not found`],
  ];
  it.each(refusals)(
    "answers %i %s %s to a credential of others: denied, never gone",
    async (status, name, message) => {
      for (const [type, id] of objects) {
        const foreign = gcpAt(error(status, { code: status, status: name, message }));
        const outcomes = await outcomesOf(foreign, type, id);
        for (const outcome of outcomes) expect(outcome.kind).toBe("failed");
        for (const outcome of outcomes.slice(0, 3))
          expect(outcome).toMatchObject({ means: "denied", retryable: false });
      }
    },
  );

  it("is not asked about an object of the project that the target was for before", async () => {
    for (const [type, id] of objects) {
      const foreign = gcpAt(error(404, { status: "NOT_FOUND" }), { project: "another-project" });
      const [read, ready, removed, updated] = await outcomesOf(foreign, type, id);
      for (const outcome of [read, ready, removed, updated])
        expect(outcome).toMatchObject({ kind: "failed", code: "invalid_id" });
      expect(foreign.sent.filter((path) => path.includes(PROJECT))).toEqual([]);
    }
  });
});

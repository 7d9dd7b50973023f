/** The draft of manifests is deployed as it is, into a cluster that is asked for. */
import { afterEach, expect, it, vi } from "vitest";
import { coreweaveAccount } from "#test/orchestrator/cloud-accounts.ts";
import { answerAt, exampleAt } from "#test/orchestrator/example-life.ts";
import { makeTenant } from "#test/support/api.ts";
import { draftOf, instanceOfDraft } from "./deployed-draft.ts";
import manifests from "./fixtures/kubernetes/shop.yaml?raw";

const CANARY = "canary-in-a-manifest";

afterEach(() => {
  vi.restoreAllMocks();
});

const cluster = `name: cluster
runtime: yaml
resources:
  network:
    type: coreweave:Vpc
    properties:
      name: shop
      vpcPrefixes:
        - { name: pods, value: 10.0.0.0/13 }
        - { name: services, value: 10.16.0.0/22 }
        - { name: balancers, value: 10.32.4.0/22 }
  cluster:
    type: coreweave:Cluster
    properties:
      name: shop
      vpcId: \${network.id}
      version: v1.35
      public: true
      network:
        podCidrName: pods
        serviceCidrName: services
        internalLbCidrNames: [balancers]
outputs:
  id: \${cluster.id}
`;

it("six kinds, with what a secret holds asked for", async () => {
  const account = coreweaveAccount();
  answerAt(account);
  const tenant = await makeTenant();
  const base = await exampleAt(tenant, account, cluster);
  await base.go("deploy");
  const { id: clusterId } = await base.outputs();
  const draft = await draftOf(tenant, [{ path: "k8s/shop.yaml", content: manifests }]);
  expect(draft).toMatchObject({ mapped: 5, partlyMapped: 1, notMapped: 2 });
  expect(draft.unsupported).toEqual([
    expect.objectContaining({
      address: "CronJob/shop/report",
      file: "k8s/shop.yaml",
      line: 77,
      code: "no_type",
      reason: expect.stringContaining("Drafts have no kinds of Kubernetes but Namespace"),
    }),
    expect.objectContaining({
      address: "Ingress/shop/old",
      reason: expect.stringContaining("networking.k8s.io/v1/Ingress"),
    }),
    expect.objectContaining({
      address: "Secret/shop/database",
      path: "metadata.annotations.kubectl.kubernetes.io/last-applied-configuration",
    }),
  ]);
  expect(draft.unresolved.map(({ config, address }) => [config, address])).toEqual([
    ["clusterId", "Namespace/shop"],
    ["certificate", "Secret/shop/database"],
    ["password", "Secret/shop/database"],
    ["apiToken", "Deployment/shop/web"],
  ]);
  expect(JSON.stringify(draft)).not.toContain(CANARY);
  const shop = await instanceOfDraft(tenant, account, draft, {
    clusterId: clusterId ?? null,
    certificate: btoa("canary-given-as-a-secret"),
    password: "canary-given-as-a-secret",
    apiToken: "canary-given-as-a-secret",
  });
  expect(Object.keys(await shop.go("deploy"))).toHaveLength(6);
  expect(await shop.go("deploy")).toEqual({});
  expect(account.cloud.violations).toEqual([]);
  await shop.expectNothingTold();
});

import { coreweaveProvider } from "#providers/coreweave/coreweave-provider.ts";
import { Lives } from "#test/providers/type-cycle.ts";
import { CoreweaveCloud, type CoreweaveOptions } from "./coreweave-cloud.ts";
import { clusterSample, vpcSample } from "./samples.ts";

/** A cloud with a network, a cluster in it, and the namespace `shop` in that. */
export async function cloudWithCluster(options: CoreweaveOptions = {}) {
  const cloud = new CoreweaveCloud(options);
  const context = cloud.context();
  const lives = new Lives(coreweaveProvider(), context);
  const vpc = await lives.create("coreweave:Vpc", { ...vpcSample, name: "parent-net" });
  const cluster = await lives.create("coreweave:Cluster", clusterSample(vpc.id, "parent"));
  const parents = { vpc: vpc.id, cluster: cluster.id };
  cloud.applyAs("a-person", "/api/v1/namespaces/shop", {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "shop" },
  });
  return { cloud, context, lives, parents };
}

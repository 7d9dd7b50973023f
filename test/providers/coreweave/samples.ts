/** Properties of one object of every type: as created, changed in place, and changed so that it is replaced. */
import type { JsonMap } from "#platform/json.ts";
import { ZONE } from "./coreweave-cloud.ts";

export interface Sample {
  properties: JsonMap;
  /** Absent: nothing can be changed in place. */
  changed?: JsonMap;
  /** Absent: everything can. */
  replaced?: JsonMap;
}

export const vpcSample: JsonMap = {
  name: "net",
  zone: ZONE,
  vpcPrefixes: [
    { name: "pods", value: "10.0.0.0/13" },
    { name: "services", value: "10.16.0.0/22" },
    { name: "balancers", value: "10.32.4.0/22" },
  ],
};

export function clusterSample(vpcId: string, name = "main"): JsonMap {
  return {
    name,
    zone: ZONE,
    vpcId,
    version: "v1.35",
    public: true,
    network: {
      podCidrName: "pods",
      serviceCidrName: "services",
      internalLbCidrNames: ["balancers"],
    },
  };
}

export function samplesOf(parents: {
  vpc: string;
  cluster: string;
}): Readonly<Record<string, Sample>> {
  const { cluster: clusterId } = parents;
  const at = { clusterId, namespace: "shop" };
  const cluster = clusterSample(parents.vpc);
  const labels = { app: "web" };
  const web = { ...at, name: "web", metadata: { labels } };
  const containers = [{ name: "web", image: "nginx:1" }];
  const pods = { metadata: { labels }, spec: { containers } };
  const spec = { replicas: 2, selector: { matchLabels: labels }, template: pods };
  const pool = {
    clusterId,
    name: "gpus",
    spec: { instanceType: "gd-8xh100ib-i128", targetNodes: 1 },
  };
  const secret = {
    ...at,
    name: "token",
    type: "Opaque",
    stringData: { TOKEN: "canary-of-the-secret" },
  };
  const settings = { ...at, name: "settings", data: { "app.conf": "level=info" } };
  const set = { ...spec, serviceName: "web" };
  const job = {
    ...at,
    name: "migrate",
    spec: { backoffLimit: 2, template: { spec: { ...pods.spec, restartPolicy: "Never" } } },
  };
  const claim = {
    ...at,
    name: "disk",
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  };
  const service = {
    ...web,
    spec: { type: "LoadBalancer", selector: labels, ports: [{ port: 80 }] },
  };
  const ingress = {
    ...web,
    spec: { defaultBackend: { service: { name: "web", port: { number: 80 } } } },
  };
  return {
    Vpc: {
      properties: vpcSample,
      changed: { ...vpcSample, egress: { disablePublicAccess: true } },
      replaced: { ...vpcSample, hostPrefix: "10.16.192.0/18" },
    },
    Cluster: {
      properties: cluster,
      changed: { ...cluster, version: "v1.36" },
      replaced: { ...cluster, name: "next" },
    },
    ObjectStorageKey: {
      properties: { durationSeconds: 0, attributes: { name: "backup" } },
      replaced: { durationSeconds: 300 },
    },
    NodePool: {
      properties: pool,
      changed: { ...pool, spec: { ...pool.spec, targetNodes: 2 } },
      replaced: { ...pool, spec: { ...pool.spec, instanceType: "cd-gp-a192-genoa" } },
    },
    Namespace: {
      properties: { clusterId, name: "extra" },
      changed: { clusterId, name: "extra", metadata: { labels: { team: "shop" } } },
      replaced: { clusterId, name: "other" },
    },
    Deployment: {
      properties: { ...web, spec },
      changed: { ...web, spec: { ...spec, replicas: 3 } },
      replaced: { ...web, name: "other", spec },
    },
    StatefulSet: {
      properties: { ...web, spec: set },
      changed: { ...web, spec: { ...set, replicas: 3 } },
      replaced: { ...web, spec: { ...set, serviceName: "other" } },
    },
    Job: {
      properties: job,
      changed: { ...job, spec: { ...job.spec, backoffLimit: 4 } },
      replaced: { ...job, spec: { template: pods } },
    },
    ConfigMap: {
      properties: settings,
      changed: { ...settings, data: { "app.conf": "level=debug" } },
      replaced: { ...settings, name: "other" },
    },
    Service: {
      properties: service,
      changed: { ...service, metadata: { labels: { app: "next" } } },
    },
    Ingress: { properties: ingress, changed: { ...ingress, metadata: {} } },
    Secret: {
      properties: secret,
      changed: { ...secret, stringData: { TOKEN: "canary-two" } },
      replaced: { ...secret, type: "example/other" },
    },
    PersistentVolumeClaim: {
      properties: claim,
      changed: { ...claim, metadata: { labels } },
      replaced: { ...claim, spec: { ...claim.spec, accessModes: ["ReadWriteMany"] } },
    },
  };
}

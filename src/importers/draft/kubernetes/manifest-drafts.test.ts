import { expect, it } from "vitest";
import { ImportLog } from "#importers/import-log.ts";
import { readImport } from "#importers/read-import.ts";
import { builtAssets } from "#test/support/built-assets.ts";

async function draftOf(text: string) {
  const { drafts } = await readImport([{ path: "a.yaml", text }], undefined, new ImportLog(), {
    adopt: false,
    assets: builtAssets,
  });
  const [draft] = drafts;
  if (draft === undefined) throw new Error("There is no draft");
  return draft;
}

const deployment = (metadata: string, pod: string) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: app, ${metadata} }
spec:
  selector: { matchLabels: { app.kubernetes.io/name: app } }
  template:
    ${pod}
`;

it("keeps names with dots as they are", async () => {
  const { source, unsupported } = await draftOf(
    deployment(
      "labels: { app.kubernetes.io/name: app }",
      "metadata: { annotations: { sidecar.istio.io/inject: 'true' }, labels: { app.kubernetes.io/name: app } }",
    ),
  );
  expect(unsupported).toEqual([]);
  expect(source).toContain('sidecar.istio.io/inject: "true"');
  expect(source?.split("app.kubernetes.io/name: app")).toHaveLength(4);
});

it("asks for no name, key, mode and lifetime of a secret volume", async () => {
  const { source, unresolved } = await draftOf(
    deployment(
      "annotations: { nginx.ingress.kubernetes.io/auth-secret: basic }",
      `metadata: { annotations: { checksum/secret: 0a1b2c3d4e5f60718293a4b5c6d7e8f9 } }
    spec:
      automountServiceAccountToken: false
      imagePullSecrets: [{ name: pull }]
      volumes:
        - { name: a, secret: { secretName: tls, defaultMode: 0400, optional: false, items: [{ key: crt, path: tls.crt, mode: 0444 }] } }
        - { name: b, projected: { sources: [{ secret: { name: tls, items: [{ key: k, path: p }] } }, { serviceAccountToken: { path: token, expirationSeconds: 3600, audience: vault } }] } }
        - { name: c, csi: { driver: d, volumeAttributes: { secretProviderClass: e }, nodePublishSecretRef: { name: f } } }
      containers:
        - { name: a, image: b, envFrom: [{ secretRef: { name: tls } }], env: [{ name: NONE }, { name: P, valueFrom: { secretKeyRef: { name: tls, key: password } } }] }`,
    ),
  );
  expect(unresolved.map(({ config }) => config)).toEqual(["clusterId"]);
  for (const text of ["secretName: tls", "defaultMode: 256", "key: crt", "mode: 292"])
    expect(source).toContain(text);
  for (const text of ["expirationSeconds: 3600", "audience: vault", "name: NONE", "key: password"])
    expect(source).toContain(text);
});

it("asks for no toleration of nodes that are called secret", async () => {
  const { source, unresolved } = await draftOf(
    deployment(
      "labels: { app.kubernetes.io/name: app }",
      `metadata: { labels: { app.kubernetes.io/name: app } }
    spec:
      tolerations: [{ key: secret, operator: Equal, value: vault-nodes, effect: NoSchedule }]
      containers: [{ name: a, image: b, env: [{ name: SECRET, value: canary-word }] }]`,
    ),
  );
  expect(unresolved.map(({ config }) => config)).toEqual(["clusterId", "secret"]);
  for (const text of ["key: secret", "value: vault-nodes", "value: ${secret}"])
    expect(source).toContain(text);
  expect(source).not.toContain("canary");
});

it("asks for what commands, environments and requests hold", async () => {
  const draft = await draftOf(
    deployment(
      "labels: { token: CANARY }, annotations: { db: 'postgres://u:CANARY@h/d' }",
      `spec:
      containers:
        - name: a
          image: b
          command: [sh, -c, "mysqladmin -uroot -pCANARY ping"]
          args: [--requirepass, CANARY, "--db=redis://:CANARY@h", -p, "8080"]
          env: [{ name: PLAIN, value: CANARY }, { name: LOG_LEVEL, value: debug }]
          livenessProbe: { httpGet: { port: 80, httpHeaders: [{ name: Authorization, value: Basic Q0FOQVJZCg== }, { name: X-Api-Key, value: CANARY }] } }`,
    ),
  );
  expect(JSON.stringify(draft)).not.toMatch(/CANARY|Q0FOQVJZ/);
  expect(draft.source).toContain("value: debug");
  expect(draft.source).toContain('- "8080"');
  expect(draft.unsupported.map(({ path, line }) => [path, line])).toEqual([
    ["metadata.labels.token", 3],
    ["metadata.annotations.db", 3],
  ]);
});

it("retains objects that a tool keeps, and tells what no draft has", async () => {
  const { source, unsupported } = await draftOf(
    `${deployment(
      "annotations: { helm.sh/resource-policy: keep, argocd.argoproj.io/sync-wave: '2' }, finalizers: [a], ownerReferences: [{ kind: A, name: b }]",
      "spec: { containers: [] }",
    )}status: { replicas: 1 }
---
apiVersion: v1
kind: Service
metadata: { generateName: app- }
spec: { ports: [{ port: 80 }] }
`,
  );
  expect(source).toContain("retainOnDelete: true");
  expect(unsupported.map(({ path, line }) => [path, line])).toEqual([
    ["metadata.finalizers", 3],
    ["metadata.ownerReferences", 3],
    ["status", 8],
    ["metadata.annotations.argocd.argoproj.io/sync-wave", 3],
    ["metadata.generateName", 12],
  ]);
});

it("refers to services by the addresses in environments, without circles", async () => {
  const both = (name: string, other: string) => `apiVersion: v1
kind: Service
metadata: { name: ${name} }
spec: { selector: { app: ${name} }, ports: [{ port: 80 }] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      containers:
        - name: a
          image: b
          env:
            - { name: OTHER_ADDR, value: "${other}:80" }
            - { name: OTHER_URL, value: "http://${other}.default.svc.cluster.local:80/" }
            - { name: OTHER_HOST, value: ${other} }
            - { name: OTHER_PASSWORD, value: ${other} }
            - { name: OTHER, value: ${other} }
            - { name: GONE_ADDR, value: "gone:80" }
            - { name: SWITCH, value: "1" }
`;
  const { mapped, source, unresolved } = await draftOf(
    `${both("front", "back")}---\n${both("back", "front")}`,
  );
  expect(mapped).toBe(4);
  expect(source).toContain("value: ${serviceDefaultBack.name}:80");
  expect(source).toContain(
    "value: http://${serviceDefaultBack.name}.default.svc.cluster.local:80/",
  );
  expect(source).toContain("value: ${serviceDefaultFront.name}\n");
  expect(source).toContain('value: "1"');
  // One of two services waits for its workload: both would be a circle.
  expect(source?.split("dependsOn:")).toHaveLength(2);
  expect(unresolved.map(({ config }) => config)).toEqual([
    "clusterId",
    "otherPassword",
    "other",
    "goneAddr",
    "otherPassword2",
    "other2",
    "goneAddr2",
  ]);
});

it("has texts where a cluster takes no other value, at every depth", async () => {
  const { source } = await draftOf(
    deployment(
      "labels: { app.kubernetes.io/name: app, paused: yes }",
      "{ metadata: { annotations: { checksum: 0 } }, spec: { containers: [{ name: a, image: b, command: [sleep, 3600], env: [{ name: PORT, value: 80 }], stdin: yes }] } }",
    ),
  );
  for (const text of ['paused: "true"', 'checksum: "0"', '- "3600"', 'value: "80"', "stdin: true"])
    expect(source).toContain(text);
  const service = await draftOf(
    "apiVersion: v1\nkind: Service\nmetadata: { name: a }\nspec: { selector: { on: 1 }, ports: [{ port: 80 }] }\n",
  );
  expect(service.source).toMatch(/selector:\s+"true": "1"/);
  expect(service.source).toContain("port: 80");
});

import { describe, expect, it } from "vitest";
import type { FileVerdict } from "#importers/import-format.ts";
import { ImportLog, type ImportWarning } from "#importers/import-log.ts";
import type { SourceModule } from "#importers/source-module.ts";
import { parsedBy } from "#test/support/parsed-by.ts";
import { detectKubernetes } from "./detect-kubernetes.ts";
import { kubernetesParser } from "./kubernetes.ts";

interface Read {
  verdicts: readonly FileVerdict[];
  modules: readonly SourceModule[];
  warnings: readonly ImportWarning[];
}

async function read(files: { [path: string]: string }): Promise<Read> {
  const log = new ImportLog();
  const all = Object.entries(files).map(([path, text]) => ({ path, text }));
  const { verdicts, modules } = parsedBy(kubernetesParser, all, log);
  return { verdicts, modules, warnings: log.warnings() };
}

async function addresses(text: string): Promise<string[]> {
  const { modules } = await read({ "a.yaml": text });
  return (modules[0]?.resources ?? []).map(({ address }) => address);
}

const app = `apiVersion: v1
kind: Namespace
metadata: { name: shop }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, namespace: shop }
data: { mode: fast }
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  replicas: 2
  template:
    spec:
      serviceAccountName: elsewhere
      containers:
        - name: web
          envFrom: [{ configMapRef: { name: settings } }]
          env:
            - name: DB_PASSWORD
              value: CANARY
            - name: OTHER
              valueFrom: { secretKeyRef: { name: db, key: word } }
      volumes:
        - secret: { secretName: db }
status: { replicas: 2 }
---
apiVersion: v1
kind: Secret
metadata:
  name: db
  namespace: shop
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"data":{"word":"CANARY"}}'
data: { word: CANARY }
stringData: { other: CANARY }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: all }
roleRef: { kind: ClusterRole, name: reader }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: reader }
`;

describe("a manifest", () => {
  it("is a module with a resource for each object", async () => {
    const { verdicts, modules, warnings } = await read({ "k8s/app.yaml": app });
    expect(warnings).toEqual([]);
    expect(verdicts).toEqual([{ path: "k8s/app.yaml", state: "PARSED", counts: { resource: 6 } }]);
    expect(modules[0]?.resources.map(({ address, type }) => [address, type])).toEqual([
      ["Namespace/shop", "v1/Namespace"],
      ["ConfigMap/shop/settings", "v1/ConfigMap"],
      ["Deployment/shop/web", "apps/v1/Deployment"],
      ["Secret/shop/db", "v1/Secret"],
      ["ClusterRoleBinding/all", "rbac.authorization.k8s.io/v1/ClusterRoleBinding"],
      ["ClusterRole/reader", "rbac.authorization.k8s.io/v1/ClusterRole"],
    ]);
    expect(modules[0]?.resources[2]).toMatchObject({
      name: "web",
      line: 10,
      provider: "kubernetes",
    });
  });

  it("keeps all of an object but its status", async () => {
    const { modules } = await read({ "app.yaml": app });
    const settings = modules[0]?.resources[2]?.settings;
    expect(settings?.members.map(({ name }) => name)).toEqual([
      "apiVersion",
      "kind",
      "metadata",
      "spec",
    ]);
    expect(settings?.members[3]?.value).toMatchObject({
      members: [{ name: "replicas", value: { value: 2 } }, { name: "template" }],
    });
  });

  it("leads to the objects of the file that it refers to", async () => {
    const { modules } = await read({ "app.yaml": app });
    expect(
      modules[0]?.resources.map(({ dependsOn }) => dependsOn.map((one) => one.address)),
    ).toEqual([
      [],
      ["Namespace/shop"],
      ["Namespace/shop", "ConfigMap/shop/settings", "Secret/shop/db"],
      ["Namespace/shop"],
      ["ClusterRole/reader"],
      [],
    ]);
    expect(modules[0]?.resources[2]?.dependsOn[1]?.line).toBe(22);
  });

  it("keeps the names of a secret's data and no value that is secret", async () => {
    const { modules, warnings } = await read({ "app.yaml": app });
    expect(JSON.stringify([modules, warnings])).not.toContain("CANARY");
    const secret = modules[0]?.resources[3]?.settings;
    expect(secret?.members.slice(3)).toMatchObject([
      { name: "data", value: { members: [{ name: "word", value: { kind: "opaque", text: "" } }] } },
      { name: "stringData", value: { members: [{ name: "other" }] } },
    ]);
  });

  it("keeps no annotation of a secret, because tools copy applied values into them", async () => {
    const { modules } = await read({
      "a.yaml":
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n  annotations: { kapp.k14s.io/original: CANARY }\n---\napiVersion: v1\nkind: Secret\nmetadata: { name: b, annotations: [CANARY] }\n",
    });
    expect(modules[0]?.resources).toHaveLength(2);
    expect(JSON.stringify(modules)).not.toContain("CANARY");
  });

  it("keeps annotations that name secrets for an ingress, and hides others called secret", async () => {
    const { modules } = await read({
      "a.yaml": `apiVersion: v1
kind: ConfigMap
metadata:
  name: a
  annotations:
    oauth.example.com/client-secret: CANARYpw
    example.com/secret: CANARYpw
    nginx.ingress.kubernetes.io.example.com/auth-secret: CANARYpw
    nginx.ingress.kubernetes.io/client-secret: CANARYpw
    nginx.ingress.kubernetes.io/auth-secret: basic-users
    haproxy.ingress.kubernetes.io/auth-tls-secret: shop/authorities
`,
    });
    const kept = JSON.stringify(modules);
    expect(kept).not.toContain("CANARY");
    for (const name of ["basic-users", "shop/authorities"]) expect(kept).toContain(name);
  });

  it("keeps tolerations of nodes that are called secret", async () => {
    const { modules } = await read({
      "a.yaml": `apiVersion: v1
kind: Pod
metadata: { name: a }
spec:
  tolerations:
    - { key: secret, operator: Equal, value: vault-nodes, effect: NoSchedule }
  containers: [{ name: a, env: [{ name: SECRET, value: CANARY }] }]
`,
    });
    const kept = JSON.stringify(modules);
    expect(kept).not.toContain("CANARY");
    for (const name of ['"secret"', "vault-nodes", "NoSchedule"]) expect(kept).toContain(name);
  });

  it("keeps nothing of a secret's data that is not a map", async () => {
    const { modules } = await read({
      "a.yaml": "apiVersion: v1\nkind: Secret\nmetadata: { name: a }\ndata: [CANARY]\n",
    });
    expect(JSON.stringify(modules)).not.toContain("CANARY");
  });

  it("flattens lists of objects, in YAML and JSON", async () => {
    const object = (name: string) => ({ apiVersion: "v1", kind: "Pod", metadata: { name } });
    const list = { apiVersion: "v1", kind: "List", items: [object("a"), object("b")] };
    const { modules } = await read({ "a.json": JSON.stringify([list, object("c")]) });
    expect(modules[0]?.resources.map(({ address }) => address)).toEqual([
      "Pod/default/a",
      "Pod/default/b",
      "Pod/default/c",
    ]);
    expect(
      await addresses(
        "apiVersion: v1\nkind: PodList\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: x}\n",
      ),
    ).toEqual(["Pod/default/x"]);
  });

  it("may have kinds of one name in two groups, and has each object once", async () => {
    const service = (apiVersion: string) =>
      `apiVersion: ${apiVersion}\nkind: Service\nmetadata: { name: a }\n---\n`;
    const { modules, warnings } = await read({
      "a.yaml": service("v1") + service("serving.knative.dev/v1") + service("v1"),
    });
    expect(modules[0]?.resources.map(({ address }) => address)).toEqual([
      "Service/default/a",
      "serving.knative.dev/Service/default/a",
    ]);
    expect(warnings).toMatchObject([{ code: "duplicate_object", line: 9 }]);
  });

  it("warns of booleans and numbers where a cluster takes texts", async () => {
    const { warnings } = await read({
      "a.yaml": `apiVersion: apps/v1
kind: Deployment
metadata:
  name: a
  labels: { on: "a", b: yes }
  annotations:
    port: 80
    none: ~
spec:
  replicas: 1
  template:
    spec:
      nodeSelector: { gpu: "true" }
      containers:
        - command: [a, "1"]
          args:
            - 1.5
          env: [{ name: A, value: 5 }, { name: B, value: "5" }]
---
apiVersion: v1
kind: ConfigMap
metadata: { name: b }
data: { debug: off, text: "off" }
---
apiVersion: example.com/v1
kind: Other
metadata: { name: c }
spec: { args: [1] }
`,
    });
    expect(
      warnings
        .map(({ code, line }) => [code, line])
        .toSorted((a, b) => Number(a[1]) - Number(b[1])),
    ).toEqual([
      ["text_expected", 5],
      ["text_expected", 7],
      ["text_expected", 17],
      ["text_expected", 18],
      ["text_expected", 23],
    ]);
  });

  it("warns of documents left out", async () => {
    const { modules, warnings } = await read({
      "a.yaml":
        "apiVersion: v1\nkind: Pod\nmetadata: { name: a }\n---\nkind: Pod\n---\ntext\n---\napiVersion: v1\nkind: Pod\n",
    });
    expect(modules[0]?.resources).toHaveLength(1);
    expect(warnings.map(({ code, line }) => [code, line])).toEqual([
      ["not_an_object", 5],
      ["not_an_object", 7],
      ["object_without_name", 9],
    ]);
  });
});

describe("a file without objects", () => {
  it("is skipped with the reason", async () => {
    const { verdicts, modules, warnings } = await read({
      "chart/templates/a.yaml":
        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Values.name }}\n",
      "chart/templates/b.yaml": "{{- if true }}\napiVersion: v1\nkind: Pod\n{{- end }}\n",
      "chart/Chart.yaml": "apiVersion: v2\nname: x\n",
      "base/kustomization.yaml": "resources: [a.yaml]\n",
      "base/other.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Component\n",
      "config.yaml":
        "apiVersion: v1\nkind: Config\nclusters: []\nusers: [{ name: a, user: { token: CANARY } }]\n",
      "empty.yaml": "---\n# nothing\n",
      "skaffold.yaml": "apiVersion: skaffold/v4beta6\nkind: Config\nmetadata: { name: a }\n",
      "none.yaml": "apiVersion: v1\nkind: Pod\n",
      "broken.yaml": "apiVersion: [\n",
      "broken.json": "{",
    });
    expect(modules).toEqual([]);
    expect(verdicts.map(({ state, reason }) => [state, reason])).toEqual([
      ["SKIPPED", "helm_template"],
      ["SKIPPED", "helm_template"],
      ["SKIPPED", "helm_chart"],
      ["SKIPPED", "kustomization"],
      ["SKIPPED", "kustomization"],
      ["SKIPPED", "kubeconfig"],
      ["SKIPPED", "empty_file"],
      ["SKIPPED", "no_objects"],
      ["SKIPPED", "no_objects"],
      ["FAILED", "invalid_yaml"],
      ["FAILED", "invalid_json"],
    ]);
    expect(JSON.stringify(warnings)).not.toContain("CANARY");
  });
});

describe("the detection", () => {
  const detects = (path: string, text: string): boolean => detectKubernetes({ path, text });

  it("accepts manifests, templates of Helm and files of Kustomize", () => {
    expect(detects("a.yaml", app)).toBe(true);
    expect(detects("a.yml", "kind: Pod\r\napiVersion: v1\r\n")).toBe(true);
    expect(detects("a.yaml", "- apiVersion: v1\n  kind: Pod\n")).toBe(true);
    expect(detects("a.json", '{\n "kind": "Pod", "apiVersion" : "v1"}')).toBe(true);
    expect(detects("x/templates/_helpers.tpl", '{{- define "a" -}}')).toBe(true);
    expect(detects("x/Chart.yaml", "apiVersion: v2\n")).toBe(true);
    expect(detects("a.yaml", "{ apiVersion: v1, kind: Pod }")).toBe(true);
    expect(detects("a.yaml", "-   apiVersion: v1\n    kind: Pod\n")).toBe(true);
    expect(detects("kustomization.yml", "")).toBe(true);
  });

  it("rejects other YAML", () => {
    expect(detects("a.yaml", "kind: Pod\n")).toBe(false);
    expect(detects("a.yaml", "spec:\n    apiVersion: v1\n    kind: Pod\n")).toBe(false);
    expect(detects("a.yaml", 'name: "{{ name }}"\n')).toBe(false);
    expect(detects("a.ts", app)).toBe(false);
    expect(detects("a.json", '"apiVersion": "kind":')).toBe(false);
  });

  it("does not take templates in strings for a Helm template", async () => {
    const rule =
      'apiVersion: v1\nkind: Rule\nmetadata: { name: a }\ntext: "{{ $value }} {{ end }}"\n';
    expect(await addresses(rule)).toEqual(["Rule/default/a"]);
  });
});

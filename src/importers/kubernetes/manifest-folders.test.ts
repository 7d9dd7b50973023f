import { describe, expect, it } from "vitest";
import { ImportLog } from "#importers/import-log.ts";
import { parsedBy } from "#test/support/parsed-by.ts";
import { kubernetesParser } from "./kubernetes.ts";

interface Listed {
  modules: readonly { path: string; objects: readonly string[] }[];
  edges: readonly string[];
  states: Readonly<Record<string, string>>;
  warnings: readonly (readonly [code: string, file: string | null, line: number | null])[];
}

function read(files: Readonly<Record<string, string>>): Listed {
  const log = new ImportLog();
  const all = Object.entries(files).map(([path, text]) => ({ path, text }));
  const { verdicts, modules } = parsedBy(kubernetesParser, all, log);
  return {
    modules: modules.map(({ path, resources }) => ({
      path,
      objects: resources.map(({ address }) => address),
    })),
    edges: modules.flatMap(({ resources }) =>
      resources.flatMap(({ address, dependsOn }) =>
        dependsOn.map((one) => `${address} ${one.address} ${one.file}:${one.line}`),
      ),
    ),
    states: Object.fromEntries(verdicts.map(({ path, state, reason }) => [path, reason ?? state])),
    warnings: log.warnings().map(({ code, file, line }) => [code, file, line]),
  };
}

const object = (kind: string, name: string, more = "", version = "v1") =>
  `apiVersion: ${version}\nkind: ${kind}\nmetadata: { ${name.includes("/") ? `namespace: ${name.split("/")[0]}, name: ${name.split("/")[1]}` : `name: ${name}`} }\n${more}\n`;
const workload = (name: string, labels: string, spec = "containers: []") =>
  object(
    "Deployment",
    name,
    `spec: { template: { metadata: { labels: ${labels} }, spec: { ${spec} } } }`,
    "apps/v1",
  );

describe("a folder of manifests", () => {
  it("is one module with edges between its files", () => {
    const { modules, edges } = read({
      "k8s/deployment.yaml": workload(
        "shop/web",
        "{ app: web, tier: front }",
        "containers: [{ envFrom: [{ secretRef: { name: words } }] }]",
      ),
      "k8s/namespace.yaml": object("Namespace", "shop"),
      "k8s/secret.yaml": object("Secret", "shop/words"),
      "k8s/service.yaml": object("Service", "shop/web", "spec: { selector: { app: web } }"),
      "k8s/ingress.json": JSON.stringify({
        apiVersion: "networking.k8s.io/v1",
        kind: "Ingress",
        metadata: { name: "web", namespace: "shop" },
        spec: { defaultBackend: { service: { name: "web" } } },
      }),
    });
    expect(modules.map(({ path }) => path)).toEqual(["k8s"]);
    expect(edges).toEqual([
      "Deployment/shop/web Namespace/shop k8s/deployment.yaml:1",
      "Deployment/shop/web Secret/shop/words k8s/deployment.yaml:4",
      "Secret/shop/words Namespace/shop k8s/secret.yaml:1",
      "Service/shop/web Namespace/shop k8s/service.yaml:1",
      "Service/shop/web Deployment/shop/web k8s/service.yaml:4",
      "Ingress/shop/web Namespace/shop k8s/ingress.json:1",
      "Ingress/shop/web Service/shop/web k8s/ingress.json:1",
    ]);
  });

  it("joins another folder that alone has an object which it names", () => {
    const { modules } = read({
      "00-namespace.yaml": object("Namespace", "shop"),
      "web/a.yaml": workload("shop/web", "{ a: b }", "serviceAccountName: robot"),
      "rights/a.yaml": object("ServiceAccount", "shop/robot"),
      "other/a.yaml": object("Service", "jobs/web"),
      "classes/a.yaml": object("PriorityClass", "high", "", "scheduling.k8s.io/v1"),
      "jobs/a.yaml": object("Pod", "jobs/x", "spec: { priorityClassName: high }"),
    });
    expect(modules).toEqual([
      {
        path: ".",
        objects: ["Namespace/shop", "Deployment/shop/web", "ServiceAccount/shop/robot"],
      },
      { path: "other/a.yaml", objects: ["Service/jobs/web"] },
      { path: "classes/a.yaml", objects: ["PriorityClass/high"] },
      { path: "jobs/a.yaml", objects: ["Pod/jobs/x"] },
    ]);
  });

  it("joins none if two folders have the object, or both have another one", () => {
    const both = {
      "dev/a.yaml": object("Namespace", "shop"),
      "prod/a.yaml": object("Namespace", "shop"),
    };
    expect(read({ ...both, "web/a.yaml": object("Service", "shop/a") }).modules).toHaveLength(3);
    const one = {
      "a/a.yaml": object("Namespace", "shop") + "---\n" + object("Service", "x/a"),
      "b/a.yaml": object("Service", "shop/a") + "---\n" + object("Service", "x/a", "spec: {}"),
    };
    expect(read(one).modules).toHaveLength(2);
  });

  it("has an object once, and another version of it in a draft of its own", () => {
    const { modules, warnings } = read({
      "a.yaml": object("Namespace", "shop") + "---\n" + object("Service", "shop/a"),
      "b.yaml": object("Namespace", "shop") + "---\n" + object("Service", "shop/b"),
      "c.yaml": object("Service", "shop/a", "spec: { ports: [] }"),
    });
    expect(modules).toEqual([
      { path: ".", objects: ["Namespace/shop", "Service/shop/a", "Service/shop/b"] },
      { path: "c.yaml", objects: ["Service/shop/a"] },
    ]);
    expect(warnings).toEqual([
      ["repeated_object", "b.yaml", 1],
      ["alternative_manifest", "c.yaml", null],
    ]);
  });

  it("has every object whose name the cluster makes", () => {
    const job = "apiVersion: batch/v1\nkind: Job\nmetadata: { generateName: move- }\n";
    const { modules, warnings } = read({ "a.yaml": `${job}---\n${job}`, "b.yaml": job });
    expect(modules[0]?.objects).toEqual([
      "Job/default/move-",
      "Job/default/move-#2",
      "Job/default/move-#3",
    ]);
    expect(warnings).toEqual([]);
  });
});

describe("edges", () => {
  const edgesOf = (...all: string[]) => read({ "a.yaml": all.join("\n---\n") }).edges;

  it("lead from a service to the workloads that its selector certainly takes", () => {
    const service = (selector: string) =>
      object("Service", "web", `spec: { selector: ${selector} }`);
    const to = (selector: string, labels: string) =>
      edgesOf(service(selector), workload("web", labels)).length;
    expect(to("{ app: web }", "{ app: web, tier: front }")).toBe(1);
    expect(to("{ app: web, tier: front }", "{ app: web }")).toBe(0);
    expect(to("{ app: web }", "{ app: other }")).toBe(0);
    expect(to("{}", "{ app: web }")).toBe(0);
    expect(edgesOf(service("{ app: web }"), workload("other/web", "{ app: web }"))).toEqual([]);
  });

  it("lead from a set to the service that governs it, and not back", () => {
    const set = object(
      "StatefulSet",
      "db",
      "spec: { serviceName: db, template: { metadata: { labels: { app: db } } } }",
      "apps/v1",
    );
    expect(edgesOf(object("Service", "db", "spec: { selector: { app: db } }"), set)).toEqual([
      "StatefulSet/default/db Service/default/db a.yaml:10",
    ]);
  });

  it("lead to scaled workloads, volumes, classes, definitions and gateways", () => {
    const named = (from: string, ...to: string[]) =>
      edgesOf(...to, from).map((edge) => edge.split(" ")[1]);
    const web = workload("web", "{ app: web }");
    expect(
      named(
        object(
          "HorizontalPodAutoscaler",
          "web",
          "spec: { scaleTargetRef: { kind: Deployment, name: web } }",
          "autoscaling/v2",
        ),
        web,
      ),
    ).toEqual(["Deployment/default/web"]);
    expect(
      named(
        object(
          "PodDisruptionBudget",
          "web",
          "spec: { selector: { matchLabels: { app: web } } }",
          "policy/v1",
        ),
        web,
      ),
    ).toEqual(["Deployment/default/web"]);
    expect(
      named(
        object("PersistentVolumeClaim", "a", "spec: { storageClassName: fast, volumeName: v }"),
        object("StorageClass", "fast", "", "storage.k8s.io/v1"),
        object("PersistentVolume", "v"),
      ),
    ).toEqual(["StorageClass/fast", "PersistentVolume/v"]);
    expect(
      named(
        object("Shop", "a", "", "example.com/v1"),
        object(
          "CustomResourceDefinition",
          "shops.example.com",
          "spec: { group: example.com, names: { kind: Shop } }",
          "apiextensions.k8s.io/v1",
        ),
      ),
    ).toEqual(["CustomResourceDefinition/shops.example.com"]);
    expect(
      named(
        object(
          "HTTPRoute",
          "a",
          "spec: { parentRefs: [{ name: g, namespace: net }], rules: [{ backendRefs: [{ name: s }] }] }",
          "gateway.networking.k8s.io/v1",
        ),
        object("Gateway", "net/g", "", "gateway.networking.k8s.io/v1"),
        object("Service", "s"),
      ),
    ).toEqual(["Gateway/net/g", "Service/default/s"]);
  });
});

describe("Kustomize", () => {
  const files = {
    "base/kustomization.yaml":
      "resources: [a.yaml, b.yaml]\ncommonLabels: { a: b }\nsecretGenerator: [{ name: a, literals: [A=CANARY] }]\n",
    "base/a.yaml": workload("web", "{ app: web }"),
    "base/b.yaml": object("Service", "web", "spec: { selector: { app: web } }"),
    "base/spare.yaml": object("Service", "spare"),
    "overlays/prod/kustomization.yaml":
      "kind: Kustomization\nresources: [../../base, ns.yaml]\npatches: [{ path: more.yaml }, { patch: '[]' }]\npatchesStrategicMerge: [image.yaml]\n",
    "overlays/prod/ns.yaml": object("Namespace", "default"),
    "overlays/prod/more.yaml": workload("web", "{ app: web }"),
    "overlays/prod/image.yaml": workload("web", "{ app: web }"),
  };

  it("keeps overlays and unlisted files apart from their base, and skips patches", () => {
    const { modules, states } = read(files);
    expect(modules).toEqual([
      { path: "base", objects: ["Deployment/default/web", "Service/default/web"] },
      { path: "base/spare.yaml", objects: ["Service/default/spare"] },
      { path: "overlays/prod/ns.yaml", objects: ["Namespace/default"] },
    ]);
    expect(states).toMatchObject({
      "base/kustomization.yaml": "kustomization",
      "overlays/prod/more.yaml": "kustomize_patch",
      "overlays/prod/image.yaml": "kustomize_patch",
    });
  });

  it("has a warning for each member that changes or makes objects", () => {
    expect(read(files).warnings.filter(([code]) => code === "kustomization_not_applied")).toEqual([
      ["kustomization_not_applied", "base/kustomization.yaml", 2],
      ["kustomization_not_applied", "base/kustomization.yaml", 3],
      ["kustomization_not_applied", "overlays/prod/kustomization.yaml", 3],
      ["kustomization_not_applied", "overlays/prod/kustomization.yaml", 4],
    ]);
  });

  it("has a warning for each resource that the import lacks", () => {
    const { warnings } = read({
      "a/kustomization.yaml":
        "resources:\n  - b.yaml\n  - https://example.com/x.yaml\n  - github.com/a/b//c?ref=v1\n  - ../c\n  - ../d\n",
      "a/b.yaml": object("Service", "b"),
      "c/e/a.yaml": object("Service", "c"),
    });
    expect(warnings.filter(([code]) => code === "kustomize_resource_not_found")).toEqual([
      ["kustomize_resource_not_found", "a/kustomization.yaml", 3],
      ["kustomize_resource_not_found", "a/kustomization.yaml", 4],
      ["kustomize_resource_not_found", "a/kustomization.yaml", 6],
    ]);
  });

  it("joins the folders that a file lists below it, also through others", () => {
    const { modules } = read({
      "kustomization.yaml": "resources: [apps, ./db/a.yaml]\n",
      "apps/kustomization.yaml": "resources: [web]\n",
      "apps/web/a.yaml": object("Service", "web"),
      "db/a.yaml": object("Service", "db"),
      "else/a.yaml": object("Service", "else"),
    });
    expect(modules.map(({ objects }) => objects)).toEqual([
      ["Service/default/web", "Service/default/db"],
      ["Service/default/else"],
    ]);
  });
});

describe("templates", () => {
  it("of other tools are no manifests, though their texts may be", () => {
    const { states } = read({
      "chart/Chart.yaml": "apiVersion: v2\nname: a\n",
      "chart/templates/plain.yaml": object("Namespace", "a"),
      "filled.yaml": object("Service", "a", "spec: { type: '{{ kind }}' }"),
      "unfilled.yaml": "apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ app }}\n",
      "alerts.yaml": object("ConfigMap", "a", 'data:\n  a: |\n    title: {{ template "a" . }}\n'),
    });
    expect(states).toEqual({
      "chart/Chart.yaml": "helm_chart",
      "chart/templates/plain.yaml": "helm_template",
      "filled.yaml": "PARSED",
      "unfilled.yaml": "placeholders",
      "alerts.yaml": "PARSED",
    });
  });
});

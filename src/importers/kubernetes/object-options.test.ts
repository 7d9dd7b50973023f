import { expect, it } from "vitest";
import { ImportLog } from "#importers/import-log.ts";
import { parsedBy } from "#test/support/parsed-by.ts";
import { kubernetesParser } from "./kubernetes.ts";

const options = (metadata: string, more = "") => {
  const text = `apiVersion: v1\nkind: Service\nmetadata:\n  name: a\n${metadata}\n${more}`;
  const { modules } = parsedBy(kubernetesParser, [{ path: "a.yaml", text }], new ImportLog());
  return (modules[0]?.resources[0]?.options ?? []).map(({ kind, name, line }) => [
    kind,
    name,
    line,
  ]);
};

it("a field that the cluster writes is left out with its line, an empty one without", () => {
  expect(
    options(
      "  uid: x\n  creationTimestamp: null\n  managedFields: [{ a: 1 }]",
      "status:\n  loadBalancer: { ingress: [] }\n  conditions: [{ type: a }]\n",
    ),
  ).toEqual([
    ["left out", "status", 8],
    ["left out", "metadata.uid", 5],
    ["left out", "metadata.managedFields", 7],
  ]);
  expect(options("  creationTimestamp: null", "status: { loadBalancer: {} }")).toEqual([]);
});

it.for([
  ["helm.sh/resource-policy: keep", "retainOnDelete"],
  ['argocd.argoproj.io/sync-options: "Replace=true, Prune=false"', "retainOnDelete"],
  ["kustomize.toolkit.fluxcd.io/prune: disabled", "retainOnDelete"],
  ['argocd.argoproj.io/sync-wave: "1"', "left out"],
  ["helm.sh/hook: pre-install", "left out"],
  ["kubectl.kubernetes.io/last-applied-configuration: '{}'", "left out"],
  ["kapp.k14s.io/change-group: a", "left out"],
  ["argocd.argoproj.io/tracking-id: a", undefined],
  ["prometheus.io/scrape: 'true'", undefined],
])("the annotation %s is an option or none", ([annotation, kind]) => {
  const found = options(`  annotations:\n    ${annotation}`);
  const [name] = annotation?.split(": ") ?? [];
  expect(found).toEqual(kind === undefined ? [] : [[kind, `metadata.annotations.${name}`, 6]]);
});

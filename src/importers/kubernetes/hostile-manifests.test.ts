import { expect, it } from "vitest";
import { ImportLog } from "#importers/import-log.ts";
import { parsedBy } from "#test/support/parsed-by.ts";
import { processorTime } from "#test/support/processor-time.ts";
import { kubernetesParser } from "./kubernetes.ts";

/** Processor time. Each of these took several times as much before. */
const MAX_SECONDS = 2;

/** The modules of these files of JSON, and the seconds of a processor that reading them takes. */
function read(files: Readonly<Record<string, unknown>>) {
  const all = Object.entries(files).map(([path, of]) => ({ path, text: JSON.stringify(of) }));
  const spentMs = processorTime();
  const { modules } = parsedBy(kubernetesParser, all, new ImportLog());
  const seconds = spentMs() / 1000;
  return { modules, seconds };
}

const each = <Made>(length: number, of: (at: number) => Made) =>
  Array.from({ length }, (_, at) => of(at));
const list = (items: readonly unknown[]) => ({ apiVersion: "v1", kind: "List", items });

it("objects whose names the cluster makes are counted in a moment", () => {
  const one = { apiVersion: "v1", kind: "Pod", metadata: { generateName: "a-" } };
  const { modules, seconds } = read({ "a.json": list(each(8_000, () => one)) });
  const addresses = modules[0]?.resources.map(({ address }) => address) ?? [];
  expect(addresses.slice(0, 3)).toEqual(["Pod/default/a-", "Pod/default/a-#2", "Pod/default/a-#3"]);
  expect(addresses.at(-1)).toBe("Pod/default/a-#8000");
  expect(seconds).toBeLessThan(MAX_SECONDS);
});

const labels = (length: number) => Object.fromEntries(each(length, (at) => [`l${at}`, "x"]));
const deployment = (at: number, spec: object) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: `d${at}` },
  spec,
});
const service = (at: number, selector: object) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: `s${at}` },
  spec: { selector },
});

it("selectors and pods with many labels are compared up to a limit", () => {
  const all = labels(350);
  const items = each(300, (at) => [
    service(at, { ...all, other: "x" }),
    deployment(at, { template: { metadata: { labels: all } } }),
  ]).flat();
  const { modules, seconds } = read({ "a.json": list(items) });
  expect(modules[0]?.resources).toHaveLength(600);
  expect(seconds).toBeLessThan(MAX_SECONDS);
});

it("a search of circles follows each reference of an object once", () => {
  const volumes = each(20_000, (at) => ({ configMap: { name: `c${at % 50}` } }));
  const template = { metadata: { labels: { a: "x" } }, spec: { volumes } };
  const maps = each(50, (at) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: `c${at}` },
  }));
  const items = [
    deployment(0, { template }),
    ...maps,
    ...each(1_500, (at) => service(at, { a: "x" })),
  ];
  const { modules, seconds } = read({ "a.json": list(items) });
  const waits = modules[0]?.resources.find(({ name }) => name === "s1499")?.dependsOn;
  expect(waits).toMatchObject([{ address: "Deployment/default/d0" }]);
  expect(seconds).toBeLessThan(MAX_SECONDS);
});

it("chains of kustomizations that list many resources are followed up to a limit", () => {
  const folders = each(400, (at) => "a/".repeat(at));
  const resources = ["a", ...each(200, (at) => `r${at}.yaml`)];
  const { modules, seconds } = read(
    Object.fromEntries([
      ...folders.map((folder) => [`${folder}kustomization.yaml`, { resources }] as const),
      ...folders.map((folder, at) => [`${folder}d.json`, deployment(at, {})] as const),
    ]),
  );
  expect(modules.flatMap((one) => one.resources)).toHaveLength(400);
  expect(seconds).toBeLessThan(MAX_SECONDS);
});

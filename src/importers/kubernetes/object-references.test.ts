import { expect, it } from "vitest";
import { ImportLog } from "#importers/import-log.ts";
import { parsedBy } from "#test/support/parsed-by.ts";
import { kubernetesParser } from "./kubernetes.ts";

/** The addresses of the objects that the last object of the text refers to. */
async function named(...objects: readonly string[]): Promise<string[]> {
  const log = new ImportLog();
  const text = objects.join("\n---\n");
  const { modules } = parsedBy(kubernetesParser, [{ path: "a.yaml", text }], log);
  expect(log.warnings()).toEqual([]);
  return (modules[0]?.resources.at(-1)?.dependsOn ?? []).map(({ address }) => address);
}

const object = (kind: string, name: string, namespace?: string, more = ""): string =>
  `apiVersion: v1
kind: ${kind}
metadata: { name: ${name}${namespace === undefined ? "" : `, namespace: ${namespace}`} }
${more}`;
const binding = (more: string, namespace = "shop") => object("RoleBinding", "all", namespace, more);
const accounts = [
  object("ServiceAccount", "robot", "shop"),
  object("ServiceAccount", "robot", "jobs"),
];

it.for<[what: string, binding: string, found: string[]]>([
  [
    "in the binding's namespace",
    binding("subjects: [{ kind: ServiceAccount, name: robot }]"),
    ["ServiceAccount/shop/robot"],
  ],
  [
    "in its own namespace",
    binding("subjects: [{ kind: ServiceAccount, name: robot, namespace: jobs }]"),
    ["ServiceAccount/jobs/robot"],
  ],
  [
    "in both",
    binding(
      "subjects: [{ kind: ServiceAccount, name: robot, namespace: jobs }, { kind: ServiceAccount, name: robot }]",
    ),
    ["ServiceAccount/jobs/robot", "ServiceAccount/shop/robot"],
  ],
  ["in neither", binding("subjects: [{ kind: ServiceAccount, name: robot, namespace: else }]"), []],
  ["without its kind", binding("subjects: [{ name: robot }]"), []],
  [
    "alone",
    binding("roleRef: { kind: ServiceAccount, name: robot }"),
    ["ServiceAccount/shop/robot"],
  ],
])("a subject is found %s", async ([, one, found]) => {
  expect(await named(...accounts, one)).toEqual(found);
});

it("an object refers neither to itself nor to another twice", async () => {
  const pod = object(
    "Pod",
    "web",
    "shop",
    `spec:
  imagePullSecrets: [{ name: pull }, { name: pull }, { other: pull }]
  volumes: [{ secret: { secretName: data } }, { secret: { name: more } }]
metadata2: { ownerReferences: [{ kind: Pod, name: web }] }`,
  );
  const secrets = ["pull", "data", "more", "unused"].map((name) => object("Secret", name, "shop"));
  expect((await named(...secrets, pod)).toSorted()).toEqual([
    "Secret/shop/data",
    "Secret/shop/more",
    "Secret/shop/pull",
  ]);
});

it("an object of another namespace is another", async () => {
  const pod = object("Pod", "web", "shop", "spec: { serviceAccountName: robot }");
  expect(await named(accounts[1] ?? "", pod)).toEqual([]);
  expect(await named(accounts[0] ?? "", pod)).toEqual(["ServiceAccount/shop/robot"]);
});

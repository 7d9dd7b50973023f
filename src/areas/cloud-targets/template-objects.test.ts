import { expect, it } from "vitest";
import { readSource } from "#engine/template/describe.ts";
import { templateObjects } from "./template-objects.ts";

/** As they are stored. */
function stored(...sources: readonly string[]) {
  return sources.map((source) => {
    const resources = Object.values(readSource(source).template?.resources ?? {});
    return { source, resources: JSON.stringify(resources.map(({ type }) => ({ type }))) };
  });
}

const template = (resources: string): string => `name: t\nruntime: yaml\nresources:\n${resources}`;

it("counts what the template surely makes", () => {
  const source = template(`  a: { type: gcp:compute/Network }
  b: { type: gcp:compute/Network, properties: { name: b } }
  read: { type: gcp:compute/Network, get: { id: default } }
  taken: { type: gcp:compute/Network, options: { import: projects/p/global/networks/old } }
  maybe: { type: gcp:compute/Network, when: "\${on}" }
  many: { type: gcp:compute/Subnetwork, forEach: "\${names}" }
`);
  expect([...templateObjects(stored(source), "europe-west1")]).toEqual([
    ["gcp:compute/Network", 2],
    ["gcp:compute/Subnetwork", 0],
  ]);
});

it("counts what is in the region", () => {
  const source =
    template(`  here: { type: azure:Microsoft.App/jobs@2025-07-01, properties: { location: westeurope } }
  there: { type: azure:Microsoft.App/jobs, properties: { location: northeurope } }
  somewhere: { type: azure:Microsoft.App/jobs, properties: { location: "\${place}" } }
  zonal: { type: gcp:compute/Instance, properties: { zone: westeurope-b } }
  other: { type: gcp:compute/Instance, properties: { zone: westeurope2-b } }
`);
  expect([...templateObjects(stored(source), "westeurope")]).toEqual([
    ["azure:Microsoft.App/jobs", 1],
    ["gcp:compute/Instance", 1],
  ]);
});

it("counts those of components, unless one is used in a condition or a loop", () => {
  const component = "name: net\nruntime: yaml\nresources:\n  net: { type: gcp:compute/Network }\n";
  const using = (more: string): string =>
    template(`  net: { component: net, version: ^1.0${more} }
  own: { type: gcp:compute/Network }
`);
  const count = (more: string) =>
    templateObjects(stored(using(more), component), "europe-west1").get("gcp:compute/Network");
  expect(count("")).toBe(2);
  expect(count(', when: "${on}"')).toBe(1);
  expect(count(', forEach: "${names}"')).toBe(1);
});

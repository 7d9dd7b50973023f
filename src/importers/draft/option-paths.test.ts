import { expect, it } from "vitest";
import type { MappingTable } from "#importers/mappings/type-mapping.ts";
import type { ValueShape } from "#providers/provider.ts";
import { draftOfTable, knownType } from "#test/support/draft-of-table.ts";
import { drafted } from "#test/support/drafted.ts";

const text: ValueShape = { type: "string" };
const labels: ValueShape = { type: "object", items: text };
const disk: ValueShape = {
  type: "object",
  object: { properties: { sizeGb: { type: "integer" }, labels } },
};
const types = {
  "google:fake": knownType({
    properties: {
      name: text,
      labels,
      disks: { type: "array", items: disk },
      bootDisk: disk,
      settings: { type: "object", object: { properties: { disk } } },
      pairs: {
        type: "array",
        items: { type: "object", object: { properties: { Key: text, Value: text } } },
      },
      policy: { type: "object" },
      zoneName: text,
    },
  }),
};
const table: MappingTable = {
  provider: "fake",
  naming: "camel",
  types: {
    fake_box: {
      type: "google:fake",
      properties: {
        tags: { to: "pairs", as: "pairs" },
        volume: { to: "disks", members: { size: "sizeGb" } },
        scratch: { to: "disks", many: true, members: { size: "sizeGb" } },
        own_disk: { to: "settings.disk", members: { size: "sizeGb" } },
        lifted: { to: "", members: { zone: "zoneName" } },
        policy: { to: "policy", as: "parsed" },
        nothing: false,
        dropped: null,
      },
    },
  },
};

const optionsOf = async (path: string) => {
  const { resources, draft } = await draftOfTable(
    table,
    types,
    `resource "fake_box" "b" {\n  name = "b"\n  lifecycle { ignore_changes = [${path}] }\n}\n`,
  );
  const [reason] = draft.unsupported.map((one) => one.reason);
  return resources["boxB"]?.options?.["ignoreChanges"] ?? reason;
};

it.each([
  ["labels", ["labels"]],
  ['labels["a"]', ["labels.a"]],
  ['labels["team_name"]', ["labels.team_name"]],
  ['labels["a.b/c-d"]', ['labels["a.b/c-d"]']],
  ["labels.team_name", ["labels.team_name"]],
  ['"labels.team_name"', ["labels.team_name"]],
  ["volume[1].size", ["disks[1].sizeGb"]],
  ['volume[0].labels["x_y"]', ["disks[0].labels.x_y"]],
  ["volume[2]", ["disks[2]"]],
  ["scratch[0].size", ["disks[0].sizeGb"]],
  ["scratch.size", ["disks[0].sizeGb"]],
  ["boot_disk[0].size_gb", ["bootDisk.sizeGb"]],
  ["boot_disk.0.size_gb", ["bootDisk.sizeGb"]],
  ["own_disk[0].size", ["settings.disk.sizeGb"]],
  ["own_disk", ["settings.disk"]],
  ["lifted[0].zone", ["zoneName"]],
])("ignores %s as %j", async (path, expected) => {
  expect(await optionsOf(path)).toEqual(expected);
});

it.each([
  ["tags", ["pairs"]],
  [
    'tags["a"]',
    "Our type has a list of keys and values in place of the map, and a path cannot name a key in it: tags.a.",
  ],
  ["policy.Statement", "Our type has another form for policy.Statement."],
  ["nothing, dropped, other", "Our type has no property for nothing, dropped, other."],
  ["lifted", "Our type has no property for lifted."],
  ["boot_disk[1].size_gb", "Our type has no property for boot_disk[1].size_gb."],
])("says why it cannot ignore %s", async (path, expected) => {
  expect(await optionsOf(path)).toEqual(expected);
});

it.each([
  ["boot_disk[0].initialize_params[0].image", "disks[0].initializeParams.sourceImage"],
  ["boot_disk.0.initialize_params.0.image", "disks[0].initializeParams.sourceImage"],
  ["network_interface[1].access_config[0].nat_ip", "networkInterfaces[1].accessConfigs[0].natIP"],
  ["network_interface[0]", "networkInterfaces[0]"],
  ['labels["a"]', "labels.a"],
])("ignores %s of a type that tells the names of its properties alone", async (path, expected) => {
  const { resources } = await drafted({
    "main.tf": `resource "google_compute_instance" "b" {\n  lifecycle { ignore_changes = [${path}] }\n}\n`,
  });
  expect(Object.values(resources)).toMatchObject([{ options: { ignoreChanges: [expected] } }]);
});

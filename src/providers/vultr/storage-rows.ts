import { fields, flag, text, whole } from "#providers/rest/fields.ts";
import type { RestRows } from "#providers/rest/rest-types.ts";
import { attachedBy, envelope, inRegion, paged, since } from "./row-parts.ts";

export function storageRows(): RestRows {
  return {
    Block: {
      description: "A block storage volume.",
      ...paged("/v2/blocks"),
      ...envelope("block"),
      ...inRegion,
      refers: { attached_to_instance: "Instance" },
      takes: fields(
        {
          region: text("The region's id."),
          size_gb: whole("The size in GB. It can grow, not shrink."),
          label: text("What it is called."),
          block_type: text("The kind of its disks.", "high_perf", "storage_opt"),
          attached_to_instance: text("The id of the instance that it is attached to."),
        },
        ["size_gb"],
      ),
      name: { property: "label" },
      update: "PATCH",
      fallback: { label: "" },
      createOnly: ["region", "block_type"],
      writeOnly: ["block_type"],
      // Without a restart of the instance.
      ...attachedBy("attached_to_instance", "/v2/blocks", { live: true }),
      state: { path: "status", ready: ["active"] },
      ...since("label", "region", "size_gb"),
    },

    ObjectStorage: {
      description: "An object storage with keys of its own.",
      ...paged("/v2/object-storage"),
      ...envelope("object_storage"),
      region: {
        // Only Vultr knows the region of the cluster's number, so only a target for every region takes it.
        property: "region",
      },
      takes: fields(
        {
          cluster_id: whole("The id of the cluster, which says the region."),
          tier_id: whole("The id of the tier."),
          label: text("What it is called."),
        },
        ["cluster_id"],
      ),
      readOnly: ["region"],
      name: { property: "label" },
      update: "PUT",
      fallback: { label: "" },
      createOnly: ["cluster_id", "tier_id"],
      writeOnly: ["tier_id"],
      secretOutputs: ["s3_access_key", "s3_secret_key"],
      state: { path: "status", ready: ["active"] },
      ...since("label", "cluster_id"),
      timing: { createMinutes: 20 },
    },

    Registry: {
      description: "A container registry.",
      path: "/v2/registry",
      paths: { list: "/v2/registries?per_page=500" },
      envelope: { list: "registries" },
      ...inRegion,
      takes: fields(
        {
          name: text("The name, of small letters and digits, unique at Vultr."),
          region: text("The region's id."),
          plan: text("The plan's name: start_up, business, premium or enterprise."),
          public: flag("Whether anybody may pull from it."),
        },
        ["plan"],
      ),
      name: {
        property: "name",
        rule: { maxLength: 30, alphabet: "alphanumeric", letterFirst: true },
        unique: true,
      },
      update: "PUT",
      fallback: { public: false },
      createOnly: ["name", "region"],
      writeOnly: ["region", "plan"],
      secretOutputs: ["root_user.password"],
      ...since("name"),
    },
  };
}

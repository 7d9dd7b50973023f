import { aMap, field, fields, flag, text, texts, whole } from "#providers/rest/fields.ts";
import { type VultrRows, envelope, inRegion, paged, since } from "./row-parts.ts";

export function computeRows(): VultrRows {
  /** The settings of a machine's start, which both kinds have. */
  const start = {
    region: text("The region's id."),
    os_id: whole("The id of the operating system."),
    app_id: whole("The id of the one-click application."),
    image_id: text("The id of the marketplace application."),
    snapshot_id: text("The id of the snapshot that it is made from."),
    script_id: text("The id of the startup script of the first boot."),
    ipxe_chain_url: text("Where the iPXE script of the first boot is."),
    sshkey_id: texts("The ids of the SSH keys of the first user."),
    user_data: text("The cloud-init configuration or script of the first boot, as base64."),
    user_scheme: text("Who the first user is.", "root", "limited"),
    app_variables: field("Values for the application.", aMap),
    label: text("What it is called."),
    hostname: text("The host name of the first boot."),
    activation_email: flag("Whether a mail says that it is up."),
    reserved_ipv4: text("The id of the reserved IP that is its address."),
    tags: texts("Tags."),
  };

  /** Sent and never shown. A change takes effect with a new machine. */
  const unshownStart = [
    "snapshot_id",
    "script_id",
    "ipxe_chain_url",
    "sshkey_id",
    "user_data",
    "user_scheme",
    "app_variables",
    "reserved_ipv4",
  ];
  /** To change it in place would reinstall the machine, without a word in the plan. */
  const shownStart = ["region", "os_id", "app_id", "image_id"];
  const onlyAtCreate = { activation_email: "The mail is sent once." };

  const startRefers = {
    snapshot_id: "any",
    script_id: "StartupScript",
    "sshkey_id[*]": "SshKey",
    reserved_ipv4: "ReservedIp",
  };

  /** Marked: both kinds have tags. */
  const marked = {
    find: { by: "tag", property: "tags" },
    compare: { sets: ["tags", "sshkey_id", "attach_vpc"] },
  } as const;

  const vpcs = (each: "added" | "removed", verb: string) =>
    ({
      properties: ["attach_vpc"],
      each,
      method: "POST",
      path: `/v2/instances/{id}/vpcs/${verb}`,
      body: { vpc_id: "{item}" },
    }) as const;

  const feature = (property: string, when: boolean, item: string) =>
    ({
      properties: [property],
      when,
      shownIn: { list: "features", item },
      method: "PATCH",
      path: "/v2/instances/{id}",
      body: { [property]: when },
    }) as const;

  return {
    Instance: {
      description: "A virtual machine.",
      ...paged("/v2/instances"),
      ...envelope("instance"),
      ...inRegion,
      refers: {
        ...startRefers,
        iso_id: "any",
        "attach_vpc[*]": "Vpc",
        enable_vpc: "any",
        firewall_group_id: "Firewall",
      },
      takes: fields(
        {
          ...start,
          plan: text("The plan's id. A change to a larger one upgrades the instance."),
          iso_id: text("The id of the ISO image of the first boot."),
          enable_ipv6: flag("Whether it has an IPv6 address."),
          disable_public_ipv4: flag("Whether it has no public IPv4 address."),
          attach_vpc: texts("The ids of its VPCs."),
          enable_vpc: flag("Whether it joins the region's VPC. Prefer `attach_vpc`."),
          vpc_only: flag("Whether it has no public address at all, but is in a VPC."),
          backups: text("Whether backups are made.", "enabled", "disabled"),
          ddos_protection: flag("Whether it is protected from floods of requests."),
          firewall_group_id: text("The id of its firewall group."),
        },
        ["plan"],
      ),
      name: { property: "label" },
      update: "PATCH",
      fallback: { label: "", tags: [], firewall_group_id: "", backups: "disabled" },
      parts: [
        feature("enable_ipv6", true, "ipv6"),
        feature("ddos_protection", true, "ddos_protection"),
        feature("ddos_protection", false, "ddos_protection"),
        vpcs("removed", "detach"),
        vpcs("added", "attach"),
      ],
      createOnly: [
        ...shownStart,
        ...unshownStart,
        "hostname",
        "iso_id",
        "disable_public_ipv4",
        "enable_vpc",
        "vpc_only",
      ],
      onlyAtCreate,
      facts: { oneWay: ["enable_ipv6"], shownOnce: ["default_password"] },
      writeOnly: [
        ...unshownStart,
        "activation_email",
        "iso_id",
        "disable_public_ipv4",
        "attach_vpc",
        "enable_vpc",
        "vpc_only",
        "enable_ipv6",
        "ddos_protection",
        "backups",
      ],
      ...marked,
      // The address of the console contains its key.
      secretOutputs: ["default_password", "kvm"],
      state: {
        path: "status",
        ready: ["active"],
        fail: ["suspended"],
      },
      waits: [
        { server_status: "installingbooting" },
        { server_status: "locked" },
        { server_status: "none", power_status: "running" },
      ],
      timing: { pollMs: 5_000, createMinutes: 20, updateMinutes: 30, deleteMinutes: 15 },
    },

    BareMetal: {
      description: "A physical machine.",
      ...paged("/v2/bare-metals"),
      ...envelope("bare_metal"),
      ...inRegion,
      refers: startRefers,
      takes: fields(
        {
          ...start,
          plan: text("The plan's id."),
          enable_ipv6: flag("Whether it has an IPv6 address."),
          persistent_pxe: flag("Whether it boots by iPXE each time."),
        },
        ["plan"],
      ),
      name: { property: "label" },
      update: "PATCH",
      fallback: { label: "", tags: [] },
      createOnly: [
        ...shownStart,
        ...unshownStart,
        "plan",
        "hostname",
        "enable_ipv6",
        "persistent_pxe",
      ],
      onlyAtCreate,
      writeOnly: [...unshownStart, "activation_email", "hostname", "enable_ipv6", "persistent_pxe"],
      ...marked,
      secretOutputs: ["default_password"],
      facts: { shownOnce: ["default_password"] },
      state: { path: "status", ready: ["active"], fail: ["suspended"] },
      timing: { pollMs: 10_000, createMinutes: 60, updateMinutes: 60, deleteMinutes: 30 },
    },

    Snapshot: {
      description: "A snapshot of an instance, which outlives it.",
      ...paged("/v2/snapshots"),
      ...envelope("snapshot"),
      refers: { instance_id: "Instance" },
      takes: fields(
        {
          instance_id: text("The id of the instance."),
          description: text("What it is called."),
        },
        ["instance_id"],
      ),
      outputs: ["id", "date_created", "size", "status", "os_id", "app_id"],
      name: { property: "description" },
      update: "PUT",
      createOnly: ["instance_id"],
      writeOnly: ["instance_id"],
      state: { path: "status", ready: ["complete"], gone: ["deleted"] },
      ...since("description"),
      timing: { pollMs: 10_000, createMinutes: 90 },
    },

    SshKey: {
      description: "A public SSH key of the account.",
      ...paged("/v2/ssh-keys"),
      ...envelope("ssh_key"),
      takes: fields(
        { name: text("A name."), ssh_key: text("The public key, as in `authorized_keys`.") },
        ["ssh_key"],
      ),
      outputs: ["id", "date_created"],
      name: { property: "name" },
      update: "PATCH",
      ...since("name", "ssh_key"),
    },

    StartupScript: {
      description: "A script that instances run when they start.",
      ...paged("/v2/startup-scripts"),
      ...envelope("startup_script"),
      takes: fields(
        {
          name: text("The name."),
          type: text("When it runs.", "boot", "pxe"),
          script: text("The script, as base64."),
        },
        ["script"],
      ),
      outputs: ["id", "date_created", "date_modified"],
      name: { property: "name" },
      update: "PATCH",
      immutable: ["type"],
      // Lists leave the script out.
      ...since("name"),
    },
  };
}

/** CoreWeave's own API: networks, clusters, keys of the object storage. */
import {
  aFlag,
  aMap,
  aNumber,
  aText,
  field,
  fields,
  flag,
  group,
  listOf,
  oneOf,
  someTexts,
  text,
  texts,
  whole,
} from "#providers/rest/fields.ts";
import type { RestRows } from "#providers/rest/rest-types.ts";

/** Every answer wraps its object, and lists are `items`. */
function envelope(one: string) {
  return { envelope: { create: one, read: one, update: one, list: "items" } } as const;
}

const placed = {
  region: { property: "zone" },
  defaults: { zone: { region: true } },
  name: { property: "name", rule: { maxLength: 30, letterFirst: true }, unique: true },
  timing: { pollMs: 15_000 },
} as const;

export function managementRows(): RestRows {
  const hook = group({ server: aText, ca: aText }, ["server"]);
  return {
    Vpc: {
      description: "A network of its own in a zone (preview).",
      path: "/v1beta1/networking/vpcs",
      ...envelope("vpc"),
      ...placed,
      update: "PUT",
      takes: fields(
        {
          name: text("The name, unique in the organization."),
          zone: text("The zone, such as `US-EAST-04A`."),
          vpcPrefixes: field(
            "Named ranges, for pods and services.",
            listOf(group({ name: aText, value: aText }, ["name", "value"])),
          ),
          hostPrefix: text("The range of the nodes' addresses."),
          hostPrefixes: field(
            "Ranges of the nodes' addresses.",
            listOf(
              group(
                {
                  name: aText,
                  type: oneOf("PRIMARY", "ROUTED", "ATTACHED"),
                  prefixes: someTexts,
                  ipam: group({ prefixLength: aNumber, gatewayAddressPolicy: aText }),
                },
                ["name", "type", "prefixes"],
              ),
            ),
          ),
          ingress: field("What comes in.", group({ disablePublicServices: aFlag })),
          egress: field("What goes out.", group({ disablePublicAccess: aFlag })),
          dhcp: field("What nodes are told.", group({ dns: group({ servers: someTexts }) })),
        },
        ["zone"],
      ),
      createOnly: ["name", "zone", "hostPrefix", "hostPrefixes"],
      fallback: { vpcPrefixes: [] },
      compare: { sets: ["vpcPrefixes", "hostPrefixes"] },
      state: { path: "status", ready: ["STATUS_READY"], fail: ["STATUS_FAILED"] },
      find: { by: "properties", properties: ["name", "zone"], createdAt: "createdAt" },
    },

    Cluster: {
      description: "A Kubernetes cluster (preview).",
      path: "/v1beta1/cks/clusters",
      ...envelope("cluster"),
      ...placed,
      update: "PUT",
      refers: { vpcId: "Vpc", sharedStorageClusterId: "Cluster" },
      takes: fields(
        {
          name: text("The name, unique in the organization."),
          zone: text("The zone of its network."),
          vpcId: text("The id of its network."),
          version: text("The version of Kubernetes, such as `v1.35`."),
          public: flag("Whether its API can be reached from the Internet."),
          network: field(
            "Names of ranges of its network.",
            group(
              {
                podCidrName: aText,
                serviceCidrName: aText,
                internalLbCidrNames: someTexts,
                serviceNodePortRange: group({ start: aNumber, end: aNumber }),
              },
              ["podCidrName", "serviceCidrName", "internalLbCidrNames"],
            ),
          ),
          oidc: field(
            "Who signs in by OpenID Connect.",
            group(
              {
                issuerUrl: aText,
                clientId: aText,
                usernameClaim: aText,
                usernamePrefix: aText,
                groupsClaim: aText,
                groupsPrefix: aText,
                ca: aText,
                requiredClaim: aText,
                adminGroupBinding: aText,
                signingAlgorithms: someTexts,
              },
              ["issuerUrl", "clientId"],
            ),
          ),
          authnWebhook: field("Who is asked who somebody is.", hook),
          authzWebhook: field("Who is asked what somebody may.", hook),
          auditPolicy: text("The audit policy, in base64."),
          kubelet: field("Settings of the nodes' kubelets.", aMap),
          additionalServerSans: texts("Further names of its API."),
          sharedStorageClusterId: text("The id of the cluster whose storage it shares."),
        },
        ["zone", "vpcId", "version", "network"],
      ),
      createOnly: ["name", "zone", "vpcId", "sharedStorageClusterId"],
      immutable: ["network.podCidrName", "network.serviceCidrName"],
      writeOnly: ["auditPolicy", "kubelet"],
      state: {
        path: "status",
        ready: ["STATUS_RUNNING"],
        fail: ["STATUS_FAILED"],
        mendable: true,
        gone: ["STATUS_DELETED"],
      },
      find: { by: "properties", properties: ["name", "zone"], createdAt: "createdAt" },
      timing: { pollMs: 15_000, createMinutes: 60, updateMinutes: 60, deleteMinutes: 60 },
    },

    ObjectStorageKey: {
      description: "An access key of the object storage (preview). Its secret is shown once.",
      path: "/v1/cwobject/access-key",
      id: { at: "accessKeyId" },
      envelope: { read: "info", list: "info" },
      paths: { delete: "/v1/cwobject/revoke-access-key/access-key" },
      delete: { method: "POST", body: { accessKey: "{id}" } },
      takes: fields(
        {
          durationSeconds: whole("How long it is valid; 0 for ever."),
          attributes: field("What it is called: `name`.", aMap),
        },
        ["durationSeconds"],
      ),
      // A later answer lacks the secret key: a changed key is a new one.
      update: "none",
      writeOnly: ["durationSeconds", "attributes"],
      secretOutputs: ["secretKey"],
      state: { path: "status", gone: ["ACCESS_KEY_STATUS_DELETED"] },
    },
  };
}

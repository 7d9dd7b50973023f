import {
  aMap,
  aNumber,
  aText,
  field,
  fields,
  group,
  text,
  texts,
  whole,
} from "#providers/rest/fields.ts";
import type { VercelRows } from "./vercel-type.ts";

export function teamRows(): VercelRows {
  const config = text("The id of its edge config.");
  const records = "/v2/domains/{domain}/records";
  return {
    EdgeConfig: {
      description: "Values that functions read at once everywhere.",
      path: "/v1/edge-config",
      takes: fields({
        slug: text("The name."),
        items: field("The values that it is made with.", aMap),
      }),
      name: { property: "slug", rule: { maxLength: 64 } },
      update: "PUT",
      onlyAtCreate: {
        items: "Values change while the application runs: change them in the edge config itself.",
      },
      writeOnly: ["items"],
      find: { by: "properties", properties: ["slug"], createdAt: "createdAt" },
    },

    EdgeConfigToken: {
      description: "A token that reads an edge config.",
      path: "/v1/edge-config/{edgeConfigId}/token",
      paths: {
        list: "/v1/edge-config/{edgeConfigId}/tokens",
        delete: "/v1/edge-config/{edgeConfigId}/tokens",
      },
      read: {
        // Its own path has the token in it, which no id may be.
        fromList: true,
        back: true,
      },
      deletesTokens: true,
      id: { within: "{edgeConfigId}" },
      refers: { edgeConfigId: "EdgeConfig" },
      takes: fields({ edgeConfigId: config, label: text("What it is for.") }, ["edgeConfigId"]),
      outputs: ["id", "token", "createdAt"],
      name: { property: "label", rule: { maxLength: 52 } },
      update: "none",
      secretOutputs: ["token"],
      find: { by: "properties", properties: ["label"], createdAt: "createdAt" },
    },

    DnsRecord: {
      description: "A DNS record of a domain whose name servers are Vercel's.",
      path: records,
      paths: { list: "/v4/domains/{domain}/records?limit=100", update: "/v1/domains/records/{id}" },
      envelope: { list: "records" },
      paging: { by: "cursor", at: "pagination.next", query: "until" },
      read: {
        fromList: true,
        // The answers to changes show little, and one of them by other names.
        back: true,
      },
      id: { within: "{domain}" },
      // People buy or bring domains: there is no type for them.
      refers: { domain: "any" },
      takes: fields(
        {
          domain: text("The domain."),
          name: text("The name in the domain; empty for the domain itself."),
          type: text(
            "The type.",
            "A",
            "AAAA",
            "ALIAS",
            "CAA",
            "CNAME",
            "HTTPS",
            "MX",
            "SRV",
            "TXT",
            "NS",
          ),
          value: text("The value."),
          ttl: whole("The seconds that it is remembered, at least 60."),
          mxPriority: whole("The priority (MX)."),
          srv: field(
            "The service (SRV).",
            group({ priority: aNumber, weight: aNumber, port: aNumber, target: aText }, [
              "priority",
              "weight",
              "port",
              "target",
            ]),
          ),
          https: field(
            "The service (HTTPS).",
            group({ priority: aNumber, target: aText, params: aText }, ["priority", "target"]),
          ),
          comment: text("What it is for."),
        },
        ["domain", "name", "type"],
      ),
      createOnly: ["type"],
      update: "PATCH",
      parts: [
        {
          properties: ["comment"],
          method: "PATCH",
          path: "/v1/domains/records/{id}",
          absent: { comment: "" },
        },
      ],
      // They are shown as a text, as the value.
      writeOnly: ["srv", "https"],
      deleteFirst: true,
      find: {
        by: "properties",
        properties: ["name", "type", "value"],
        createdAt: "createdAt",
      },
    },

    Webhook: {
      description: "A URL that is told of events. The secret that signs them is shown once.",
      path: "/v1/webhooks",
      refers: { "projectIds[*]": "Project" },
      takes: fields(
        {
          url: text("The URL."),
          events: texts("The events."),
          projectIds: texts("The ids of the projects whose events it is told; none: all."),
        },
        ["url", "events"],
      ),
      outputs: ["id", "secret", "ownerId", "createdAt", "updatedAt"],
      // Later answers lack the secret: a changed webhook is a new one, and a lost one is not looked for.
      update: "none",
      secretOutputs: ["secret"],
      compare: { sets: ["events", "projectIds"] },
    },

    Certificate: {
      description: "A certificate that Vercel obtains and renews.",
      path: "/v8/certs",
      takes: fields({ cns: texts("The domains.") }, ["cns"]),
      outputs: ["id", "createdAt", "expiresAt", "autoRenew"],
      compare: { sets: ["cns"] },
      update: "none",
    },
  };
}

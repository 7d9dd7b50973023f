import {
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
import type { VercelRows } from "./vercel-type.ts";

export function teamRows(): VercelRows {
  const config = text("The id of its edge config.");
  const environments = listOf(oneOf("production", "preview", "development"));
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

    /** (Vercel's reference of `/v1/env` and `/v1/drains`, and the source of its provider for Terraform.) */
    SharedEnvVar: {
      description:
        "An environment variable of the team, for several projects. It counts from the next deployment on.",
      path: "/v1/env",
      paths: { update: "/v1/env", delete: "/v1/env" },
      envelope: { create: "created.0", update: "updated.0", list: "data" },
      refused: "failed.0",
      inLists: true,
      paging: { by: "cursor", at: "pagination.next", query: "until" },
      refers: { "projectId[*]": "Project" },
      takes: fields(
        {
          key: text("The name."),
          value: text("The value."),
          type: text("Who can read the value.", "encrypted", "sensitive"),
          target: field("The environments that have it.", environments),
          projectId: texts("The ids of the projects that have it."),
          applyToAllCustomEnvironments: flag("Whether custom environments have it, too."),
          comment: text("What it is for."),
        },
        ["key", "value", "type"],
      ),
      createOnly: ["key", "type"],
      update: "PATCH",
      fallback: { target: [], projectId: [], applyToAllCustomEnvironments: false, comment: "" },
      // As the variables of a project.
      writeOnly: ["value"],
      secretOutputs: ["value"],
      compare: { sets: ["target", "projectId"] },
      read: { back: true },
      deleteFirst: true,
      delete: { body: { ids: ["{id}"] } },
      find: { by: "properties", properties: ["key", "target"], createdAt: "createdAt" },
    },

    Drain: {
      description: "A stream of logs, traces or analytics to a URL.",
      path: "/v1/drains",
      envelope: { list: "drains" },
      refers: { "projectIds[*]": "Project" },
      takes: fields(
        {
          name: text("The name."),
          projects: text("Whose data it sends.", "some", "all"),
          projectIds: texts("The ids of the projects, with `projects: some`."),
          filter: field(
            "Which data it sends.",
            group(
              {
                version: oneOf("v2"),
                filter: group(
                  {
                    type: oneOf("basic", "odata"),
                    log: group({ sources: someTexts }),
                    deployment: group({ environments: someTexts }),
                    text: aText,
                  },
                  ["type"],
                ),
              },
              ["version", "filter"],
            ),
          ),
          schemas: field("The kinds of data: `{ log: { version: v1 } }`.", aMap),
          delivery: field(
            "Where it sends them.",
            group(
              {
                type: oneOf("http", "otlphttp", "syslog", "clickhouse"),
                endpoint: {},
                encoding: oneOf("json", "ndjson", "proto"),
                compression: oneOf("gzip", "none"),
                headers: aMap,
                secret: aText,
                table: aText,
              },
              ["type", "endpoint"],
            ),
          ),
          sampling: field(
            "Which part it sends.",
            listOf(
              group(
                {
                  type: oneOf("head_sampling"),
                  rate: { type: "number" },
                  env: oneOf("production", "preview"),
                  requestPath: aText,
                },
                ["type", "rate"],
              ),
            ),
          ),
        },
        ["name", "projects", "schemas", "delivery"],
      ),
      // A drain has no data of its own.
      update: "none",
      fixed: { source: { kind: "self-served" } },
      compare: {
        at: { filter: "filterV2" },
        sets: ["projectIds", "filter.filter.log.sources", "filter.filter.deployment.environments"],
      },
      writeOnly: ["projects", "schemas", "delivery.headers", "delivery.secret"],
      secretOutputs: ["delivery.headers", "delivery.secret"],
      find: { by: "properties", properties: ["name"], createdAt: "createdAt" },
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

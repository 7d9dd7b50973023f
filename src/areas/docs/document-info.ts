import type { DocumentInfo } from "#http/openapi/openapi.ts";
import { eventPayloads } from "./event-payloads.ts";

/** The texts about the document and about each tag. */
export const documentInfo: Omit<DocumentInfo, "version"> = {
  title: "Control API",
  description:
    "The control plane for cloud deployments. Register cloud targets, write templates, make instances of them, deploy; every change arrives as a signed webhook. Errors are RFC 9457 problem details whose `code` is stable. Every change takes an `Idempotency-Key`. A `traceparent` is carried to what a request brings about.",
  tags: {
    Authentication: "API keys and sign-in.",
    "Cloud targets": "One account or region set at one provider, with a reference to credentials.",
    Templates: "Named programs with immutable versions.",
    Instances: "A template version with variables on a target.",
    Deployments: "Runs that move an instance to its desired state.",
    Tenants: "Isolated customers.",
    Marketplace: "Templates that are offered to every tenant, once they are reviewed.",
    Incidents: "What is going wrong, and what is done about it.",
    Webhooks: "Where events are sent.",
    License: "What this installation may do.",
    Settings: "Feature flags, and their evaluation by the OpenFeature Remote Evaluation Protocol.",
    Profiles: "Named sets of variables that instances inherit.",
    Imports: "What existing infrastructure code says, read without touching anything.",
    Audit: "Every change, chained by hash.",
    Operations: "Status, health, open deployments, metrics and this document.",
  },
  events: eventPayloads,
};

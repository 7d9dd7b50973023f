import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { pageOf, pageQuery } from "#http/page.ts";
import { IdParams, TenantIdField, Timestamp } from "#http/schemas.ts";
import { incidentStatuses, impacts } from "#schema/incidents.ts";

const tag = "Incidents";

/** How many updates an incident shows. */
export const SHOWN_UPDATES = 100;

const Message = z.string().min(1).max(5000);
const Components = z.array(z.string().min(1).max(100)).max(50);

export const CreateIncidentBody = z.object({
  title: z.string().min(1).max(200),
  message: Message,
  status: z.enum(incidentStatuses).default("INVESTIGATING"),
  impact: z.enum(impacts).default("UNKNOWN").describe("A resolved incident's is OPERATIONAL."),
  components: Components.default([]).describe("What is affected, in the reader's words."),
  tenantId: TenantIdField,
});

export const AddIncidentUpdateBody = z.object({
  status: z.enum(incidentStatuses),
  message: Message,
  impact: z
    .enum(impacts)
    .optional()
    .describe("Default: as it was. RESOLVED sets OPERATIONAL, whatever is given."),
});

export const IncidentUpdateView = z.object({
  id: z.uuid(),
  tenantId: z.uuid().nullable(),
  incidentId: z.uuid(),
  status: z.enum(incidentStatuses),
  message: z.string(),
  impact: z.enum(impacts).describe("In force from this update on."),
  createdAt: Timestamp,
});

export const IncidentView = z.object({
  id: z.uuid(),
  tenantId: z.uuid().nullable().describe("Null: the platform's, which every tenant sees."),
  title: z.string(),
  status: z.enum(incidentStatuses),
  impact: z.enum(impacts),
  components: z.array(z.string()),
  message: z.string().describe("The last update's."),
  resolvedAt: Timestamp.nullable().describe("Null: it is open."),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

export const IncidentWithUpdates = IncidentView.extend({
  updates: z.array(IncidentUpdateView).describe(`Newest first, the last ${SHOWN_UPDATES}.`),
});

const reader = { role: "CustomerViewer", scope: "incidents:read" } as const;
const writer = { role: "CustomerAdmin", scope: "incidents:write" } as const;

export const createIncidentEndpoint = endpoint({
  method: "POST",
  path: "/incidents",
  operationId: "createIncident",
  tag,
  summary: "Open an incident",
  description:
    "An operator who names no tenant opens a platform incident, which every tenant sees. The message becomes the first update.",
  access: writer,
  body: CreateIncidentBody,
  exampleBody: {
    title: "Slow deployments",
    message: "Deployments to eu-1 take longer than usual.",
    impact: "DEGRADED",
    components: ["deployments"],
  },
  answer: { status: 201, description: "The incident.", schema: IncidentWithUpdates },
  location: "/incidents/{id}",
  etag: true,
  problems: ["not_found"],
});

export const listIncidentsEndpoint = endpoint({
  method: "GET",
  path: "/incidents",
  operationId: "listIncidents",
  tag,
  summary: "List incidents",
  description: "The caller's own and the platform's.",
  access: reader,
  query: z.object({
    ...pageQuery,
    status: z.enum(incidentStatuses).optional(),
    tenantId: TenantIdField,
  }),
  answer: { status: 200, description: "Newest first.", schema: pageOf(IncidentView) },
  problems: ["invalid_cursor"],
});

export const getIncidentEndpoint = endpoint({
  method: "GET",
  path: "/incidents/{id}",
  operationId: "getIncident",
  tag,
  summary: "Read an incident",
  access: reader,
  params: IdParams,
  answer: {
    status: 200,
    description: "The incident, with its updates.",
    schema: IncidentWithUpdates,
  },
  etag: true,
});

export const addIncidentUpdateEndpoint = endpoint({
  method: "POST",
  path: "/incidents/{id}/updates",
  operationId: "addIncidentUpdate",
  tag,
  summary: "Post an update to an incident",
  description:
    "INVESTIGATING, IDENTIFIED and MONITORING follow each other freely, and each may be RESOLVED. A resolved incident is opened again by INVESTIGATING alone.",
  access: writer,
  params: IdParams,
  body: AddIncidentUpdateBody,
  exampleBody: {
    status: "IDENTIFIED",
    message: "A network device failed; its replacement is on the way.",
    impact: "DEGRADED",
  },
  answer: { status: 201, description: "The update.", schema: IncidentUpdateView },
  location: "/incidents/{incidentId}",
  problems: ["invalid_state", "conflict", "precondition_failed"],
});

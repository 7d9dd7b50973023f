import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { createdFilters, severalOf } from "#http/lists/list-query.ts";
import { pageOf, pageQuery } from "#http/lists/page.ts";
import {
  CreatedAt,
  Id,
  IdParams,
  oneLine,
  OwnerId,
  plainText,
  TenantFilter,
  TenantIdField,
  Timestamp,
  UpdatedAt,
} from "#http/schemas.ts";
import { prose } from "#platform/prose.ts";
import { incidentStatuses, impacts } from "#schema/incidents.ts";

const tag = "Incidents";

/** The number of updates that an incident shows. */
export const SHOWN_UPDATES = 100;

const Message = plainText(1, 5000).describe(prose("The text of the update, for people."));
const Title = oneLine(1, 200).describe(prose("The title, for people."));
const Status = z
  .enum(incidentStatuses)
  .describe(prose("The incident's status from this update on. `RESOLVED` closes it."));
const Components = z.array(oneLine(1, 100)).max(50);

export const CreateIncidentBody = z.object({
  title: Title,
  message: Message,
  status: Status.default("INVESTIGATING"),
  impact: z
    .enum(impacts)
    .default("UNKNOWN")
    .describe(
      prose(
        "How badly the components are affected. UNKNOWN counts as DEGRADED in the status. With the status RESOLVED it is always OPERATIONAL.",
      ),
    ),
  components: Components.default([]).describe(
    prose("The names of the affected components, for readers."),
  ),
  tenantId: TenantIdField,
});

export const AddIncidentUpdateBody = z.object({
  status: Status,
  message: Message,
  impact: z
    .enum(impacts)
    .optional()
    .describe(prose("Default: unchanged. With the status RESOLVED it is always OPERATIONAL.")),
});

export const IncidentUpdateView = z.object({
  id: Id,
  tenantId: OwnerId,
  incidentId: z.uuid().describe(prose("The incident's id.")),
  status: Status,
  message: z.string().describe(prose("The text of the update, for people.")),
  impact: z.enum(impacts).describe(prose("The impact from this update on.")),
  createdAt: CreatedAt,
});

export const IncidentView = z.object({
  id: Id,
  tenantId: z
    .uuid()
    .nullable()
    .describe(prose("Null: a platform incident, which every tenant sees.")),
  title: z.string().describe(prose("The title, for people.")),
  status: z.enum(incidentStatuses).describe(prose("The status as of the latest update.")),
  impact: z.enum(impacts).describe(prose("The impact as of the latest update.")),
  components: z.array(z.string()).describe(prose("The names of the affected components.")),
  message: z.string().describe(prose("The message of the latest update.")),
  resolvedAt: Timestamp.nullable().describe(prose("Null: the incident is open.")),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});

export const IncidentWithUpdates = IncidentView.extend({
  updates: z
    .array(IncidentUpdateView)
    .describe(`The latest ${SHOWN_UPDATES} updates, newest first.`),
});

const reader = { role: "CustomerViewer", scope: "incidents:read" } as const;
const writer = { role: "CustomerAdmin", scope: "incidents:write" } as const;

export const createIncidentEndpoint = endpoint({
  method: "POST",
  path: "/incidents",
  operationId: "createIncident",
  tag,
  summary: prose("Open an incident"),
  description: prose(
    "The message becomes the first update. If an operator names no tenant, it becomes a platform incident, which every tenant sees.",
  ),
  access: writer,
  body: CreateIncidentBody,
  exampleBody: {
    title: "Slow deployments",
    message: "Deployments to eu-1 take longer than usual.",
    impact: "DEGRADED",
    components: ["deployments"],
  },
  answer: { status: 201, description: prose("The incident."), schema: IncidentWithUpdates },
  location: "/incidents/{id}",
  etag: true,
  problems: ["not_found", "quota_exceeded"],
});

export const listIncidentsEndpoint = endpoint({
  method: "GET",
  path: "/incidents",
  operationId: "listIncidents",
  tag,
  summary: prose("List incidents"),
  description: prose("Lists the caller's incidents and the platform's."),
  access: reader,
  query: z.object({
    ...pageQuery,
    status: severalOf(incidentStatuses, "Only incidents with this status."),
    ...createdFilters,
    tenantId: TenantFilter,
  }),
  answer: {
    status: 200,
    description: prose("A page of incidents, newest first."),
    schema: pageOf(IncidentView),
  },
  problems: ["invalid_cursor"],
});

export const getIncidentEndpoint = endpoint({
  method: "GET",
  path: "/incidents/{id}",
  operationId: "getIncident",
  tag,
  summary: prose("Read an incident"),
  access: reader,
  params: IdParams,
  answer: {
    status: 200,
    description: prose("The incident, with its updates."),
    schema: IncidentWithUpdates,
  },
  etag: true,
});

export const addIncidentUpdateEndpoint = endpoint({
  method: "POST",
  path: "/incidents/{id}/updates",
  operationId: "addIncidentUpdate",
  shows: null,
  tag,
  summary: prose("Post an update to an incident"),
  description: prose(
    "INVESTIGATING, IDENTIFIED and MONITORING can follow each other in any order, and each can become RESOLVED. To reopen a resolved incident, post INVESTIGATING.",
  ),
  access: writer,
  params: IdParams,
  body: AddIncidentUpdateBody,
  exampleBody: {
    status: "IDENTIFIED",
    message: "A network device failed; its replacement is on the way.",
    impact: "DEGRADED",
  },
  answer: { status: 201, description: prose("The update."), schema: IncidentUpdateView },
  location: "/incidents/{incidentId}",
  problems: ["invalid_state", "conflict", "precondition_failed", "quota_exceeded"],
});

import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const incidentStatuses = ["INVESTIGATING", "IDENTIFIED", "MONITORING", "RESOLVED"] as const;
export type IncidentStatus = (typeof incidentStatuses)[number];

export const impacts = [
  "OPERATIONAL",
  "DEGRADED",
  "PARTIAL_OUTAGE",
  "MAJOR_OUTAGE",
  "MAINTENANCE",
  "UNKNOWN",
] as const;
export type Impact = (typeof impacts)[number];

/** The incident as of its last update. */
export const incidents = sqliteTable(
  "incidents",
  {
    id: text().primaryKey(),
    /** `platform`: created by an operator, visible to every tenant. */
    tenantId: text().notNull(),
    title: text().notNull(),
    status: text().$type<IncidentStatus>().notNull(),
    impact: text().$type<Impact>().notNull(),
    components: text({ mode: "json" }).$type<readonly string[]>().notNull(),
    /** From the last update. */
    message: text().notNull(),
    /** Null while it is open. */
    resolvedAtMs: integer(),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [
    index("incidents_by_tenant").on(t.tenantId, t.id),
    /** Includes open incidents, with null. */
    index("incidents_by_resolution").on(t.tenantId, t.resolvedAtMs, t.id),
  ],
);

/** WITHOUT ROWID (set by hand in the migration). Never changed. */
export const incidentUpdates = sqliteTable(
  "incident_updates",
  {
    tenantId: text().notNull(),
    incidentId: text().notNull(),
    id: text().notNull(),
    status: text().$type<IncidentStatus>().notNull(),
    impact: text().$type<Impact>().notNull(),
    createdAtMs: integer().notNull(),
    message: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.incidentId, t.id] })],
);

export type Incident = typeof incidents.$inferSelect;
export type IncidentUpdate = typeof incidentUpdates.$inferSelect;

import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { JsonMap } from "#platform/json.ts";
import type { Authors } from "./authors.ts";
import type { Labels } from "./labels.ts";

/** A resource or a component of a template version, for display. */
export interface TemplateResource {
  name: string;
  /** With its API version, if its name can have one. Null: a component. */
  type: string | null;
  /** The name or id of the template that is used. Null: a resource. */
  component: string | null;
  /** The range of the component's releases. Null: a resource. */
  range: string | null;
  /** It has a condition. */
  conditional: boolean;
  /** It has a loop. */
  repeats: boolean;
  /** The names of the resources and components that it depends on. */
  dependsOn: string[];
}

/** Half-open, in the order of `releaseOrder`. `prereleases`: 1 for prereleases alone, 0 for other releases alone. */
export type ReleaseSpan = readonly [from: string, to: string, prereleases: 0 | 1];

/** The components of a template version, as resolved when it was added (decision 0093). */
export interface PinnedComponents {
  /** By `pinName`: component and range as written. */
  uses: { [use: string]: ComponentPin };
  /** Every version below it, by key: `<templateId>@<number>`. */
  versions: { [key: string]: PinnedVersion };
}

export interface ComponentPin {
  component: string;
  range: string;
  /** The releases in the range. */
  spans: readonly ReleaseSpan[];
  templateId: string;
  number: number;
}

export interface PinnedVersion {
  templateId: string;
  number: number;
  /** The template belongs to the platform, so every tenant can read it. */
  platform: boolean;
  name: string;
  release: string;
  /** SHA-256 of the source, in hex. */
  digest: string;
  /** The keys of its own components, by `pinName`. */
  pins: { [use: string]: string };
}

export const templates = sqliteTable(
  "templates",
  {
    id: text().primaryKey(),
    /** `platform`: part of the catalogue, readable by every tenant. */
    tenantId: text().notNull(),
    name: text().notNull(),
    /** The name in the form that `q` searches (`folded`). */
    searchText: text().notNull(),
    description: text().notNull(),
    labels: text({ mode: "json" }).$type<Labels>().notNull().default({}),
    /** The highest version number; 0 when there is no version yet. */
    latestVersion: integer().notNull(),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [
    index("templates_by_tenant").on(t.tenantId, t.id),
    index("templates_by_update").on(t.tenantId, t.updatedAtMs, t.id),
    index("templates_by_name").on(t.tenantId, sql`name COLLATE NOCASE`, t.id),
  ],
);

/** The content of a version never changes. Long columns come last, because lists do not read them. */
export const templateVersions = sqliteTable(
  "template_versions",
  {
    id: text().primaryKey(),
    tenantId: text().notNull(),
    templateId: text().notNull(),
    number: integer().notNull(),
    version: integer().notNull(),
    deprecatedAtMs: integer(),
    /** `1.4.0`: others can use the version as a component. Never used again in the template. */
    release: text(),
    /** The release as a text in the order of releases (`releaseOrder`). */
    releaseOrder: text(),
    /** The persons who wrote it, and who copied it from another template. */
    authors: text({ mode: "json" }).$type<Authors>().notNull().default({}),
    createdAtMs: integer().notNull(),
    /** The names of the config values that are secret. */
    secretNames: text({ mode: "json" }).$type<readonly string[]>().notNull(),
    outputs: text({ mode: "json" }).$type<readonly string[]>().notNull(),
    resources: text({ mode: "json" }).$type<TemplateResource[]>().notNull(),
    /** The JSON Schema of an instance's config values. */
    config: text({ mode: "json" }).$type<JsonMap>().notNull(),
    components: text({ mode: "json" }).$type<PinnedComponents>().notNull(),
    source: text().notNull(),
  },
  (t) => [
    uniqueIndex("template_versions_by_number").on(t.templateId, t.number),
    index("template_versions_by_template").on(t.templateId, t.id),
    uniqueIndex("template_versions_by_release").on(t.templateId, t.releaseOrder),
    index("template_versions_by_tenant").on(t.tenantId),
  ],
);

/** The components that template versions use themselves, not through another component. Never changed. */
export const componentUses = sqliteTable(
  "component_uses",
  {
    id: text().primaryKey(),
    /** The tenant of the version that uses it. */
    tenantId: text().notNull(),
    templateId: text().notNull(),
    number: integer().notNull(),
    componentId: text().notNull(),
    componentNumber: integer().notNull(),
    createdAtMs: integer().notNull(),
  },
  (t) => [
    index("component_uses_by_component").on(t.componentId, t.tenantId, t.id),
    index("component_uses_by_version").on(t.componentId, t.componentNumber, t.tenantId),
    index("component_uses_by_template").on(t.templateId, t.componentId),
    index("component_uses_by_tenant").on(t.tenantId),
  ],
);

export type Template = typeof templates.$inferSelect;
export type TemplateVersion = typeof templateVersions.$inferSelect;

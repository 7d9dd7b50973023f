import type { Diagnostic } from "#engine/diagnostics.ts";
import { type FrozenTypes, withFrozenTypes } from "#engine/frozen-types.ts";
import { dependenciesOf } from "#engine/graph.ts";
import type { JsonMap } from "#platform/json.ts";
import { withVersion } from "#providers/type-name.ts";
import { checkInto, type TemplateCatalog } from "./check.ts";
import { noneResolved, type ResolvedComponents } from "./checks/check-components.ts";
import { readTemplate, templateIn } from "./parse.ts";
import { Report } from "./report.ts";
import type { Repeatable, Template } from "./template.ts";
import { unwrittenDocument } from "./unwritten/unwritten-document.ts";

/** The description of a template without an instance. */
export interface TemplateDescription {
  /** True when no diagnostic is an error. */
  valid: boolean;
  diagnostics: Diagnostic[];
  /** JSON Schema (2020-12) of an instance's config values. */
  config: JsonMap;
  resources: DescribedResource[];
  outputs: string[];
}

/** A resource or a component of a template. */
export interface DescribedResource {
  name: string;
  /** With its API version, if its name can have one. Null: a component. */
  type: string | null;
  component: string | null;
  /** The range of the component's releases. */
  range: string | null;
  conditional: boolean;
  repeats: boolean;
  dependsOn: string[];
}

/** A source that was parsed but not checked yet. */
export interface ReadSource {
  /** The template, so far as it could be read. */
  template: Template | undefined;
  /** The types that it names, which the catalogue of its check must contain. */
  types: readonly string[];
  report: Report;
}

/** Parses a template's source. `types`: the frozen types of a stored source. Never throws. */
export function readSource(source: string, types: FrozenTypes = {}): ReadSource {
  const report = new Report();
  const read = readTemplate(source, report);
  const template = read && withFrozenTypes(read, types);
  const named = Object.values(template?.resources ?? {}).map(({ type }) => type);
  return { template, types: [...new Set(named)], report };
}

/**
 * The findings of a check in a template that is not written out yet. Lines of its diagnostics are the positions of
 * values in it.
 */
export function checkUnwritten(
  document: JsonMap,
  catalog: TemplateCatalog,
  components: ResolvedComponents = noneResolved,
): Report {
  const report = new Report();
  const template = templateIn(unwrittenDocument(document, report), report);
  if (template !== undefined) checkInto(report, template, catalog, components);
  return report;
}

/** Checks a source that was read. Call it once for each source: its findings go into the source's report. */
export function describeRead(
  { template, report }: ReadSource,
  catalog: TemplateCatalog,
  components: ResolvedComponents = noneResolved,
): TemplateDescription {
  if (template !== undefined) checkInto(report, template, catalog, components);
  return {
    valid: !report.failed,
    diagnostics: report.diagnostics,
    config: configSchema(template?.config ?? {}),
    resources: template === undefined ? [] : resourcesOf(template, catalog),
    outputs: Object.keys(template?.outputs ?? {}),
  };
}

/**
 * Parses and checks a template's source. Never throws; a template with errors is described so far as it could be read.
 */
export function describeTemplate(source: string, catalog: TemplateCatalog): TemplateDescription {
  return describeRead(readSource(source), catalog);
}

function resourcesOf(template: Template, catalog: TemplateCatalog): DescribedResource[] {
  const dependencies = dependenciesOf(template);
  const common = (name: string, { when, forEach }: Repeatable) => ({
    conditional: when !== undefined,
    repeats: forEach !== undefined,
    dependsOn: dependencies.get(name) ?? [],
  });
  const resources = Object.entries(template.resources).map(([name, resource]) => ({
    name,
    type: withVersion(resource.type, catalog.facts(resource.type)?.version),
    component: null,
    range: null,
    ...common(name, resource),
  }));
  const components = Object.entries(template.components).map(([name, use]) => ({
    name,
    type: null,
    component: use.component,
    range: use.version,
    ...common(name, use),
  }));
  return [...resources, ...components];
}

/** The schema of an instance's config values; secrets are `writeOnly` and have no default. */
export function configSchema(config: Template["config"]): JsonMap {
  const declarations = Object.entries(config);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: Object.fromEntries(
      declarations.map(([name, { schema, secret, default: initial }]) => [
        name,
        {
          ...schema,
          ...(secret ? { writeOnly: true } : {}),
          ...(secret || initial === undefined ? {} : { default: initial }),
        },
      ]),
    ),
    required: declarations.filter(([, item]) => item.default === undefined).map(([name]) => name),
  };
}

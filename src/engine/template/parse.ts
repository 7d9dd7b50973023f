import type { Diagnostic } from "#engine/diagnostics.ts";
import { nearest } from "#platform/text/nearest.ts";
import { parseConfig } from "./declarations/config-declarations.ts";
import { parseResources } from "./declarations/resource-declarations.ts";
import { readDocument, type DocumentNode, type MapEntry, type MapNode } from "./document.ts";
import { parseExpression } from "./expressions.ts";
import { reportDeclared } from "./mistakes/declared-values.ts";
import { reindented } from "./mistakes/indentation.ts";
import { reportManifest } from "./mistakes/manifest.ts";
import { reportHcl } from "./mistakes/other-languages.ts";
import { own } from "./own.ts";
import { parsePlainText } from "./references.ts";
import { didYouMean, quoted, Report } from "./report.ts";
import type { Template } from "./template.ts";

export const MAX_RESOURCES = 500;
/** Applies separately to config values, variables and outputs. */
export const MAX_NAMES = 500;

type Section = "config" | "variables" | "resources" | "outputs";

const topLevelKeys = [
  "name",
  "runtime",
  "description",
  "config",
  "configuration",
  "variables",
  "resources",
  "outputs",
] as const;

const COMPONENT =
  "Use a component under `resources`: `network: { component: standard-network, version: ^1.0 }`.";
const PACKAGE = "The instance's target provides the resource types: remove this section.";
const MANIFEST = "Only Kubernetes manifests have this key: remove it.";

const unsupportedKeys: { readonly [key: string]: string } = {
  component: COMPONENT,
  components: COMPONENT,
  packages: PACKAGE,
  plugins: PACKAGE,
  sdk: PACKAGE,
  imports: "A template is a single document: write out the imported parts here.",
  main: "A template is a single document: write the program here.",
  pulumi: "Templates do not run on Pulumi's engine: remove this section.",
  backend: "The instance stores its state: remove this section.",
  options: "Set options on each resource.",
  stackConfigDir: "The instance sets the config values: remove this key.",
  template: "Declare configurable values under `config`.",
  apiVersion: MANIFEST,
  kind: MANIFEST,
};

const ignoredKeys = new Set(["author", "website", "license", "tags", "version"]);

/**
 * Parses a template's source: YAML 1.2 or JSON in Pulumi YAML's syntax. Never throws. Returns a template only when
 * there are no errors. `checkTemplate` checks names, types and references. `component`: its name and release, for the
 * places of mistakes.
 */
export function parseTemplate(
  source: string,
  component?: string,
): { template?: Template; diagnostics: Diagnostic[] } {
  const report = new Report();
  const template = readTemplate(source, report, component);
  const { diagnostics } = report;
  return template === undefined || report.failed ? { diagnostics } : { template, diagnostics };
}

/** Like `parseTemplate`, but also returns the readable part of a template with errors. */
export function readTemplate(
  source: string,
  report: Report,
  component?: string,
): Template | undefined {
  if (reportHcl(source, report)) return undefined;
  const root = readDocument(source, report, component);
  return root && templateIn(root, report);
}

/** The template in a document, so far as it can be read. */
export function templateIn(root: DocumentNode, report: Report): Template | undefined {
  const template: Template = {
    name: "",
    description: "",
    config: {},
    variables: {},
    resources: {},
    components: {},
    outputs: {},
  };
  if (root.kind === "scalar" && root.value === null) {
    if (!report.failed) report.warning("empty_template", "The template is empty.", root.place);
    return template;
  }
  if (root.kind !== "map") {
    report.error(
      "not_a_template",
      "A template must be a map of `config`, `variables`, `resources` and `outputs`.",
      root.place,
    );
    return undefined;
  }
  if (reportManifest(root, report)) return undefined;
  const meant = reindented(root, report);
  for (const entry of meant.entries) readTopLevel(entry, meant, template, report);
  return checkSizes(meant, report) ? template : undefined;
}

function readTopLevel(entry: MapEntry, root: MapNode, template: Template, report: Report): void {
  const { key, keyPlace, value } = entry;
  switch (key) {
    case "name":
    case "description":
      template[key] = readText(key, value, report);
      return;
    case "runtime":
      readRuntime(value, report);
      return;
    case "configuration":
      if (root.entries.some((other) => other.key === "config"))
        report.error(
          "duplicate_key",
          "`config` and `configuration` are the same section.",
          keyPlace,
          "Move everything under `config`.",
        );
      else template.config = parseConfig(readSection("config", value, report), report);
      return;
    case "config":
      template.config = parseConfig(readSection(key, value, report), report);
      return;
    case "resources":
      Object.assign(template, parseResources(readSection(key, value, report), report));
      return;
    case "variables":
    case "outputs":
      template[key] = Object.fromEntries(
        readSection(key, value, report).entries.map((member) => {
          reportDeclared(key, member, report);
          return [member.key, parseExpression(member.value, report)];
        }),
      );
      return;
    default:
      rejectKey(entry, report);
  }
}

function rejectKey({ key, keyPlace }: MapEntry, report: Report): void {
  const advice = own(unsupportedKeys, key);
  if (advice !== undefined)
    report.error("not_supported", `The section ${quoted(key)} is not supported.`, keyPlace, advice);
  else if (ignoredKeys.has(key))
    report.warning("ignored", `${quoted(key)} has no effect.`, keyPlace);
  else
    report.error(
      "unknown_key",
      `A template has no section ${quoted(key)}.`,
      keyPlace,
      own(foreignSections, key) ?? didYouMean(nearest(key, topLevelKeys)),
    );
}

/** Sections of Terraform, of which some look like ours and mean something else. */
const foreignSections: { readonly [key: string]: string } = {
  variable: "Write it under `config`: `variables` are named values of the template itself.",
  locals: "Write it under `variables`.",
  resource: "Write it under `resources`, each with its `type` and `properties`.",
  output: "Write it under `outputs`: each is a value, not a map with `value`.",
  module: "Write it under `resources`, with `component` in place of `type`.",
  data: "Write it under `resources`, with `get`.",
  moved: "Write `aliases` under the `options` of the resource.",
  provider: "The instance's target decides the provider and its account.",
};

function readText(key: string, node: DocumentNode, report: Report): string {
  if (node.kind === "scalar" && node.value === null) return "";
  if (node.kind === "scalar" && typeof node.value === "string")
    return parsePlainText(node.value, node.place, report);
  report.error("invalid_section", `\`${key}\` must be a string.`, node.place, "Quote the value.");
  return "";
}

function readRuntime(node: DocumentNode, report: Report): void {
  const named = node.kind === "map" ? node.entries.find(({ key }) => key === "name")?.value : node;
  if (named?.kind !== "scalar" || named.value !== "yaml")
    report.error(
      "unsupported_runtime",
      "The only supported runtime is yaml.",
      named?.place ?? node.place,
      "Write `runtime: yaml`, or remove the key.",
    );
  for (const { key, keyPlace } of node.kind === "map" ? node.entries : [])
    if (key !== "name")
      report.error(
        "not_supported",
        `The runtime has no setting ${quoted(key)}.`,
        keyPlace,
        "Write `runtime: yaml`.",
      );
}

function readSection(section: Section, node: DocumentNode, report: Report): MapNode {
  if (node.kind === "map") return node;
  if (node.kind !== "scalar" || node.value !== null)
    report.error(
      "invalid_section",
      `\`${section}\` must be a map.`,
      node.place,
      node.kind === "list" ? "Write each item under its name, without the dash." : undefined,
    );
  return { kind: "map", entries: [], place: node.place };
}

function checkSizes(root: MapNode, report: Report): boolean {
  let fits = true;
  for (const { key, value } of root.entries) {
    const code = own(tooMany, key);
    const limit = key === "resources" ? MAX_RESOURCES : MAX_NAMES;
    const surplus = value.kind === "map" ? value.entries[limit] : undefined;
    if (code === undefined || surplus === undefined || value.kind !== "map") continue;
    fits = false;
    report.error(
      code,
      `The template has ${value.entries.length} entries under \`${key}\`; the limit is ${limit}.`,
      surplus.keyPlace,
      "Split the template, and bind the outputs of one instance to the config of the next.",
    );
  }
  return fits;
}

const tooMany: { readonly [section: string]: string } = {
  config: "too_many_config_values",
  configuration: "too_many_config_values",
  variables: "too_many_variables",
  resources: "too_many_resources",
  outputs: "too_many_outputs",
};

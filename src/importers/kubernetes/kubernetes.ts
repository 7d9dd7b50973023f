import { type ObjectExpression, referencesIn } from "#importers/expression.ts";
import { failureCode } from "#importers/failure-code.ts";
import { fileNameOf, folderOf, type ImportFile } from "#importers/import-file.ts";
import type { FileVerdict, FormatParserOf, ParsedFormat } from "#importers/import-format.ts";
import type { ImportLog, Severity } from "#importers/import-log.ts";
import type { SourceModule, SourceProvider } from "#importers/source-module.ts";
import { memberOf, textIn, type DataNode } from "#importers/text/data-node.ts";
import { loadJson } from "#importers/text/load-json.ts";
import { loadYaml } from "#importers/text/load-yaml.ts";
import { hasPlaceholders, isChart, isHelmTemplate, isKustomization } from "./detect-kubernetes.ts";
import { type KubernetesObject, objectsIn, withAddresses } from "./kubernetes-object.ts";
import { type Kustomization, readKustomization } from "./kustomization.ts";
import { type ManifestGroup, manifestGroups } from "./manifest-groups.ts";
import { optionsOf } from "./object-options.ts";
import { ObjectReferences } from "./object-references.ts";
import { settingsOf } from "./object-settings.ts";
import { ServiceAddresses } from "./service-addresses.ts";

/** A file: the objects of a manifest, a file of Kustomize, or the verdict on another file. */
type Read =
  | { kind: "manifest"; objects: readonly KubernetesObject[] }
  | { kind: "kustomization"; kustomization: Kustomization }
  | { kind: "unread"; verdict: FileVerdict };

/** Reads Kubernetes manifests, a module per folder of them. The values of secrets are not kept. */
export const kubernetesParser: FormatParserOf = (files, log) => {
  const charts = new Set(files.filter(isChart).map(({ path }) => folderOf(path)));
  const all = new Map<string, Read>();
  return {
    read: (file) => {
      all.set(file.path, readFile(file, charts, log));
    },
    finish: () => combined(files, all, log),
  };
};

function combined(
  files: readonly ImportFile[],
  all: ReadonlyMap<string, Read>,
  log: ImportLog,
): ParsedFormat {
  const kustomizations = [...all.values()].flatMap((one) =>
    one.kind === "kustomization" ? [one.kustomization] : [],
  );
  warnOfMissing(files, kustomizations, log);
  const patches = new Map(
    kustomizations.flatMap(({ file, patches: paths }) => paths.map((path) => [path, file])),
  );
  const manifests = new Map<string, readonly KubernetesObject[]>();
  const verdicts = files.flatMap(({ path }): FileVerdict[] => {
    const read = all.get(path);
    if (read?.kind === "unread") return [read.verdict];
    if (read?.kind === "kustomization")
      return [skipped(path, log, "warning", "kustomization", kustomize)];
    if (read === undefined) return [];
    const patched = patches.get(path);
    if (patched !== undefined)
      return [
        skipped(
          path,
          log,
          "info",
          "kustomize_patch",
          `\`${patched}\` changes objects by this file.`,
        ),
      ];
    manifests.set(path, read.objects);
    return [{ path, state: "PARSED", counts: { resource: read.objects.length } }];
  });
  const groups = manifestGroups(manifests, kustomizations, log);
  return { verdicts, modules: groups.map(moduleOf) };
}

/** Warns of the resources of kustomizations that the import lacks, such as those of another repository. */
function warnOfMissing(
  files: readonly ImportFile[],
  kustomizations: readonly Kustomization[],
  log: ImportLog,
): void {
  const known = new Set<string>();
  for (const { path } of kustomizations.length === 0 ? [] : files) {
    known.add(path);
    for (let folder = folderOf(path); !known.has(folder); folder = folderOf(folder))
      known.add(folder);
  }
  const message = "The import does not have the resource that the kustomization lists here.";
  for (const { file, listed } of kustomizations)
    for (const { path, line } of listed)
      if (path === undefined || !known.has(path))
        log.add("warning", "kustomize_resource_not_found", message, { file, line });
}

const nothing: ObjectExpression = { kind: "object", members: [] };

function moduleOf({ path, files, objects: given }: ManifestGroup): SourceModule {
  const objects = withAddresses(given);
  const services = new ServiceAddresses(objects);
  const settings = new Map(
    objects.map((object) => [object.address, services.within(settingsOf(object), object)]),
  );
  const references = new ObjectReferences(objects, (address) =>
    referencesIn(settings.get(address) ?? nothing).flatMap(({ target }) =>
      target.kind === "resource" ? [target.address] : [],
    ),
  );
  const [first] = objects;
  return {
    format: "kubernetes",
    path,
    isRoot: true,
    requiredVersion: null,
    backend: null,
    resources: objects.map((object) => ({
      address: object.address,
      mode: "managed",
      type: `${object.apiVersion}/${object.kind}`,
      name: object.name,
      file: object.file,
      line: object.node.line,
      endLine: object.node.endLine,
      provider: "kubernetes",
      repeated: false,
      settings: settings.get(object.address) ?? nothing,
      dependsOn: references.of(object),
      options: optionsOf(object),
    })),
    variables: [],
    outputs: [],
    locals: [],
    moduleCalls: [],
    providers: [providerIn(first?.file ?? files[0] ?? path, first?.node.line ?? 1)],
  };
}

function skipped(
  path: string,
  log: ImportLog,
  severity: Severity,
  reason: string,
  message: string,
): FileVerdict {
  log.add(severity, reason, message, { file: path });
  return { path, state: "SKIPPED", reason, counts: {} };
}

function readFile(file: ImportFile, charts: ReadonlySet<string>, log: ImportLog): Read {
  const { path } = file;
  const unread = (severity: Severity, code: string, message: string): Read => ({
    kind: "unread",
    verdict: skipped(path, log, severity, code, message),
  });
  if (isHelmTemplate(file) || isInChart(path, charts))
    return unread(
      "warning",
      "helm_template",
      "The file is a template of Helm, which imports do not run: import the output of `helm template`.",
    );
  if (isChart(file))
    return unread(
      "info",
      "helm_chart",
      "The file describes a Helm chart: import the output of `helm template` to have its objects.",
    );
  const documents = documentsOf(file, log);
  const isKustomizeFile = isKustomization(file);
  if (documents === undefined)
    return {
      kind: "unread",
      verdict: { path, state: "FAILED", reason: failureCode(log, path), counts: {} },
    };
  if (hasPlaceholders(file, documents))
    return unread(
      "warning",
      "placeholders",
      "Values of the file are placeholders in `{{ }}`, which another tool fills in: import its output.",
    );
  if (isKustomizeFile || documents.some(isKustomize))
    return { kind: "kustomization", kustomization: readKustomization(documents, path, log) };
  if (documents.length === 0) return unread("info", "empty_file", "The file has no content.");
  if (documents.some(isKubeconfig))
    return unread(
      "warning",
      "kubeconfig",
      "The file holds credentials of a cluster and no objects: do not import it.",
    );
  const objects = objectsIn(documents, path, log);
  if (objects.length === 0)
    return unread("warning", "no_objects", "The file has no Kubernetes object with a name.");
  return { kind: "manifest", objects };
}

const kustomize =
  "Imports do not run Kustomize. Drafts have the manifests as they are written, without the changes of this file: import the output of `kubectl kustomize` to have them.";

/** Whether Helm installs a file with its chart, even if it is a plain manifest. */
function isInChart(path: string, charts: ReadonlySet<string>): boolean {
  const folder = folderOf(path);
  const templates = /^(?:(.*)\/)?templates(?:\/|$)/.exec(folder);
  return (
    templates !== null &&
    charts.has(templates[1] ?? ".") &&
    !/^Chart\.ya?ml$/.test(fileNameOf(path))
  );
}

function documentsOf(file: ImportFile, log: ImportLog): readonly DataNode[] | undefined {
  if (!/\.json$/i.test(file.path)) return loadYaml(file, log, "kubernetes");
  const root = loadJson(file, log);
  return root === undefined ? undefined : [root];
}

/** Flux has a kind `Kustomization` too, in another API group. */
function isKustomize(document: DataNode): boolean {
  return textIn(memberOf(document, "apiVersion"))?.startsWith("kustomize.config.k8s.io/") ?? false;
}

function isKubeconfig(document: DataNode): boolean {
  return (
    textIn(memberOf(document, "kind")) === "Config" && memberOf(document, "clusters") !== undefined
  );
}

function providerIn(file: string, line: number): SourceProvider {
  return {
    name: "kubernetes",
    source: null,
    constraints: [],
    aliases: [],
    settings: null,
    file,
    line,
  };
}

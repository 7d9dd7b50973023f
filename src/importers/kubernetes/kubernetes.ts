import { failureCode } from "#importers/failure-code.ts";
import type { ImportFile } from "#importers/import-file.ts";
import type { FormatParserOf, ReadFile } from "#importers/import-format.ts";
import type { ImportLog, Severity } from "#importers/import-log.ts";
import { parserOfSingleFiles } from "#importers/single-files.ts";
import type { SourceModule, SourceProvider } from "#importers/source-module.ts";
import { memberOf, textIn, type DataNode } from "#importers/text/data-node.ts";
import { loadJson } from "#importers/text/load-json.ts";
import { loadYaml } from "#importers/text/load-yaml.ts";
import { isChart, isHelmTemplate, isKustomization } from "./detect-kubernetes.ts";
import { objectsIn } from "./kubernetes-object.ts";
import { dependenciesOf } from "./object-references.ts";
import { settingsOf } from "./object-settings.ts";

/** Reads Kubernetes manifests, a module per file. The values of secrets are not kept. */
export const kubernetesParser: FormatParserOf = (files, log) =>
  parserOfSingleFiles(files, (file) => readFile(file, log));

function readFile(file: ImportFile, log: ImportLog): ReadFile {
  const { path } = file;
  const skipped = (severity: Severity, code: string, message: string): ReadFile => {
    log.add(severity, code, message, { file: path });
    return { verdict: { path, state: "SKIPPED", reason: code, counts: {} } };
  };
  if (isHelmTemplate(file))
    return skipped(
      "warning",
      "helm_template",
      "The file is a template of Helm, which imports do not run: import the output of `helm template`.",
    );
  if (isChart(file))
    return skipped(
      "info",
      "helm_chart",
      "The file describes a Helm chart: import the output of `helm template` to have its objects.",
    );
  if (isKustomization(file)) return skipped("warning", "kustomization", kustomize);
  const documents = documentsOf(file, log);
  if (documents === undefined)
    return { verdict: { path, state: "FAILED", reason: failureCode(log, path), counts: {} } };
  if (documents.length === 0) return skipped("info", "empty_file", "The file has no content.");
  if (documents.some(isKustomize)) return skipped("warning", "kustomization", kustomize);
  if (documents.some(isKubeconfig))
    return skipped(
      "warning",
      "kubeconfig",
      "The file holds credentials of a cluster and no objects: do not import it.",
    );
  const objects = objectsIn(documents, path, log);
  if (objects.length === 0)
    return skipped("warning", "no_objects", "The file has no Kubernetes object with a name.");
  const addresses = new Set(objects.map(({ address }) => address));
  const module: SourceModule = {
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
      file: path,
      line: object.node.line,
      endLine: object.node.endLine,
      provider: "kubernetes",
      repeated: false,
      settings: settingsOf(object),
      dependsOn: dependenciesOf(object, addresses),
    })),
    variables: [],
    outputs: [],
    locals: [],
    moduleCalls: [],
    providers: [providerIn(path, objects[0]?.node.line ?? 1)],
  };
  return { verdict: { path, state: "PARSED", counts: { resource: objects.length } }, module };
}

const kustomize =
  "The file tells Kustomize what to build, which imports do not run: import the output of `kubectl kustomize`.";

function documentsOf(file: ImportFile, log: ImportLog): readonly DataNode[] | undefined {
  if (!/\.json$/i.test(file.path)) return loadYaml(file, log, "1.1");
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

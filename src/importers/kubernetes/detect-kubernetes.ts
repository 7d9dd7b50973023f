import { fileNameOf, type ImportFile } from "#importers/import-file.ts";
import type { DataNode } from "#importers/text/data-node.ts";

/**
 * Detects a Kubernetes manifest, a Helm template or chart, or a Kustomize file, by its name and the starts of its
 * lines.
 */
export function detectKubernetes(file: ImportFile): boolean {
  if (isKustomization(file) || isChart(file) || isHelmTemplate(file)) return true;
  const { path, text } = file;
  if (/\.json$/i.test(path))
    return (
      /^\uFEFF?\s{0,64}[{[]/.test(text) &&
      /"apiVersion"\s{0,64}:/.test(text) &&
      /"kind"\s{0,64}:/.test(text)
    );
  if (/\.ya?ml$/i.test(path))
    return (
      /^(?:- +|\uFEFF|\{ ?)?["']?apiVersion["']?:/m.test(text) &&
      /(?:^ {0,8}|[{,] ?)["']?kind["']?:/m.test(text)
    );
  return false;
}

export function isKustomization({ path }: ImportFile): boolean {
  return /^(?:kustomization\.ya?ml|Kustomization)$/.test(fileNameOf(path));
}

/** Whether the file describes a Helm chart, which contains no objects. */
export function isChart({ path, text }: ImportFile): boolean {
  return /^Chart\.ya?ml$/.test(fileNameOf(path)) && /^apiVersion:[ \t]*["']?v[12]\b/m.test(text);
}

const helmValue = /\{\{-? {0,8}\.(?:Values|Release|Chart|Capabilities|Files|Template)\b/;
/** Calls of Helm's own templates. Alert managers have such calls too, in the texts of plain manifests. */
const helmCall = /\{\{-? {0,8}(?:include|template|define) "/;
const templateLine = /^[ \t]*\{\{/m;

/**
 * Whether only Helm can make YAML of this text. Templates of other tools may occur in the strings of plain manifests.
 */
export function isHelmTemplate({ path, text }: ImportFile): boolean {
  if (!/\.(?:ya?ml|tpl|txt|json)$/i.test(path) || !text.includes("{{")) return false;
  if (helmValue.test(text)) return true;
  if (/\.tpl$/i.test(path) || /(?:^|\/)templates\//.test(path))
    return templateLine.test(text) || helmCall.test(text);
  return helmCall.test(text) && !/^[ \t]*kind:[ \t]*["']?(?:ConfigMap|Secret|Rule)/m.test(text);
}

const placeholder = /^[ \t]*(?:- )?[\w./-]{1,200}:[ \t]{1,8}\{\{/;

/** Whether values are placeholders, which YAML reads as maps of maps: `image: {{ image }}`. */
export function hasPlaceholders({ text }: ImportFile, documents: readonly DataNode[]): boolean {
  if (!/:[ \t]{1,8}\{\{/.test(text)) return false;
  const lines = text.split("\n");
  const waiting = [...documents];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === "list") for (const item of node.items) waiting.push(item);
    if (node.kind !== "map") continue;
    if (node.members.size === 0 && placeholder.test(lines[node.line - 1] ?? "")) return true;
    for (const value of node.members.values()) waiting.push(value);
  }
  return false;
}

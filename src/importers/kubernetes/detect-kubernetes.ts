import { fileNameOf, type ImportFile } from "#importers/import-file.ts";

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
      /^(?:- |\uFEFF|\{ ?)?["']?apiVersion["']?:/m.test(text) &&
      /^(?: {2})?["']?kind["']?:/m.test(text)
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

const helmValue =
  /\{\{-? {0,8}(?:\.(?:Values|Release|Chart|Capabilities|Files|Template)\b|include "|template "|define ")/;

/**
 * Whether only Helm can make YAML of this text. Templates of other tools may occur in the strings of plain manifests.
 */
export function isHelmTemplate({ path, text }: ImportFile): boolean {
  if (!/\.(?:ya?ml|tpl|txt|json)$/i.test(path) || !text.includes("{{")) return false;
  return helmValue.test(text) || (/(?:^|\/)templates\//.test(path) && /^[ \t]*\{\{/m.test(text));
}

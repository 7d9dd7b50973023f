import { fileNameOf, type ImportFile } from "#importers/import-file.ts";
import { isJsonMap, readJson } from "#platform/json.ts";

/** Detects a project, a stack's config or a program of Pulumi in YAML or JSON, by name or content. */
export function detectPulumi({ path, text }: ImportFile): boolean {
  const name = fileNameOf(path);
  if (/^Pulumi(?:\.[^/]+)?\.(?:ya?ml|json)$/.test(name)) return true;
  if (/\.json$/i.test(name)) return text.includes('"resources"') && isJsonProgram(text);
  if (!/\.ya?ml$/i.test(name)) return false;
  if (ofAnother.test(text)) return false;
  if (/^runtime:[ \t]*["']?yaml["']?[ \t\r]*$/m.test(text)) return true;
  if (/^resources:/m.test(text)) return resourceType.test(text);
  // The program of a project whose Pulumi.yaml names another folder may have only outputs.
  return /^Main\.ya?ml$/.test(name) && /^(?:variables|configuration|config|outputs):/m.test(text);
}

/** `type: aws:s3/bucket:Bucket` */
const resourceType =
  /^[ \t]+["']?type["']?:[ \t]*["']?[a-z][\w-]*(?::[\w./-]+){1,2}["']?[ \t\r]*$/m;
const ofAnother =
  /^(?:apiVersion|kind|AWSTemplateFormatVersion|Resources|services|heat_template_version):/m;

function isJsonProgram(text: string): boolean {
  const program = readJson(text.startsWith("\uFEFF") ? text.slice(1) : text);
  if (!isJsonMap(program) || !isJsonMap(program["resources"])) return false;
  const { runtime } = program;
  if (runtime !== undefined)
    return runtime === "yaml" || (isJsonMap(runtime) && runtime["name"] === "yaml");
  const types = Object.values(program["resources"]).map((one) => isJsonMap(one) && one["type"]);
  return (
    types.length > 0 &&
    types.every((type) => typeof type === "string" && /^[a-z][\w-]*(?::[\w./-]+){1,2}$/.test(type))
  );
}

import { fileNameOf, type ImportFile } from "#importers/import-file.ts";
import { isJsonMap, readJson, type JsonMap } from "#platform/json.ts";
import { reportKindOf } from "./report-kind.ts";

/** Detects a state of Terraform or OpenTofu: by its file name, or as the JSON of a state file or of `show -json`. */
export function detectTerraformState(file: ImportFile): boolean {
  if (isStateName(file.path)) return true;
  const kind = kindOf(file);
  return kind === "terraform-state" || kind === "terraform-raw-state";
}

/** Detects a plan as the JSON of `terraform show -json`. */
export function detectTerraformPlan(file: ImportFile): boolean {
  return !isStateName(file.path) && kindOf(file) === "terraform-plan";
}

function isStateName(path: string): boolean {
  return /\.tfstate(?:\.(?:[\w-]+\.)?backup)?$/.test(fileNameOf(path));
}

function kindOf({ path, text }: ImportFile): ReturnType<typeof reportKindOf> {
  if (/\.(?:tf|tofu|tfvars)\.json$/.test(path)) return undefined;
  if (!looksLikeState(text)) return undefined;
  const value = readJson(text.startsWith("\uFEFF") ? text.slice(1) : text);
  return isJsonMap(value) ? reportKindOf(value) : undefined;
}

/** A cheap check that spares parsing other JSON. */
function looksLikeState(text: string): boolean {
  if (!/^\uFEFF?\s{0,64}\{/.test(text)) return false;
  if (text.includes('"format_version"'))
    return /"(?:values|planned_values|resource_changes)"/.test(text);
  return text.includes('"lineage"') || text.includes('"terraform_version"');
}

/** The reason why a state file has no readable resources, with advice. */
export function stateProblem(
  state: JsonMap,
): { code: string; skipped: boolean; message: string } | undefined {
  if (state["encrypted_data"] !== undefined)
    return {
      code: "encrypted_state",
      skipped: false,
      message: "The state is encrypted: import the output of `tofu show -json` instead.",
    };
  if (isJsonMap(state["backend"]) && !Array.isArray(state["resources"]))
    return {
      code: "backend_settings",
      skipped: true,
      message:
        "The file holds only the settings of a backend: import the output of `terraform show -json` to tell what exists.",
    };
  if (typeof state["version"] === "number")
    return {
      code: "unsupported_state_version",
      skipped: false,
      message:
        "Only states of version 4 are read: import the output of `terraform show -json` instead.",
    };
  return undefined;
}

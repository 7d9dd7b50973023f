import { fileNameOf, type ImportFile } from "#importers/import-file.ts";

/** What a file of Terraform is by its name. */
export interface TerraformFile {
  syntax: "hcl" | "json";
  /** `values`: of variables. `override`: merged over the blocks of the folder's other files. */
  kind: "blocks" | "override" | "values";
}

const endings: readonly [string, TerraformFile["syntax"], "blocks" | "values"][] = [
  [".tf", "hcl", "blocks"],
  [".tofu", "hcl", "blocks"],
  [".tfvars", "hcl", "values"],
  [".tf.json", "json", "blocks"],
  [".tofu.json", "json", "blocks"],
  [".tfvars.json", "json", "values"],
];

/** Undefined: no name that Terraform or OpenTofu reads. */
export function terraformFile(path: string): TerraformFile | undefined {
  const name = fileNameOf(path);
  const found = endings.find(([ending]) => name.endsWith(ending));
  if (found === undefined) return undefined;
  const [ending, syntax, kind] = found;
  const stem = name.slice(0, -ending.length);
  const isOverride = kind === "blocks" && (stem === "override" || stem.endsWith("_override"));
  return { syntax, kind: isOverride ? "override" : kind };
}

/** The paths of files that OpenTofu leaves out, because one of the same name is written for it. */
export function hiddenByTofu(files: readonly ImportFile[]): ReadonlySet<string> {
  const hidden = new Set<string>();
  for (const { path } of files)
    if (path.endsWith(".tofu")) hidden.add(`${path.slice(0, -".tofu".length)}.tf`);
    else if (path.endsWith(".tofu.json"))
      hidden.add(`${path.slice(0, -".tofu.json".length)}.tf.json`);
  return hidden;
}

import { fileNameOf, type ImportFile } from "#importers/import-file.ts";

/** The role of a Terraform file, by its name. */
export interface TerraformFile {
  syntax: "hcl" | "json";
  /** `values`: values of variables. `override`: merged over the blocks of the folder's other files. */
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

/** Undefined: Terraform and OpenTofu do not read a file of this name. */
export function terraformFile(path: string): TerraformFile | undefined {
  const name = fileNameOf(path);
  const found = endings.find(([ending]) => name.endsWith(ending));
  if (found === undefined) return undefined;
  const [ending, syntax, kind] = found;
  const stem = name.slice(0, -ending.length);
  const isOverride = kind === "blocks" && (stem === "override" || stem.endsWith("_override"));
  return { syntax, kind: isOverride ? "override" : kind };
}

/** The paths of files that OpenTofu ignores because a file of the same name exists for it. */
export function hiddenByTofu(files: readonly ImportFile[]): ReadonlySet<string> {
  const hidden = new Set<string>();
  for (const { path } of files)
    if (path.endsWith(".tofu")) hidden.add(`${path.slice(0, -".tofu".length)}.tf`);
    else if (path.endsWith(".tofu.json"))
      hidden.add(`${path.slice(0, -".tofu.json".length)}.tf.json`);
  return hidden;
}

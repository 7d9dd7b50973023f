import type { ImportFile } from "#importers/import-file.ts";
import { terraformFile } from "./terraform-file.ts";

/** A file that Terraform or OpenTofu reads from a folder, by its name. */
export function detectTerraform({ path }: ImportFile): boolean {
  return terraformFile(path) !== undefined;
}

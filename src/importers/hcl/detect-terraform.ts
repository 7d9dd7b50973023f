import type { ImportFile } from "#importers/import-file.ts";
import { terraformFile } from "./terraform-file.ts";

/** Detects by the name whether Terraform or OpenTofu reads this file from a folder. */
export function detectTerraform({ path }: ImportFile): boolean {
  return terraformFile(path) !== undefined;
}

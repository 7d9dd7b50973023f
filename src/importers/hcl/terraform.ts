import type { ParseFormat } from "#importers/import-format.ts";
import { terraformParser } from "./parse-terraform.ts";

/** Parses files of Terraform and OpenTofu; a folder is a module. Only in workerd: see `terraformParser`. */
export const parseTerraform: ParseFormat = terraformParser(
  async () => (await import("./wasm-modules.ts")).wasmModules,
);

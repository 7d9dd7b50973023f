import type { ImportFile } from "#importers/import-file.ts";
import { rootMembersOf } from "./root-members.ts";

/** A template of Azure Resource Manager in JSON, or a file with values for its parameters. */
export function detectArm({ path, text }: ImportFile): boolean {
  if (!/\.jsonc?$/i.test(path)) return false;
  if (!text.includes('"$schema"') && !text.includes('"contentVersion"')) return false;
  // Policies and workbooks have templates inside them.
  const { names, texts } = rootMembersOf(text);
  const schema = texts.get("$schema") ?? "";
  if (/deployment(?:Template|Parameters)\.json/i.test(schema)) return true;
  return names.has("contentVersion") && names.has("resources");
}

/** A file with values for the parameters of a template. */
export function isArmParameters(text: string): boolean {
  return /deploymentParameters\.json/i.test(rootMembersOf(text).texts.get("$schema") ?? "");
}

import type { ImportFile } from "#importers/import-file.ts";
import { rootMembersOf } from "./root-members.ts";

/** Detects an Azure Resource Manager template in JSON, or a parameter file. */
export function detectArm({ path, text }: ImportFile): boolean {
  if (!/\.jsonc?$/i.test(path)) return false;
  if (!text.includes('"$schema"') && !text.includes('"contentVersion"')) return false;
  // Policies and workbooks contain templates, so only the members of the root count.
  const { names, texts } = rootMembersOf(text);
  const schema = texts.get("$schema") ?? "";
  if (/deployment(?:Template|Parameters)\.json/i.test(schema)) return true;
  return names.has("contentVersion") && names.has("resources");
}

/** Whether the file contains values for the parameters of a template. */
export function isArmParameters(text: string): boolean {
  return /deploymentParameters\.json/i.test(rootMembersOf(text).texts.get("$schema") ?? "");
}

import { fileNameOf, type ImportFile } from "#importers/import-file.ts";

const usualEnding = /\.(?:json|ya?ml|template|cfn|cform|stack)$/i;
const version = /^AWSTemplateFormatVersion["']?[ \t]*:|[{,\s]["']AWSTemplateFormatVersion["']\s*:/m;
const resources = /^Resources[ \t]*:|[{,\s]["']Resources["']\s*:/m;
const vendorType = /Type["']?[ \t]*:[ \t]*["']?(?:AWS|Custom|Alexa)::/;

/** Detects a CloudFormation template in JSON or YAML, by its version or by resources of AWS types. */
export function detectCloudFormation(file: ImportFile): boolean {
  const name = fileNameOf(file.path);
  if (name.includes(".") && !usualEnding.test(name)) return false;
  const { text } = file;
  return version.test(text) || (resources.test(text) && vendorType.test(text));
}

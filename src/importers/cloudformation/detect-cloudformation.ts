import { fileNameOf, type ImportFile } from "#importers/import-file.ts";

const usualEnding = /\.(?:json|ya?ml|template|cfn|cform|stack)$/i;
const version = /^AWSTemplateFormatVersion["']?[ \t]*:|[{,\s]["']AWSTemplateFormatVersion["']\s*:/m;
const resources = /^Resources[ \t]*:|[{,\s]["']Resources["']\s*:/m;
const vendorType = /Type["']?[ \t]*:[ \t]*["']?(?:AWS|Custom|Alexa)::/;

/** A CloudFormation template, in JSON or YAML: it gives its version, or has resources with types of AWS. */
export function detectCloudFormation(file: ImportFile): boolean {
  const name = fileNameOf(file.path);
  if (name.includes(".") && !usualEnding.test(name)) return false;
  const { text } = file;
  return version.test(text) || (resources.test(text) && vendorType.test(text));
}

import { fileNameOf, type ImportFile } from "#importers/import-file.ts";

/** Detects a Compose file by its name, or by a map of services with images or builds, and files of variables. */
export function detectCompose(file: ImportFile): boolean {
  const { path, text } = file;
  if (isEnvironmentFile(file)) return true;
  const name = fileNameOf(path);
  if (!/\.ya?ml$/i.test(name)) return false;
  if (/^(?:docker-|podman-|container-)?compose(?:[._-][\w.-]*)?\.ya?ml$/i.test(name)) return true;
  return (
    services.test(text) && /^[ \t]+["']?(?:image|build)["']?:/m.test(text) && !ofAnother.test(text)
  );
}

/** Whether the file sets variables, as Compose and many other tools read them. */
export function isEnvironmentFile({ path }: ImportFile): boolean {
  return /^(?:\.env(?:\.[\w.-]{1,60})?|[\w.-]{1,60}\.env)$/.test(fileNameOf(path));
}

const services =
  /^services:[ \t\r]*(?:#[^\n]*)?\n(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t]+["']?[\w.-]+["']?:/m;
const ofAnother = /^(?:apiVersion|kind|AWSTemplateFormatVersion|resources|Resources|stages|jobs):/m;

import { fileNameOf, type ImportFile } from "#importers/import-file.ts";

/** Detects a Compose file by its name, or by a map of services with images or builds. */
export function detectCompose({ path, text }: ImportFile): boolean {
  const name = fileNameOf(path);
  if (!/\.ya?ml$/i.test(name)) return false;
  if (/^(?:docker-|podman-|container-)?compose(?:[._-][\w.-]*)?\.ya?ml$/i.test(name)) return true;
  return (
    services.test(text) && /^[ \t]+["']?(?:image|build)["']?:/m.test(text) && !ofAnother.test(text)
  );
}

const services =
  /^services:[ \t\r]*(?:#[^\n]*)?\n(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t]+["']?[\w.-]+["']?:/m;
const ofAnother = /^(?:apiVersion|kind|AWSTemplateFormatVersion|resources|Resources|stages|jobs):/m;

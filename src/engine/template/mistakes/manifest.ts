import type { MapNode } from "#engine/template/document.ts";
import type { Report } from "#engine/template/report.ts";

/** Reports a document that is a Kubernetes manifest. True if it is. */
export function reportManifest({ entries }: MapNode, report: Report): boolean {
  const version = entries.find(({ key }) => key === "apiVersion");
  const has = (name: string) => entries.some(({ key }) => key === name);
  if (version === undefined || !has("kind") || has("resources")) return false;
  report.error(
    "other_language",
    "This is a Kubernetes manifest, not a template.",
    version.keyPlace,
    "Write `resources: { <name>: { type: …, properties: … } }`.",
  );
  return true;
}

import {
  areaPath,
  ERRORS_PATH,
  EVENTS_PATH,
  VERSIONS_PATH,
} from "#areas/docs/content/docs-paths.ts";
import type { GuidePage } from "#areas/docs/content/guide-page.ts";
import { guideTopics } from "#areas/docs/content/guide-topics.ts";
import type { DocumentArea } from "#areas/docs/document/document-areas.ts";
import { textAt } from "#areas/docs/document/json-at.ts";
import { operationId } from "#areas/docs/document/operation.ts";

interface NavigationEntry {
  title: string;
  path: string;
  /** The places on the page. */
  places: { id: string; title: string; method?: string }[];
}

/** The pages of the reference, in their order. */
export function navigationEntries(
  areas: readonly DocumentArea[],
  guides: readonly GuidePage[],
): NavigationEntry[] {
  return [
    {
      title: "Start",
      path: "/docs",
      places: guideTopics.map(({ id, title }) => ({ id, title })),
    },
    ...guides.map(({ title, path, places }) => ({ title, path, places: [...places] })),
    ...areas.map((area) => ({
      title: area.name,
      path: areaPath(area),
      places: area.endpoints.map((endpoint) => ({
        id: operationId(endpoint),
        title: textAt(endpoint.operation, "summary"),
        method: endpoint.method,
      })),
    })),
    { title: "Events", path: EVENTS_PATH, places: [] },
    {
      title: "Error codes",
      path: ERRORS_PATH,
      places: [
        { id: "request-faults", title: "Codes in `errors`" },
        { id: "deployment-errors", title: "Errors of deployments" },
      ],
    },
    { title: "Versions", path: VERSIONS_PATH, places: [] },
  ];
}

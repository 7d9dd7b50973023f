import { raw } from "hono/html";
import type { JSX } from "hono/jsx/jsx-runtime";
import {
  areaPath,
  ERRORS_PATH,
  EVENTS_PATH,
  VERSIONS_PATH,
} from "#areas/docs/content/docs-paths.ts";
import type { GuidePage } from "#areas/docs/content/guide-page.ts";
import { versionTopics } from "#areas/docs/content/version-topics.ts";
import { type DocumentArea, documentAreas } from "#areas/docs/document/document-areas.ts";
import { mapAt } from "#areas/docs/document/json-at.ts";
import { TopicList } from "#areas/docs/parts/topic-list.tsx";
import type { JsonMap } from "#platform/json.ts";
import { AreaSection } from "./area-section.tsx";
import { docsLayout } from "./docs-layout.tsx";
import { DeploymentErrors, ErrorEntries, RequestFaults } from "./error-entries.tsx";
import { EventSections } from "./event-sections.tsx";
import { StartSection } from "./start-section.tsx";

interface Page {
  title: string;
  main: () => JSX.Element;
}

/** The pages of the API reference by their path, made from the OpenAPI document, and the guides. */
export function docsPages(
  document: JsonMap,
  guides: readonly GuidePage[],
): ReadonlyMap<string, () => Promise<string>> {
  const info = mapAt(document, "info");
  const areas = documentAreas(document);
  return new Map(
    Object.entries({ ...pagesOf(document, info, areas), ...guidesOf(guides) }).map(
      ([path, { title, main }]) => [
        path,
        () => docsLayout({ info, areas, guides, path, title, main: main() }),
      ],
    ),
  );
}

function pagesOf(
  document: JsonMap,
  info: JsonMap,
  areas: readonly DocumentArea[],
): Record<string, Page> {
  return {
    "/docs": { title: "", main: () => <StartSection info={info} areas={areas} /> },
    ...Object.fromEntries(
      areas.map((area): [string, Page] => [
        areaPath(area),
        { title: area.name, main: () => <AreaSection area={area} document={document} /> },
      ]),
    ),
    [EVENTS_PATH]: {
      title: "Events",
      main: () => (
        <section class="area">
          <h1>Events</h1>
          <EventSections document={document} />
        </section>
      ),
    },
    [ERRORS_PATH]: {
      title: "Error codes",
      main: () => (
        <section class="area">
          <h1>Error codes</h1>
          <p>
            The <code>type</code> of a problem leads here. The list is closed: a code never changes
            its meaning.
          </p>
          <ErrorEntries />
          <RequestFaults />
          <DeploymentErrors />
        </section>
      ),
    },
    [VERSIONS_PATH]: { title: "Versions", main: () => <VersionsSection /> },
  };
}

function guidesOf(guides: readonly GuidePage[]): Record<string, Page> {
  return Object.fromEntries(
    guides.map(({ path, title, html }): [string, Page] => [
      path,
      { title, main: () => <section class="area guide">{raw(html)}</section> },
    ]),
  );
}

function VersionsSection(): JSX.Element {
  return (
    <section class="area">
      <h1>Versions</h1>
      <TopicList topics={versionTopics} />
    </section>
  );
}

import type { JSX } from "hono/jsx/jsx-runtime";
import { areaPath } from "#areas/docs/content/docs-paths.ts";
import { guideTopics } from "#areas/docs/content/guide-topics.ts";
import type { DocumentArea } from "#areas/docs/document/document-areas.ts";
import { textAt } from "#areas/docs/document/json-at.ts";
import { Paragraphs } from "#areas/docs/parts/paragraphs.tsx";
import { TopicList } from "#areas/docs/parts/topic-list.tsx";
import type { JsonMap } from "#platform/json.ts";
import { EndpointIndex } from "./endpoint-index.tsx";

/** The first page: the rules of every endpoint, and all endpoints by area. */
export function StartSection(shown: {
  info: JsonMap;
  areas: readonly DocumentArea[];
}): JSX.Element {
  const { info, areas } = shown;
  const count = areas.reduce((sum, { endpoints }) => sum + endpoints.length, 0);
  return (
    <section class="intro">
      <h1>
        {textAt(info, "title")} <span class="version">{textAt(info, "version")}</span>
      </h1>
      <Paragraphs text={textAt(info, "description")} />
      <p class="says">
        {count} endpoints, made from the OpenAPI document: <a href="/api/v1/openapi.json">JSON</a>,{" "}
        <a href="/api/v1/openapi.yaml">YAML</a>.
      </p>
      <GuideSection />
      <h2>Endpoints</h2>
      {areas.map((area) => (
        <>
          <h3>
            <a href={areaPath(area)}>{area.name}</a>
          </h3>
          <EndpointIndex endpoints={area.endpoints} page={areaPath(area)} />
        </>
      ))}
    </section>
  );
}

function GuideSection(): JSX.Element {
  return (
    <div class="guide">
      <TopicList topics={guideTopics} />
    </div>
  );
}

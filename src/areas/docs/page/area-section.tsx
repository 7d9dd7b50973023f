import type { JSX } from "hono/jsx/jsx-runtime";
import type { DocumentArea } from "#areas/docs/document/document-areas.ts";
import { EndpointArticle } from "#areas/docs/parts/endpoint-article.tsx";
import { Paragraphs } from "#areas/docs/parts/paragraphs.tsx";
import type { JsonMap } from "#platform/json.ts";
import { EndpointIndex } from "./endpoint-index.tsx";

/** An area's page: its description, the list of its endpoints, and each of them. */
export function AreaSection(shown: { area: DocumentArea; document: JsonMap }): JSX.Element {
  const { name, description, endpoints } = shown.area;
  return (
    <section class="area">
      <h1>{name}</h1>
      <Paragraphs text={description} />
      <EndpointIndex endpoints={endpoints} page="" />
      {endpoints.map((endpoint) => (
        <EndpointArticle endpoint={endpoint} document={shown.document} />
      ))}
    </section>
  );
}

import type { JSX } from "hono/jsx/jsx-runtime";
import type { DocumentArea } from "#areas/docs/document/document-areas.ts";
import { textAt } from "#areas/docs/document/json-at.ts";
import { operationId } from "#areas/docs/document/operation.ts";
import type { JsonMap } from "#platform/json.ts";
import { EndpointArticle } from "./endpoint-article.tsx";
import { MethodAndPath } from "./method-and-path.tsx";
import { Paragraphs } from "./paragraphs.tsx";
import { TextWithCode } from "./text-with-code.tsx";

/** One area of the document: what it is about, the list of its endpoints, and each of them. */
export function AreaSection(shown: { area: DocumentArea; document: JsonMap }): JSX.Element {
  const { name, description, anchor, endpoints } = shown.area;
  return (
    <section id={anchor} class="area">
      <h2>
        <a href={`#${anchor}`}>{name}</a>
      </h2>
      <Paragraphs text={description} />
      <ul class="index">
        {endpoints.map((endpoint) => (
          <li>
            <a href={`#${operationId(endpoint)}`}>
              <MethodAndPath method={endpoint.method} path={endpoint.path} />{" "}
              <span class="says">
                <TextWithCode text={textAt(endpoint.operation, "summary")} />
              </span>
            </a>
          </li>
        ))}
      </ul>
      {endpoints.map((endpoint) => (
        <EndpointArticle endpoint={endpoint} document={shown.document} />
      ))}
    </section>
  );
}

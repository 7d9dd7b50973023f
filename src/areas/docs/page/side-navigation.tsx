import type { JSX } from "hono/jsx/jsx-runtime";
import type { DocumentArea } from "#areas/docs/document/document-areas.ts";
import { textAt } from "#areas/docs/document/json-at.ts";
import { operationId } from "#areas/docs/document/operation.ts";
import { guideTopics } from "./guide-topics.ts";
import { MethodBadge } from "./method-badge.tsx";
import { TextWithCode } from "./text-with-code.tsx";

export function SideNavigation({ areas }: { areas: readonly DocumentArea[] }): JSX.Element {
  return (
    <nav class="side" aria-label="Reference">
      <details data-area="start" open>
        <summary>Start</summary>
        <ul>
          {guideTopics.map(({ id, title }) => (
            <li>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
      </details>
      {areas.map(({ name, anchor, endpoints }) => (
        <details data-area={anchor}>
          <summary>{name}</summary>
          <ul>
            <li>
              <a href={`#${anchor}`}>About</a>
            </li>
            {endpoints.map((endpoint) => (
              <li>
                <a href={`#${operationId(endpoint)}`}>
                  <MethodBadge method={endpoint.method} />{" "}
                  <TextWithCode text={textAt(endpoint.operation, "summary")} />
                </a>
              </li>
            ))}
          </ul>
        </details>
      ))}
      <a class="alone" href="#events">
        Events
      </a>
      <a class="alone" href="#errors">
        Error codes
      </a>
    </nav>
  );
}

import type { JSX } from "hono/jsx/jsx-runtime";
import { textAt } from "#areas/docs/document/json-at.ts";
import { type Operation, operationId } from "#areas/docs/document/operation.ts";
import { MethodAndPath } from "#areas/docs/parts/method-and-path.tsx";
import { TextWithCode } from "#areas/docs/parts/text-with-code.tsx";

/** `page`: the path of the page with the endpoints; empty: this page. */
export function EndpointIndex(shown: {
  endpoints: readonly Operation[];
  page: string;
}): JSX.Element {
  return (
    <ul class="index">
      {shown.endpoints.map((endpoint) => (
        <li>
          <a href={`${shown.page}#${operationId(endpoint)}`}>
            <MethodAndPath method={endpoint.method} path={endpoint.path} />{" "}
            <span class="says">
              <TextWithCode text={textAt(endpoint.operation, "summary")} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

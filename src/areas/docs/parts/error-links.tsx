import type { JSX } from "hono/jsx/jsx-runtime";
import { errorPath } from "#areas/docs/content/docs-paths.ts";
import { textAt } from "#areas/docs/document/json-at.ts";
import { isSuccess } from "#areas/docs/document/operation.ts";
import { isErrorCode } from "#kernel/errors.ts";
import { isJsonMap, type Json } from "#platform/json.ts";

/** The error codes of an endpoint's answers, by status; nothing if they have none. */
export function ErrorLinks(shown: {
  responses: readonly (readonly [string, Json])[];
}): JSX.Element {
  const failures = shown.responses.flatMap(([status, answer]) => {
    if (isSuccess(status) || !isJsonMap(answer)) return [];
    const named = textAt(answer, "description").matchAll(/`([a-z_]+)`/g);
    const codes = [...named].map(([, name]) => name ?? "").filter(isErrorCode);
    return codes.length === 0 ? [] : [{ status, codes }];
  });
  if (failures.length === 0) return <></>;
  return (
    <>
      <h4>Errors</h4>
      <ul class="failures">
        {failures.map(({ status, codes }) => (
          <li>
            <span class="status">{status}</span>
            {codes.map((error) => [
              " ",
              <a href={errorPath(error)}>
                <code>{error}</code>
              </a>,
            ])}
          </li>
        ))}
      </ul>
    </>
  );
}

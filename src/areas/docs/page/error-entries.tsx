import type { JSX } from "hono/jsx/jsx-runtime";
import { errorCodes, errorStatus, errorTitle } from "#kernel/errors.ts";
import { errorAdvice } from "./error-advice.ts";
import { errorAnchor } from "./error-anchor.ts";
import { TextWithCode } from "./text-with-code.tsx";

/** An entry for each error code: where a problem's `type` leads. */
export function ErrorEntries(): JSX.Element {
  return (
    <dl class="errors">
      {errorCodes.map((error) => (
        <div class="error" id={errorAnchor(error)}>
          <dt>
            <a href={`#${errorAnchor(error)}`}>
              <code>{error}</code>
            </a>{" "}
            <span class="status">{errorStatus(error)}</span>{" "}
            <TextWithCode text={errorTitle(error)} />
          </dt>
          <dd>
            <TextWithCode text={errorAdvice[error]} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

import type { JSX } from "hono/jsx/jsx-runtime";
import { errorAdvice } from "#areas/docs/content/error-advice.ts";
import { TextWithCode } from "#areas/docs/parts/text-with-code.tsx";
import { errorCodes, errorStatus, errorTitle } from "#kernel/errors.ts";

/** An entry for each error code: where a problem's `type` leads. */
export function ErrorEntries(): JSX.Element {
  return (
    <dl class="errors">
      {errorCodes.map((error) => (
        <div class="error" id={error}>
          <dt>
            <a href={`#${error}`}>
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

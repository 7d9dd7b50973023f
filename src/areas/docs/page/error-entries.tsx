import type { JSX } from "hono/jsx/jsx-runtime";
import {
  cloudCodes,
  deploymentErrorAdvice,
  whoseFault,
} from "#areas/docs/content/deployment-error-advice.ts";
import { deploymentErrorId, faultId } from "#areas/docs/content/docs-paths.ts";
import { errorAdvice } from "#areas/docs/content/error-advice.ts";
import { TextWithCode } from "#areas/docs/parts/text-with-code.tsx";
import { type FaultCode, faultCodes } from "#http/faults.ts";
import { errorCodes, errorStatus, errorTitle } from "#kernel/errors.ts";
import { type DeploymentErrorCode, faultOfCode } from "#schema/lists/deployment-faults.ts";

export const requestFaults = Object.keys(faultCodes) as FaultCode[];
export const deploymentErrors = Object.keys(faultOfCode) as DeploymentErrorCode[];

/** An entry for each error code: the place that a problem's `type` points to. */
export function ErrorEntries(): JSX.Element {
  return (
    <dl class="errors">
      {errorCodes.map((code) => (
        <Entry id={code} code={code} status={errorStatus(code)} title={errorTitle(code)}>
          {errorAdvice[code]}
        </Entry>
      ))}
    </dl>
  );
}

/** The fault codes in `errors` of a problem. */
export function RequestFaults(): JSX.Element {
  return (
    <>
      <h2 class="kinds" id="request-faults">
        Codes in <code>errors</code>
      </h2>
      <p>
        <code>errors</code> of a problem names each place in the request and, by one of these codes,
        what is wrong there. Some endpoints name others.
      </p>
      <dl class="errors">
        {requestFaults.map((code) => (
          <Entry id={faultId(code)} code={code}>
            {faultCodes[code]}
          </Entry>
        ))}
      </dl>
    </>
  );
}

export function DeploymentErrors(): JSX.Element {
  return (
    <>
      <h2 class="kinds" id="deployment-errors">
        Errors of deployments
      </h2>
      <p>
        These are the codes of <code>error.code</code> of a failed deployment, each with whose fault
        it is: who has to act. If <code>error.fault</code> differs, that counts.
      </p>
      <p id="deployment-cloud-codes">
        <TextWithCode text={cloudCodes} />
      </p>
      <dl class="errors">
        {deploymentErrors.map((code) => (
          <Entry id={deploymentErrorId(code)} code={code} title={whoseFault[faultOfCode[code]]}>
            {deploymentErrorAdvice[code]}
          </Entry>
        ))}
      </dl>
    </>
  );
}

function Entry(shown: {
  id: string;
  code: string;
  status?: number;
  title?: string;
  children: string;
}): JSX.Element {
  const { id, code, status, title = "", children } = shown;
  return (
    <div class="error" id={id}>
      <dt>
        <a href={`#${id}`}>
          <code>{code}</code>
        </a>{" "}
        {status !== undefined && <span class="status">{status}</span>} <TextWithCode text={title} />
      </dt>
      <dd>
        <TextWithCode text={children} />
      </dd>
    </div>
  );
}

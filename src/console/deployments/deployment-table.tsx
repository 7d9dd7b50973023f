/** Deployments as the rows of a table, with what each did, who asked and how long it took. */
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import type { DeploymentView } from "#areas/deployment-records/contract.ts";
import { RowOwner, StateTag, Table, Time } from "#console/parts.tsx";
import type { Reader } from "#console/reader.ts";
import { durationWords } from "#console/shared/time-words.ts";
import { isFinal } from "#schema/lists/deployment-states.ts";
import { operationWord, outcomeWords, requester } from "#schema/lists/deployment-words.ts";

export type Deployment = z.output<typeof DeploymentView>;

/** `isOfOne`: all are of one instance, which the rows do not name. */
export function DeploymentTable(shown: {
  deployments: readonly Deployment[];
  reader: Reader;
  isOfOne?: boolean;
}): JSX.Element {
  const { deployments, reader, isOfOne = false } = shown;
  return (
    <Table
      columns={[
        "Deployment",
        "State",
        "What it does",
        ...(isOfOne ? [] : ["Target"]),
        "Requested by",
        "When",
        "Took",
      ]}
      rows={deployments.map((deployment) => [
        <>
          <a href={`/deployments/${deployment.id}`}>
            {operationWord(deployment.operation)}
            {!isOfOne && ` of ${deployment.instanceName ?? "a deleted instance"}`}
          </a>{" "}
          {!isOfOne && <RowOwner reader={reader} tenantId={deployment.tenantId} />}
          {deployment.message !== null && deployment.message !== "" && (
            <div class="soft one-line">{deployment.message}</div>
          )}
        </>,
        <StateTag state={deployment.state} />,
        <Outcome deployment={deployment} />,
        ...(isOfOne ? [] : [<TargetLink target={deployment.target} />]),
        <span class="one-line who" title={requester(deployment)}>
          {requester(deployment)}
        </span>,
        <Time at={deployment.createdAt} />,
        tookWords(deployment, Date.now()),
      ])}
    />
  );
}

/** What it does or did; of a failure, its cause. */
function Outcome({ deployment }: { deployment: Deployment }): JSX.Element {
  const { error, templateVersion } = deployment;
  if (error !== null)
    return (
      <span class="one-line" title={error.message}>
        {error.resource !== undefined && <strong>{error.resource}: </strong>}
        {error.message}
      </span>
    );
  const words = outcomeWords(deployment);
  return (
    <>
      {words ?? ""}{" "}
      {templateVersion !== null && <span class="soft">version {templateVersion}</span>}
    </>
  );
}

export function TargetLink({ target }: Pick<Deployment, "target">): JSX.Element {
  return (
    <>
      <a href={`/targets/${target.id}`}>{target.name}</a>{" "}
      <span class={`tag ${target.environment === "production" ? "wait" : ""}`}>
        {target.environment}
      </span>
    </>
  );
}

/** From the start of the run to its end, or until now. Without the wait in the queue. */
function tookWords({ timestamps, state }: Deployment, nowMs: number): string {
  const start = timestamps.PLANNING;
  if (start === undefined) return "";
  const times = Object.values(timestamps).map((at) => Date.parse(at));
  return durationWords((isFinal(state) ? Math.max(...times) : nowMs) - Date.parse(start));
}

/** When a deployment entered each state, how long it stayed there, and who decided. */
import type { JSX } from "hono/jsx/jsx-runtime";
import { StateTag } from "#console/parts.tsx";
import { durationWords, exactTime } from "#console/shared/time-words.ts";
import { type DeploymentState, isFinal } from "#schema/lists/deployment-states.ts";
import { requester } from "#schema/lists/deployment-words.ts";
import type { Deployment } from "./deployment-table.tsx";

type Decision = Deployment["approvals"][number];

export function Timeline({ deployment }: { deployment: Deployment }): JSX.Element {
  const { timestamps, approvals, discard } = deployment;
  const steps = (Object.entries(timestamps) as [DeploymentState, string][]).toSorted(
    ([, a], [, b]) => Date.parse(a) - Date.parse(b),
  );
  return (
    <ol class="timeline">
      {steps.map(([state, at], nth) => (
        <li>
          <StateTag state={state} /> <time datetime={at}>{exactTime(at)}</time>{" "}
          <span class="soft">{isFinal(state) ? "" : stayWords(at, steps[nth + 1]?.[1])}</span>
          {state === "APPLYING" &&
            approvals.map((one) => <Decided decision={one} word="Approved" />)}
          {state === "DISCARDED" && discard !== null && (
            <Decided decision={discard} word="Discarded" />
          )}
        </li>
      ))}
    </ol>
  );
}

/** The time in a state; until now if it is the last one. */
function stayWords(from: string, to: string | undefined): string {
  const ms = (to === undefined ? Date.now() : Date.parse(to)) - Date.parse(from);
  return `${durationWords(ms)}${to === undefined ? " so far" : ""}`;
}

function Decided({ decision, word }: { decision: Decision; word: string }): JSX.Element {
  return (
    <div>
      {word} by {requester({ requestedBy: decision.by, trigger: "manual" })}
      {decision.comment !== null && (
        <>
          : <q class="said">{decision.comment}</q>
        </>
      )}
    </div>
  );
}

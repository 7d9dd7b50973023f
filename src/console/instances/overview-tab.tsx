/** What is to know first of an instance: what is wrong, what runs, its outputs, and who changed what. */
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import { type AuditEventView, listAuditEventsEndpoint } from "#areas/audit/contract.ts";
import { deployInstanceEndpoint } from "#areas/deployments/start-contract.ts";
import { type ActorNames, actorWords, readActorNames } from "#console/audit/actor-names.ts";
import { type Deployment, DeploymentTable } from "#console/deployments/deployment-table.tsx";
import type { PageApi } from "#console/page-api.ts";
import { ActButton, Time } from "#console/parts.tsx";
import { may, type Reader } from "#console/reader.ts";
import { data } from "#console/shared/page-names.ts";
import { isActive, isFinal } from "#schema/lists/deployment-states.ts";
import { headline, whoActs } from "#schema/lists/deployment-words.ts";
import type { Instance } from "./bindings.tsx";
import type { Drift } from "./drift.ts";
import { Outputs } from "./outputs.tsx";

type Entry = z.output<typeof AuditEventView>;

export interface Activity {
  entries: readonly Entry[];
  names: ActorNames;
}

const SHOWN = "8";

/** Null: the reader may not read the audit log. */
export async function readActivity(
  api: PageApi,
  { id, tenantId }: Instance,
): Promise<Activity | null> {
  const of = tenantId ?? undefined;
  const [log, names] = await Promise.all([
    api.readIfAny(listAuditEventsEndpoint, {}, { tenantId: of, resourceId: id, limit: SHOWN }),
    readActorNames(api, of),
  ]);
  return log && { entries: log.data, names };
}

export function OverviewTab(shown: {
  instance: Instance;
  latest: readonly Deployment[];
  drift: Drift | undefined;
  activity: Activity | null;
  reader: Reader;
}): JSX.Element {
  const { instance, latest, drift, activity, reader } = shown;
  const path = `/instances/${instance.id}`;
  return (
    <div id="overview" {...data({ live: true, open: latest.some(({ state }) => isActive(state)) })}>
      <Open of={latest} name={instance.name} />
      <Failure
        instance={instance}
        last={latest.find(({ state }) => isFinal(state))}
        reader={reader}
      />
      {drift !== undefined && drift.resources.size > 0 && (
        <p class="note bad">
          The cloud differs from what was deployed:{" "}
          <a href={`/deployments/${drift.checkId}`}>
            {drift.resources.size === 1
              ? "1 resource has drifted"
              : `${drift.resources.size} resources have drifted`}
          </a>
          , found <Time at={drift.at} />.
        </p>
      )}
      <h2>Outputs</h2>
      <Outputs instance={instance} />
      <h2>Latest deployments</h2>
      {latest.length === 0 ? (
        <p class="soft">It was never deployed.</p>
      ) : (
        <>
          <DeploymentTable deployments={latest} reader={reader} isOfOne />
          <p>
            <a href={`${path}/deployments`}>All deployments</a>
          </p>
        </>
      )}
      {activity !== null && activity.entries.length > 0 && (
        <>
          <h2>Who changed what</h2>
          <ul class="list">
            {activity.entries.map(({ actor, action, at }) => (
              <li>
                <span>
                  {actorWords(actor, activity.names)}: {changeWords(action)}
                </span>
                <Time at={at} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** `instance.check_drift`: `check drift`. */
function changeWords(action: string): string {
  return action.slice(action.indexOf(".") + 1).replaceAll("_", " ");
}

/** A plan to approve, and the runs that have not ended. */
function Open({ of, name }: { of: readonly Deployment[]; name: string }): JSX.Element {
  return (
    <>
      {of
        .filter(({ state }) => !isFinal(state))
        .map((deployment) => (
          <p class="note">
            <a href={`/deployments/${deployment.id}`}>{headline(deployment, name)}</a>
          </p>
        ))}
    </>
  );
}

/** Why the last deployment failed. */
function Failure(shown: {
  instance: Instance;
  last: Deployment | undefined;
  reader: Reader;
}): JSX.Element {
  const { instance, last, reader } = shown;
  if (last === undefined || last.error === null) return <></>;
  const { error, id } = last;
  const isDestroy = last.operation === "destroy";
  return (
    <div class="note bad">
      <p>
        <strong>
          <a href={`/deployments/${id}`}>{headline(last, instance.name)}</a>
        </strong>
      </p>
      <p>
        {error.resource !== undefined && <strong>{error.resource}: </strong>}
        {error.message} <code>{error.code}</code>
      </p>
      <p>{whoActs[error.fault]}</p>
      {!isDestroy && may(reader, deployInstanceEndpoint, instance.tenantId) && (
        <p class="acts">
          <ActButton
            method="POST"
            path={`/instances/${instance.id}/deploy`}
            words="Deploy again"
            tone="main"
            goTo="/deployments/{id}"
          />
        </p>
      )}
    </div>
  );
}

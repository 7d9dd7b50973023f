/** `/deployments/{id}`: the state of a deployment, its plan and log, and its actions. */
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import {
  getDeploymentEndpoint,
  getDeploymentLogEndpoint,
  getDeploymentPlanEndpoint,
} from "#areas/deployments/contract.ts";
import { deployInstanceEndpoint } from "#areas/deployments/start-contract.ts";
import { listInstanceResourcesEndpoint } from "#areas/instances/contract.ts";
import { getTemplateVersionEndpoint } from "#areas/templates/contract.ts";
import type { ConsolePage, PageAddress } from "#console/console-page.ts";
import type { PageApi } from "#console/page-api.ts";
import { ActButton, ActNotes, Owner, StateTag, Time } from "#console/parts.tsx";
import { may, type Reader } from "#console/reader.ts";
import { data, ids, rowId } from "#console/shared/page-names.ts";
import { isFinal } from "#schema/lists/deployment-states.ts";
import { headline, outcomeWords, requester, whoActs } from "#schema/lists/deployment-words.ts";
import { ApprovalCard } from "./approval-card.tsx";
import { type Deployment, TargetLink } from "./deployment-table.tsx";
import type { Dependencies } from "./expand-dependencies.ts";
import { LogLines } from "./log-lines.tsx";
import { PlanChanges } from "./plan-changes.tsx";
import { Timeline } from "./timeline.tsx";

type WithInstance = z.output<NonNullable<typeof getDeploymentEndpoint.answer.schema>>;

export const deploymentPage: ConsolePage = {
  path: "/deployments/:id",
  load: async (api, { params }) => {
    const asked = readDeployment(api, params);
    const [deployment, dependencies, plan, log] = await Promise.all([
      asked,
      asked.then((deployment) => dependenciesOf(api, deployment)),
      api.readIfAny(getDeploymentPlanEndpoint, params),
      api.readIfAny(getDeploymentLogEndpoint, params),
    ]);
    const { instance } = deployment;
    const name = instance?.name ?? "a deleted instance";
    return (reader) => ({
      title: headline(deployment, name).slice(0, -1),
      scripts: ["console", "deployment"],
      body: (
        <>
          <section
            id={ids.standing}
            {...data({
              live: true,
              operation: deployment.operation,
              over: isFinal(deployment.state) && deployment.state !== "SUCCEEDED",
            })}
          >
            <p class="crumbs">
              <Owner reader={reader} tenantId={deployment.tenantId} />{" "}
              <a href="/instances">Instances</a>{" "}
              {instance ? <a href={`/instances/${instance.id}`}>{instance.name}</a> : name}
            </p>
            <div class="row">
              <h1>{headline(deployment, name)}</h1>
              <StateTag state={deployment.state} />
            </div>
            <Facts deployment={deployment} />
            <Problems deployment={deployment} />
          </section>
          <ActNotes />
          <div id="card" {...data({ live: true })}>
            {deployment.state === "AWAITING_APPROVAL" && (
              <ApprovalCard deployment={deployment} plan={plan} name={name} />
            )}
          </div>
          <Actions deployment={deployment} name={name} reader={reader} />
          <section id={ids.plan}>
            <h2>{deployment.operation === "drift_check" ? "What differs" : "Plan"}</h2>
            <PlanChanges
              plan={plan}
              empty={isFinal(deployment.state) ? "No plan was made." : "There is no plan yet."}
              dependencies={dependencies}
              isDriftCheck={deployment.operation === "drift_check"}
            />
          </section>
          <section>
            <LogLines
              deploymentId={deployment.id}
              entries={log?.data ?? []}
              pruned={log?.pruned ?? false}
              isOpen={!isFinal(deployment.state)}
            />
          </section>
          <section id="timeline" {...data({ live: true })}>
            <h2>Timeline</h2>
            <Timeline deployment={deployment} />
          </section>
        </>
      ),
    });
  },
};

function readDeployment(api: PageApi, params: PageAddress["params"]) {
  return api.read(getDeploymentEndpoint, params, { include: "instance" });
}

/**
 * The dependencies of each resource, from the deployed template version. For resources that it no longer has, from the
 * instance.
 */
async function dependenciesOf(
  api: PageApi,
  { instance, templateVersion }: Awaited<ReturnType<typeof readDeployment>>,
): Promise<Dependencies> {
  if (!instance) return new Map();
  const { id, templateId } = instance;
  const [version, current] = await Promise.all([
    templateVersion === null
      ? null
      : api.readIfAny(getTemplateVersionEndpoint, {
          id: templateId,
          version: `${templateVersion}`,
        }),
    api.readIfAny(listInstanceResourcesEndpoint, { id }),
  ]);
  return new Map(
    [...(current?.data ?? []), ...(version?.resources ?? [])].map(({ name, dependsOn }) => [
      name,
      dependsOn,
    ]),
  );
}

function Facts({ deployment }: { deployment: Deployment }): JSX.Element {
  const { templateVersion, message, planHash, createdAt, blockedBy } = deployment;
  // The card of the approval has the rest.
  const isDecided = deployment.state !== "AWAITING_APPROVAL";
  const summary = outcomeWords(deployment);
  return (
    <>
      <p class="soft">
        Requested by {requester(deployment)}, <Time at={createdAt} />
        {templateVersion !== null && `; template version ${templateVersion}`}; at{" "}
        <TargetLink target={deployment.target} />
      </p>
      {message !== null && isDecided && <p class="quote">{message}</p>}
      {blockedBy !== null && blockedBy.kind !== "approval" && (
        <p>
          {blockedBy.kind === "instance_busy" ? (
            <a href={`/deployments/${blockedBy.id}`}>See the deployment ahead of it</a>
          ) : (
            <>
              <a href={`/targets/${blockedBy.id}`}>See the target that it waits for</a>. If tenants
              share it, deployments of others may start in between.
            </>
          )}
        </p>
      )}
      {summary !== undefined && isDecided && (
        <p>
          {summary}.{" "}
          {planHash !== null && (
            <span class="soft">
              The plan is <code>{planHash.slice(0, 16)}</code>.
            </span>
          )}
        </p>
      )}
    </>
  );
}

function Problems({ deployment }: { deployment: Deployment }): JSX.Element {
  const { error, outputsError } = deployment;
  return (
    <>
      {error !== null && (
        <div class="note bad">
          <p>
            <strong>
              {error.resource === undefined ? (
                "The deployment failed"
              ) : (
                <a href={`#${encodeURIComponent(rowId(error.resource))}`}>{error.resource}</a>
              )}
            </strong>
            : {error.message} <code>{error.code}</code>
          </p>
          <p>{whoActs[error.fault]}</p>
        </div>
      )}
      {outputsError !== null && (
        <div class="note bad">
          <p>
            <strong>{outputsError.output ?? "The outputs"}</strong>: {outputsError.message}{" "}
            <code>{outputsError.code}</code>
          </p>
          <p class="soft">The instance keeps the outputs that it had.</p>
        </div>
      )}
    </>
  );
}

/** The actions that the API permits now, besides the decision on a plan. */
function Actions(shown: { deployment: WithInstance; name: string; reader: Reader }): JSX.Element {
  const { deployment, name, reader } = shown;
  const { id, actions, operation, state, instanceId, instance, tenantId } = deployment;
  const path = (action: string) => `/deployments/${id}/${action}`;
  return (
    <p class="acts" id="actions" {...data({ live: true })}>
      {actions.includes("cancel") && (
        <ActButton
          method="POST"
          path={path("cancel")}
          words="Cancel"
          confirm="Cancel this deployment? Requests to the cloud that are under way are finished; no others are started."
        />
      )}
      {operation === "deploy" &&
        state === "FAILED" &&
        instance &&
        may(reader, deployInstanceEndpoint, tenantId) && (
          <ActButton
            method="POST"
            path={`/instances/${instanceId}/deploy`}
            words="Deploy again"
            tone="main"
            goTo="/deployments/{id}"
          />
        )}
      {actions.includes("rollback") && (
        <ActButton
          method="POST"
          path={path("rollback")}
          words="Roll back"
          confirm={`Deploy ${name} again as it was before this deployment?`}
          goTo="/deployments/{id}"
        />
      )}
      {operation === "plan" && state === "SUCCEEDED" && instance && (
        <a class="button" href={`/instances/${instanceId}`}>
          Go on to {name}, to deploy it
        </a>
      )}
    </p>
  );
}

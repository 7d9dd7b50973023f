/** `/deployments/{id}`: the state of a deployment, its plan and log, and its actions. */
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import type { DeploymentView } from "#areas/deployment-records/contract.ts";
import {
  getDeploymentEndpoint,
  getDeploymentLogEndpoint,
  getDeploymentPlanEndpoint,
} from "#areas/deployments/contract.ts";
import { listInstanceResourcesEndpoint } from "#areas/instances/contract.ts";
import { getTemplateVersionEndpoint } from "#areas/templates/contract.ts";
import type { ConsolePage, PageAddress } from "#console/console-page.ts";
import type { PageApi } from "#console/page-api.ts";
import { ActButton, ActNotes, Owner, StateTag, Time } from "#console/parts.tsx";
import { data, ids, rowId } from "#console/shared/page-names.ts";
import { type DeploymentState, isFinal } from "#schema/lists/deployment-states.ts";
import { headline, requester, summaryWords, whoActs } from "#schema/lists/deployment-words.ts";
import type { Dependencies } from "./expand-dependencies.ts";
import { LogLines } from "./log-lines.tsx";
import { PlanChanges } from "./plan-changes.tsx";

type Deployment = z.output<typeof DeploymentView>;

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
          <section id="standing" {...data({ live: true })}>
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
          <Actions deployment={deployment} name={name} hasInstance={Boolean(instance)} />
          <section id={ids.plan}>
            <h2>Plan</h2>
            <PlanChanges
              plan={plan}
              empty={isFinal(deployment.state) ? "No plan was made." : "There is no plan yet."}
              dependencies={dependencies}
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
  const { templateVersion, message, planHash, createdAt, blockedBy, state, actions } = deployment;
  const summary = summaryWords(deployment);
  return (
    <>
      <p class="soft">
        Requested by {requester(deployment)}, <Time at={createdAt} />
        {templateVersion !== null && `; template version ${templateVersion}`}.
      </p>
      {message !== null && <p class="quote">{message}</p>}
      {state === "AWAITING_APPROVAL" && !actions.includes("approve") && (
        <p class="note">
          Somebody else has to approve this plan: it takes an admin of the tenant and, where every
          plan needs approval, a person who neither requested it nor wrote what it deploys. Send
          them the address of this page.
        </p>
      )}
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
      {summary !== undefined && (
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

/** The actions that the API permits now. */
function Actions(shown: {
  deployment: Deployment;
  name: string;
  hasInstance: boolean;
}): JSX.Element {
  const { deployment, name, hasInstance } = shown;
  const { id, actions, operation, state, instanceId } = deployment;
  const path = (action: string) => `/deployments/${id}/${action}`;
  return (
    <p class="acts" id="actions" {...data({ live: true })}>
      {actions.includes("approve") && (
        <ActButton method="POST" path={path("approve")} words="Approve the plan" tone="main" />
      )}
      {actions.includes("discard") && (
        <ActButton method="POST" path={path("discard")} words="Discard the plan" />
      )}
      {actions.includes("cancel") && (
        <ActButton
          method="POST"
          path={path("cancel")}
          words="Cancel"
          confirm="Cancel this deployment? Requests to the cloud that are under way are finished; no others are started."
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
      {operation === "plan" && state === "SUCCEEDED" && hasInstance && (
        <a class="button" href={`/instances/${instanceId}`}>
          Go on to {name}, to deploy it
        </a>
      )}
    </p>
  );
}

function Timeline({ deployment }: { deployment: Deployment }): JSX.Element {
  const steps = Object.entries(deployment.timestamps) as [DeploymentState, string][];
  return (
    <ol class="timeline">
      {steps
        .toSorted(([, a], [, b]) => Date.parse(a) - Date.parse(b))
        .map(([state, at]) => (
          <li>
            <StateTag state={state} /> <Time at={at} />
          </li>
        ))}
    </ol>
  );
}

/** `/deployments/{id}`: where a deployment stands, what its plan changes, its log, and what the reader may do with it. */
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import {
  type DeploymentView,
  getDeploymentLogEndpoint,
  getDeploymentPlanEndpoint,
} from "#areas/deployments/contract.ts";
import { getDeploymentEndpoint } from "#areas/instances/contract.ts";
import type { ConsolePage } from "#console/console-page.ts";
import { ActButton, ActNotes, StateTag, Time } from "#console/parts.tsx";
import { tenantName } from "#console/reader.ts";
import { type DeploymentState, isFinal } from "#schema/lists/deployment-states.ts";
import { headline, requester, summaryWords, whoActs } from "#schema/lists/deployment-words.ts";
import { LogLines } from "./log-lines.tsx";
import { PlanChanges } from "./plan-changes.tsx";

type Deployment = z.output<typeof DeploymentView>;

export const deploymentPage: ConsolePage = {
  path: "/deployments/:id",
  load: async (api, { params }) => {
    const [deployment, plan, log] = await Promise.all([
      api.read(getDeploymentEndpoint, params, { include: "instance" }),
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
          <section id="standing" data-live>
            <p class="crumbs">
              {tenantName(reader, deployment.tenantId)} <a href="/instances">Instances</a>{" "}
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
          <Actions deployment={deployment} name={name} />
          <section id="plan" data-live>
            <h2>Plan</h2>
            {plan === null ? (
              <p class="soft">
                {isFinal(deployment.state) ? "No plan was made." : "There is no plan yet."}
              </p>
            ) : (
              <PlanChanges plan={plan} />
            )}
          </section>
          <section>
            <LogLines
              deploymentId={deployment.id}
              entries={log?.data ?? []}
              pruned={log?.pruned ?? false}
              isOpen={!isFinal(deployment.state)}
            />
          </section>
          <section id="timeline" data-live>
            <h2>Timeline</h2>
            <Timeline deployment={deployment} />
          </section>
        </>
      ),
    });
  },
};

function Facts({ deployment }: { deployment: Deployment }): JSX.Element {
  const { templateVersion, message, planHash, createdAt } = deployment;
  const summary = summaryWords(deployment);
  return (
    <>
      <p class="soft">
        Requested by {requester(deployment)}, <Time at={createdAt} />
        {templateVersion !== null && `; template version ${templateVersion}`}.
      </p>
      {message !== null && <p class="quote">{message}</p>}
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
            <strong>{error.resource ?? "The deployment failed"}</strong>: {error.message}{" "}
            <code>{error.code}</code>
          </p>
          <p class="soft">{whoActs[error.fault]}</p>
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

/** What the API says that the reader may do now. */
function Actions({ deployment, name }: { deployment: Deployment; name: string }): JSX.Element {
  const { id, actions } = deployment;
  const path = (action: string) => `/deployments/${id}/${action}`;
  return (
    <p class="acts" id="actions" data-live>
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
        />
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

/** `/instances/{id}`: what an instance is made of, what it gives to others, what deploys it, and what was deployed. */
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import { getDeploymentPlanEndpoint, listDeploymentsEndpoint } from "#areas/deployments/contract.ts";
import {
  checkDriftEndpoint,
  deployInstanceEndpoint,
  destroyInstanceEndpoint,
  getInstanceEndpoint,
  type InstanceView,
  listInstanceResourcesEndpoint,
  planInstanceEndpoint,
  updateInstanceEndpoint,
} from "#areas/instances/contract.ts";
import { listTriggersEndpoint } from "#areas/triggers/contract.ts";
import type { ConsolePage } from "#console/console-page.ts";
import type { PageApi } from "#console/page-api.ts";
import { ActButton, ActNotes, StateTag, Table, Time } from "#console/parts.tsx";
import { may, type Reader, tenantName } from "#console/reader.ts";
import { isFinal } from "#schema/lists/deployment-states.ts";
import { headline, operationWord, requester } from "#schema/lists/deployment-words.ts";
import { Resources } from "./resources.tsx";
import { Variables } from "./variables.tsx";

type Instance = z.output<typeof InstanceView>;
type Triggers = z.output<NonNullable<typeof listTriggersEndpoint.answer.schema>>["data"];
type Deployments = z.output<NonNullable<typeof listDeploymentsEndpoint.answer.schema>>["data"];

export const instancePage: ConsolePage = {
  path: "/instances/:id",
  load: async (api, { params }) => {
    const [instance, resources, triggers, deployments, drifted] = await Promise.all([
      api.read(getInstanceEndpoint, params, { include: "template,target" }),
      api.readIfAny(listInstanceResourcesEndpoint, params),
      api.readIfAny(listTriggersEndpoint, params),
      api.readIfAny(listDeploymentsEndpoint, {}, { instanceId: params["id"], limit: "20" }),
      driftedIn(api, params["id"] ?? ""),
    ]);
    return (reader) => ({
      title: instance.name,
      scripts: ["console", "graph"],
      body: (
        <>
          <p class="crumbs">
            {tenantName(reader, instance.tenantId)} <a href="/instances">Instances</a>
          </p>
          <div class="row">
            <h1>{instance.name}</h1>
            <span>
              <StateTag state={instance.state} /> <StateTag state={instance.drift} />
            </span>
          </div>
          <Facts instance={instance} />
          <Waiting deployments={deployments?.data ?? []} name={instance.name} />
          <ActNotes />
          <Actions instance={instance} reader={reader} />
          <h2>Resources</h2>
          <Resources
            resources={resources?.data ?? []}
            drifted={instance.drift === "DRIFTED" ? drifted : new Set()}
          />
          <h2>Outputs</h2>
          <Outputs instance={instance} />
          <h2>Variables</h2>
          <Variables
            instance={instance}
            mayChange={may(reader, updateInstanceEndpoint, instance.tenantId)}
          />
          <h2>Triggers</h2>
          <Triggers triggers={triggers?.data ?? []} />
          <h2>Deployments</h2>
          <Deployments deployments={deployments?.data ?? []} />
        </>
      ),
    });
  },
};

/** The names of the resources that differed in the last check for drift, if it found any. */
async function driftedIn(api: PageApi, instanceId: string): Promise<ReadonlySet<string>> {
  const checks = await api.readIfAny(
    listDeploymentsEndpoint,
    {},
    { instanceId, operation: "drift_check", state: "SUCCEEDED,NO_CHANGES", limit: "1" },
  );
  const [last] = checks?.data ?? [];
  if (last?.state !== "SUCCEEDED") return new Set();
  const plan = await api.readIfAny(getDeploymentPlanEndpoint, { id: last.id });
  const changes = plan?.changes.filter(({ action }) => action !== "unchanged") ?? [];
  return new Set(changes.map(({ resource }) => resource));
}

function Facts({ instance }: { instance: Instance }): JSX.Element {
  const { template, templateId, templateVersion, availableVersion, target, targetId } = instance;
  return (
    <>
      <p class="soft">
        {template?.name ?? templateId}, version {templateVersion}
        {availableVersion !== null && ` (${availableVersion} is there)`}, at{" "}
        {target?.name ?? targetId}.
      </p>
      {instance.expiresAt !== null && (
        <p>
          It is destroyed automatically at <Time at={instance.expiresAt} />.
        </p>
      )}
      {instance.protectedFromDestroy && (
        <p class="soft">It is protected: nothing of it is deleted or replaced.</p>
      )}
    </>
  );
}

/** What the instance waits for: a plan to approve, or a run that goes on. */
function Waiting(shown: { deployments: Deployments; name: string }): JSX.Element {
  const open = shown.deployments.filter(({ state }) => !isFinal(state));
  return (
    <>
      {open.map((deployment) => (
        <p class="note">
          <a href={`/deployments/${deployment.id}`}>{headline(deployment, shown.name)}</a>
        </p>
      ))}
    </>
  );
}

function Actions({ instance, reader }: { instance: Instance; reader: Reader }): JSX.Element {
  const { id, tenantId, name, protectedFromDestroy } = instance;
  return (
    <p class="acts">
      {may(reader, planInstanceEndpoint, tenantId) && (
        <ActButton method="POST" path={`/instances/${id}/plan`} words="Plan" tone="main" />
      )}
      {may(reader, deployInstanceEndpoint, tenantId) && (
        <ActButton
          method="POST"
          path={`/instances/${id}/deploy`}
          words="Deploy"
          confirm={`Deploy ${name}? A plan that needs no approval is applied at once.`}
        />
      )}
      {may(reader, checkDriftEndpoint, tenantId) && (
        <ActButton method="POST" path={`/instances/${id}/check-drift`} words="Check drift" />
      )}
      {may(reader, updateInstanceEndpoint, tenantId) && !protectedFromDestroy && (
        <ActButton
          method="PATCH"
          path={`/instances/${id}`}
          body={{ protectedFromDestroy: true }}
          words="Protect"
        />
      )}
      {may(reader, destroyInstanceEndpoint, tenantId) &&
        (protectedFromDestroy ? (
          <ActButton
            method="PATCH"
            path={`/instances/${id}`}
            body={{ protectedFromDestroy: false }}
            words="Remove the protection"
            confirm={`Remove the protection of ${name}? It can be destroyed then.`}
          />
        ) : (
          <ActButton
            method="POST"
            path={`/instances/${id}/destroy`}
            words="Destroy"
            tone="danger"
            typed={name}
            confirm={`All objects of ${name} are deleted at the cloud.`}
          />
        ))}
    </p>
  );
}

function Outputs({ instance }: { instance: Instance }): JSX.Element {
  const outputs = Object.entries(instance.outputs);
  return (
    <>
      {instance.outputsStaleSince !== null && (
        <p class="note bad">
          They are older than the objects, since <Time at={instance.outputsStaleSince} />: the last
          deployment could not compute them.
        </p>
      )}
      {outputs.length === 0 ? (
        <p class="soft">It has none.</p>
      ) : (
        <Table
          columns={["Output", "Value"]}
          rows={outputs.map(([name, value]) => [
            name,
            <code>{typeof value === "string" ? value : JSON.stringify(value)}</code>,
          ])}
        />
      )}
    </>
  );
}

function Triggers({ triggers }: { triggers: Triggers }): JSX.Element {
  if (triggers.length === 0) return <p class="soft">Nothing deploys it but people and programs.</p>;
  return (
    <Table
      columns={["Trigger", "When", "Next", "Last"]}
      rows={triggers.map(({ kind, enabled, condition, nextFireAt, lastFiredAt, ...rest }) => [
        <>
          {kind.replaceAll("_", " ")} {!enabled && <span class="tag">off</span>}
        </>,
        <code>{JSON.stringify(condition)}</code>,
        nextFireAt === null ? "" : <Time at={nextFireAt} />,
        <>
          {lastFiredAt !== null && <Time at={lastFiredAt} />}{" "}
          {rest.suppressedReason !== null && (
            <span class="tag wait">{rest.suppressedReason.replaceAll("_", " ")}</span>
          )}
        </>,
      ])}
    />
  );
}

function Deployments({ deployments }: { deployments: Deployments }): JSX.Element {
  if (deployments.length === 0) return <p class="soft">It was never deployed.</p>;
  return (
    <Table
      columns={["Deployment", "State", "Requested by", "Message"]}
      rows={deployments.map((deployment) => [
        <a href={`/deployments/${deployment.id}`}>
          {operationWord(deployment.operation)}, <Time at={deployment.createdAt} />
        </a>,
        <StateTag state={deployment.state} />,
        requester(deployment),
        deployment.message ?? "",
      ])}
    />
  );
}

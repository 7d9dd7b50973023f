/** `/instances/{id}`: an instance with its settings, outputs, triggers and deployments. */
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import { getDeploymentPlanEndpoint, listDeploymentsEndpoint } from "#areas/deployments/contract.ts";
import {
  checkDriftEndpoint,
  deployInstanceEndpoint,
  destroyInstanceEndpoint,
  planInstanceEndpoint,
} from "#areas/deployments/start-contract.ts";
import {
  getInstanceEndpoint,
  listInstanceResourcesEndpoint,
  listInstancesEndpoint,
  updateInstanceEndpoint,
} from "#areas/instances/contract.ts";
import { getTemplateVersionEndpoint } from "#areas/templates/contract.ts";
import { listTriggersEndpoint } from "#areas/triggers/contract.ts";
import type { ConsolePage } from "#console/console-page.ts";
import type { PageApi } from "#console/page-api.ts";
import { ActButton, ActNotes, Owner, StateTag, Table, Time } from "#console/parts.tsx";
import { may, type Reader } from "#console/reader.ts";
import type { JsonMap } from "#platform/json.ts";
import { isFinal } from "#schema/lists/deployment-states.ts";
import { headline, operationWord, requester } from "#schema/lists/deployment-words.ts";
import { Bindings, type Instance, type Siblings } from "./bindings.tsx";
import { Outputs } from "./outputs.tsx";
import { Resources } from "./resources.tsx";
import { Settings } from "./settings.tsx";
import { Triggers } from "./triggers.tsx";
import { Variables } from "./variables.tsx";

type Deployments = z.output<NonNullable<typeof listDeploymentsEndpoint.answer.schema>>["data"];

export const instancePage: ConsolePage = {
  path: "/instances/:id",
  load: async (api, { params }) => {
    const asked = api.readTagged(getInstanceEndpoint, params);
    const [{ answer: instance, etag }, around, named, resources, triggers, deployments, drifted] =
      await Promise.all([
        asked,
        asked.then(({ answer }) => aroundOf(api, answer)),
        // The ETag covers the included objects too.
        api.read(getInstanceEndpoint, params, { include: "template,target" }),
        api.readIfAny(listInstanceResourcesEndpoint, params),
        api.readIfAny(listTriggersEndpoint, params),
        api.readIfAny(listDeploymentsEndpoint, {}, { instanceId: params["id"], limit: "20" }),
        driftedIn(api, params["id"] ?? ""),
      ]);
    const { siblings, config } = around;
    const names = new Map(siblings.all.map(({ id, name }) => [id, name]));
    return (reader) => ({
      title: instance.name,
      scripts: ["console", "graph"],
      body: (
        <>
          <p class="crumbs">
            <Owner reader={reader} tenantId={instance.tenantId} />{" "}
            <a href="/instances">Instances</a>
          </p>
          <div class="row">
            <h1>{instance.name}</h1>
            <span>
              <StateTag state={instance.state} />{" "}
              {instance.drift !== "UNKNOWN" && <StateTag state={instance.drift} />}
            </span>
          </div>
          <Facts instance={{ ...named, ...instance }} />
          <Waiting deployments={deployments?.data ?? []} name={instance.name} />
          <ActNotes />
          <Actions instance={instance} etag={etag} reader={reader} />
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
            names={names}
            config={config}
            etag={etag}
            reader={reader}
          />
          <h2>Bindings</h2>
          <Bindings
            instance={instance}
            siblings={siblings}
            config={config}
            etag={etag}
            reader={reader}
          />
          <h2>Triggers</h2>
          <Triggers instance={instance} triggers={triggers?.data ?? []} reader={reader} />
          <Settings instance={instance} etag={etag} reader={reader} />
          <h2>Deployments</h2>
          <Deployments deployments={deployments?.data ?? []} />
        </>
      ),
    });
  },
};

/** Reads the other objects that the instance names. */
async function aroundOf(
  api: PageApi,
  { tenantId, templateId, templateVersion }: Instance,
): Promise<{ siblings: Siblings; config: JsonMap | undefined }> {
  const [others, version] = await Promise.all([
    api.readIfAny(
      listInstancesEndpoint,
      {},
      { tenantId: tenantId ?? undefined, sort: "-updatedAt", limit: "100" },
    ),
    api.readIfAny(getTemplateVersionEndpoint, { id: templateId, version: `${templateVersion}` }),
  ]);
  return {
    siblings: { all: others?.data ?? [], isPart: others !== null && others.nextCursor !== null },
    config: version?.config as JsonMap | undefined,
  };
}

/** The names of the resources that drifted in the last drift check. */
async function driftedIn(api: PageApi, instanceId: string): Promise<ReadonlySet<string>> {
  const checks = await api.readIfAny(
    listDeploymentsEndpoint,
    {},
    { instanceId, operation: "drift_check", state: "SUCCEEDED,NO_CHANGES", limit: "1" },
  );
  const [last] = checks?.data ?? [];
  if (last?.state !== "SUCCEEDED") return new Set();
  const plan = await api.readIfAny(getDeploymentPlanEndpoint, { id: last.id });
  // Drift that no deploy can restore is an `unchanged` change with differences.
  const differs =
    plan?.changes.filter(({ action, changes }) => action !== "unchanged" || changes.length > 0) ??
    [];
  return new Set(differs.map(({ resource }) => resource));
}

function Facts({ instance }: { instance: Instance }): JSX.Element {
  const { template, templateId, templateVersion, availableVersion, target, targetId } = instance;
  const waits = approvalWords(instance);
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
      {waits !== undefined && <p class="soft">{waits}</p>}
      {instance.protectedFromDestroy && (
        <p class="soft">It is protected: nothing of it is deleted or replaced.</p>
      )}
    </>
  );
}

/** The plans that wait for approval. Undefined: none, or the target decides and is hidden from the reader. */
function approvalWords({ approvalMode, target }: Instance): string | undefined {
  if (approvalMode === "always") return "Every plan waits until another person approves it.";
  const isProduction = approvalMode === null && target?.environment === "production";
  return approvalMode === "destructive" || isProduction
    ? "Plans that replace or delete something wait for approval."
    : undefined;
}

/** The open deployments of the instance: a plan to approve, or a run. */
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

function Actions(shown: {
  instance: Instance;
  etag: string | undefined;
  reader: Reader;
}): JSX.Element {
  const { instance, etag, reader } = shown;
  const { id, tenantId, name, protectedFromDestroy, availableVersion } = instance;
  return (
    <p class="acts">
      {may(reader, planInstanceEndpoint, tenantId) && (
        <ActButton
          method="POST"
          path={`/instances/${id}/plan`}
          words="Plan"
          tone="main"
          goTo="/deployments/{id}"
        />
      )}
      {may(reader, deployInstanceEndpoint, tenantId) && (
        <ActButton
          method="POST"
          path={`/instances/${id}/deploy`}
          words="Deploy"
          confirm={`Deploy ${name}? A plan that needs no approval is applied at once.`}
          goTo="/deployments/{id}"
        />
      )}
      {may(reader, checkDriftEndpoint, tenantId) && (
        <ActButton
          method="POST"
          path={`/instances/${id}/check-drift`}
          words="Check drift"
          goTo="/deployments/{id}"
        />
      )}
      {may(reader, updateInstanceEndpoint, tenantId) && availableVersion !== null && (
        <ActButton
          method="PATCH"
          path={`/instances/${id}`}
          body={{ templateVersion: availableVersion }}
          words={`Use version ${availableVersion}`}
          confirm={`Use version ${availableVersion} of the template? It takes effect with the next deployment.`}
          etag={etag}
        />
      )}
      {may(reader, updateInstanceEndpoint, tenantId) && !protectedFromDestroy && (
        <ActButton
          method="PATCH"
          path={`/instances/${id}`}
          body={{ protectedFromDestroy: true }}
          words="Protect"
          etag={etag}
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
            etag={etag}
          />
        ) : (
          <ActButton
            method="POST"
            path={`/instances/${id}/destroy`}
            words="Destroy"
            tone="danger"
            typed={name}
            confirm={`All objects of ${name} are deleted at the cloud.`}
            goTo="/deployments/{id}"
          />
        ))}
    </p>
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

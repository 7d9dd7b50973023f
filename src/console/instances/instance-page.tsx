/** `/instances/{id}`: the workspace of an instance. Each tab is an address: `/instances/{id}/variables`. */
import type { JSX } from "hono/jsx/jsx-runtime";
import { listDeploymentsEndpoint } from "#areas/deployments/contract.ts";
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
import { ActForm } from "#console/act-form.tsx";
import type { ConsolePage, PageAddress } from "#console/console-page.ts";
import { DeploymentTable } from "#console/deployments/deployment-table.tsx";
import { type PageApi, PageProblem } from "#console/page-api.ts";
import { ActButton, ActNotes, Foldout, NextPage, Owner, StateTag, Time } from "#console/parts.tsx";
import { may, type Reader } from "#console/reader.ts";
import { data, ids } from "#console/shared/page-names.ts";
import type { PageScript } from "#console/shared/scripts.ts";
import type { JsonMap } from "#platform/json.ts";
import { Bindings, type Instance, type Siblings } from "./bindings.tsx";
import { readDrift } from "./drift.ts";
import { OverviewTab, readActivity } from "./overview-tab.tsx";
import { Resources } from "./resources.tsx";
import { Settings } from "./settings.tsx";
import { Triggers } from "./triggers.tsx";
import { Variables } from "./variables.tsx";

/** What a tab shows for a reader, once its own reads are done. */
type Shows = (at: { instance: Instance; etag: string | undefined; reader: Reader }) => JSX.Element;

interface Tab {
  words: string;
  scripts?: readonly PageScript[];
  /** `asked`: the instance, which is being read. */
  load: (api: PageApi, at: PageAddress, asked: Promise<Instance>) => Promise<Shows>;
}

const tabs: Readonly<Record<string, Tab>> = {
  overview: {
    words: "Overview",
    scripts: ["live"],
    load: async (api, { params: { id = "" } }, asked) => {
      const [latest, drift, activity] = await Promise.all([
        api.readIfAny(listDeploymentsEndpoint, {}, { instanceId: id, limit: "5" }),
        asked.then((instance) => readDrift(api, instance)),
        asked.then((instance) => readActivity(api, instance)),
      ]);
      return ({ instance, reader }) => (
        <OverviewTab
          instance={instance}
          latest={latest?.data ?? []}
          drift={drift}
          activity={activity}
          reader={reader}
        />
      );
    },
  },
  resources: {
    words: "Resources",
    scripts: ["console", "graph"],
    load: async (api, { params: { id = "" } }, asked) => {
      const [resources, drift] = await Promise.all([
        api.readIfAny(listInstanceResourcesEndpoint, { id }),
        asked.then((instance) => readDrift(api, instance)),
      ]);
      const drifted = drift?.resources ?? new Set();
      return () => <Resources resources={resources?.data ?? []} drifted={drifted} />;
    },
  },
  variables: {
    words: "Variables",
    load: async (api, _, asked) => {
      const { siblings, config } = await asked.then((instance) => aroundOf(api, instance));
      const names = new Map(siblings.all.map(({ id, name }) => [id, name]));
      return (at) => (
        <>
          <Variables {...at} names={names} config={config} />
          <h2>Bindings</h2>
          <Bindings {...at} siblings={siblings} config={config} />
        </>
      );
    },
  },
  deployments: {
    words: "Deployments",
    load: async (api, { params: { id = "" }, query }) => {
      const { data, nextCursor } = await api.read(
        listDeploymentsEndpoint,
        {},
        { instanceId: id, cursor: query.get("cursor") ?? undefined },
      );
      return ({ reader }) => (
        <>
          {data.length === 0 ? (
            <p class="soft">It was never deployed.</p>
          ) : (
            <DeploymentTable deployments={data} reader={reader} isOfOne />
          )}
          <NextPage path={`/instances/${id}/deployments`} query={query} cursor={nextCursor} />
        </>
      );
    },
  },
  triggers: {
    words: "Triggers",
    load: async (api, { params: { id = "" } }) => {
      const triggers = await api.readIfAny(listTriggersEndpoint, { id });
      return (at) => <Triggers {...at} triggers={triggers?.data ?? []} />;
    },
  },
  settings: {
    words: "Settings",
    load: async () => (at) => <Settings {...at} />,
  },
};

async function load(api: PageApi, at: PageAddress): ReturnType<ConsolePage["load"]> {
  const { params } = at;
  const name = params["tab"] ?? "overview";
  const tab = Object.hasOwn(tabs, name) ? tabs[name] : undefined;
  if (tab === undefined) throw new PageProblem(404, "");
  const asked = api.readTagged(getInstanceEndpoint, params);
  const [{ answer: own, etag }, named, shows] = await Promise.all([
    asked,
    // The ETag covers the included objects too.
    api.read(getInstanceEndpoint, params, { include: "template,target" }),
    tab.load(
      api,
      at,
      asked.then(({ answer }) => answer),
    ),
  ]);
  const instance: Instance = { ...named, ...own };
  return (reader) => ({
    title: name === "overview" ? instance.name : `${tab.words} of ${instance.name}`,
    scripts: tab.scripts ?? ["console"],
    body: (
      <>
        <p class="crumbs">
          <Owner reader={reader} tenantId={instance.tenantId} /> <a href="/instances">Instances</a>
        </p>
        <div class="row" id={ids.standing} {...data({ live: true })}>
          <h1>{instance.name}</h1>
          <span>
            <StateTag state={instance.state} />{" "}
            {instance.drift !== "UNKNOWN" && <StateTag state={instance.drift} />}
          </span>
        </div>
        <Facts instance={instance} />
        <ActNotes />
        <Actions instance={instance} etag={etag} reader={reader} />
        {may(reader, deployInstanceEndpoint, instance.tenantId) && (
          <DeployForm instance={instance} />
        )}
        <nav class="tabs" aria-label="Parts of the instance">
          {Object.entries(tabs).map(([key, { words }]) => (
            <a
              href={`/instances/${instance.id}${key === "overview" ? "" : `/${key}`}`}
              aria-current={key === name ? "page" : undefined}
            >
              {words}
            </a>
          ))}
        </nav>
        {shows({ instance, etag, reader })}
      </>
    ),
  });
}

export const instancePage: ConsolePage = { path: "/instances/:id", load };
export const instanceTabPage: ConsolePage = { path: "/instances/:id/:tab", load };

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

function Facts({ instance }: { instance: Instance }): JSX.Element {
  const { template, templateId, templateVersion, availableVersion, target, targetId } = instance;
  const waits = approvalWords(instance);
  return (
    <>
      <p class="soft">
        <a href={`/templates/${templateId}`}>{template?.name ?? "A template"}</a>, version{" "}
        {templateVersion}
        {availableVersion !== null && ` (version ${availableVersion} is newer)`}, at{" "}
        <a href={`/targets/${targetId}`}>{target?.name ?? "a target"}</a>
        {target && ` (${target.environment})`}.
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

/** A deploy that says why. */
function DeployForm({ instance }: { instance: Instance }): JSX.Element {
  return (
    <Foldout words="Deploy with a message">
      <ActForm
        method="POST"
        path={`/instances/${instance.id}/deploy`}
        fields={[
          {
            name: "message",
            words: "Message",
            kind: "comment",
            isRequired: true,
            maxLength: 1000,
            hint: "Why: a change, a ticket. Whoever approves the plan reads it.",
          },
        ]}
        words={`Deploy ${instance.name}`}
        tone="main"
        then={{ goTo: "/deployments/{id}" }}
      />
    </Foldout>
  );
}

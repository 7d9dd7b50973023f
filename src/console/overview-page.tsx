/** `/` for a signed-in person: waiting plans, runs and failures. */
import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import { listDeploymentsEndpoint } from "#areas/deployments/contract.ts";
import { createInstanceEndpoint, listInstancesEndpoint } from "#areas/instances/contract.ts";
import { activeStates } from "#schema/lists/deployment-states.ts";
import { headline, requester, summaryWords } from "#schema/lists/deployment-words.ts";
import { problemStates } from "#schema/lists/problem-states.ts";
import type { ConsolePage } from "./console-page.ts";
import { StateTag, Table, Time } from "./parts.tsx";
import { mayAnywhere, type Reader, tenantName, tenantsOf } from "./reader.ts";
import { data } from "./shared/page-names.ts";

type Deployment = z.output<
  NonNullable<typeof listDeploymentsEndpoint.answer.schema>
>["data"][number];
type Instances = readonly z.output<
  NonNullable<typeof listInstancesEndpoint.answer.schema>
>["data"][number][];

const SHOWN = "20";
/** States of instances that need attention. */
const badStates = problemStates.join(",");

export const overviewPage: ConsolePage = {
  path: "/",
  load: async (api, { tenantId }) => {
    const deployments = (state: string, limit = SHOWN) =>
      api.readIfAny(listDeploymentsEndpoint, {}, { state, limit, tenantId });
    const [waiting, running, failed, bad, recent] = await Promise.all([
      deployments("AWAITING_APPROVAL"),
      deployments(activeStates.join(",")),
      deployments("FAILED", "5"),
      api.readIfAny(listInstancesEndpoint, {}, { state: badStates, limit: SHOWN, tenantId }),
      api.readIfAny(listInstancesEndpoint, {}, { sort: "-updatedAt", limit: "100", tenantId }),
    ]);
    const instances = recent?.data ?? [];
    const known = new Map(instances.map(({ id, name }) => [id, name]));
    const problems = bad?.data ?? [];
    const drifted = instances.filter(
      ({ id, drift }) => drift === "DRIFTED" && !problems.some((one) => one.id === id),
    );
    const expiring = instances.filter(({ expiresAt }) => expiresAt !== null);
    return (reader) => {
      const shown = { reader, nameOf: (id: string) => known.get(id) ?? "an instance" };
      return {
        title: "Overview",
        scripts: ["live"],
        body: (
          <div id="overview" {...data({ live: true, open: (running?.data.length ?? 0) > 0 })}>
            <h1>Overview</h1>
            {instances.length === 0 && <FirstSteps reader={reader} />}
            <h2>Plans that wait for approval</h2>
            <DeploymentList {...shown} of={waiting?.data ?? []} empty="None waits." />
            <h2>Running</h2>
            <DeploymentList {...shown} of={running?.data ?? []} empty="Nothing runs.">
              {instances.length > 0 && (
                <a class="button" href="/instances">
                  Choose an instance to deploy
                </a>
              )}
            </DeploymentList>
            <h2>Instances with problems</h2>
            <ByTenant
              of={[...problems, ...drifted]}
              reader={reader}
              empty="None has failed or drifted, as far as is known."
            >
              {(some) => <InstanceTable of={some} />}
            </ByTenant>
            {failed !== null && failed.data.length > 0 && (
              <>
                <h2>Deployments that failed last</h2>
                <DeploymentList {...shown} of={failed.data} empty="" />
              </>
            )}
            {expiring.length > 0 && (
              <>
                <h2>Expiring</h2>
                <ByTenant of={expiring} reader={reader} empty="">
                  {(some) => (
                    <ul class="list">
                      {some.map(({ id, name, expiresAt }) => (
                        <li>
                          <a href={`/instances/${id}`}>{name}</a>
                          <Time at={expiresAt ?? ""} />
                        </li>
                      ))}
                    </ul>
                  )}
                </ByTenant>
              </>
            )}
          </div>
        ),
      };
    };
  },
};

/** The first steps, shown while there is no instance. */
function FirstSteps({ reader }: { reader: Reader }): JSX.Element {
  if (!reader.operator && reader.tenants.length === 0)
    return (
      <p class="note">
        You are a member of no tenant yet. Invitations are at <a href="/account">your account</a>;
        if there is none, ask an owner of the tenant for one.
      </p>
    );
  if (!mayAnywhere(reader, createInstanceEndpoint))
    return (
      <p class="note">
        There is no instance yet. Whoever develops in your tenant can make one.{" "}
        <a href="/docs">How that works</a>.
      </p>
    );
  return (
    <div class="note">
      <p>There is no instance yet. An instance is a template on a target.</p>
      {reader.operator && reader.others.length === 0 && (
        <p>
          Everything of that belongs to a tenant: <a href="/tenants">create one</a> first.
        </p>
      )}
      <p class="acts">
        <a class="button main" href="/templates">
          Choose or write a template
        </a>
        <a class="button" href="/imports/new">
          Import infrastructure code
        </a>
        <a class="button" href="/targets">
          Register a target
        </a>
      </p>
    </div>
  );
}

/** One list, or one for each of the reader's tenants. */
function ByTenant<Of extends { tenantId: string | null }>(shown: {
  of: readonly Of[];
  reader: Reader;
  empty: string;
  children: (some: readonly Of[]) => Child;
}): JSX.Element {
  const { of, reader, empty, children } = shown;
  if (of.length === 0) return <p class="soft">{empty}</p>;
  if (tenantsOf(reader).length < 2) return <>{children(of)}</>;
  const tenants = [...new Set(of.map(({ tenantId }) => tenantId))];
  return (
    <>
      {tenants.map((tenantId) => (
        <>
          <h3>{tenantName(reader, tenantId) ?? "Another tenant"}</h3>
          {children(of.filter((one) => one.tenantId === tenantId))}
        </>
      ))}
    </>
  );
}

function DeploymentList(shown: {
  of: readonly Deployment[];
  nameOf: (instanceId: string) => string;
  empty: string;
  reader: Reader;
  children?: Child;
}): JSX.Element {
  const { of, nameOf, empty, reader, children } = shown;
  return (
    <>
      <ByTenant of={of} reader={reader} empty={empty}>
        {(some) => (
          <ul class="list">
            {some.map((deployment) => (
              <li>
                <span>
                  <a href={`/deployments/${deployment.id}`}>
                    {headline(deployment, nameOf(deployment.instanceId))}
                  </a>{" "}
                  <span class="soft">{summaryWords(deployment)}</span>
                </span>
                <span class="soft">
                  {requester(deployment)}, <Time at={deployment.createdAt} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </ByTenant>
      {of.length === 0 && children && <p class="acts">{children}</p>}
    </>
  );
}

function InstanceTable({ of }: { of: Instances }): JSX.Element {
  return (
    <Table
      columns={["Instance", "State", "Drift"]}
      rows={of.map(({ id, name, state, drift }) => [
        <a href={`/instances/${id}`}>{name}</a>,
        <StateTag state={state} />,
        <StateTag state={drift} />,
      ])}
    />
  );
}

/** `/` for whoever is signed in: what needs them, what runs, what failed. */
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import { listDeploymentsEndpoint } from "#areas/deployments/contract.ts";
import { listInstancesEndpoint } from "#areas/instances/contract.ts";
import { activeStates } from "#schema/lists/deployment-states.ts";
import { headline, requester, summaryWords } from "#schema/lists/deployment-words.ts";
import type { ConsolePage } from "./console-page.ts";
import { StateTag, Table, Time } from "./parts.tsx";
import { type Reader, tenantName } from "./reader.ts";

type Deployment = z.output<
  NonNullable<typeof listDeploymentsEndpoint.answer.schema>
>["data"][number];
type Instances = z.output<NonNullable<typeof listInstancesEndpoint.answer.schema>>["data"];

const SHOWN = "20";
/** States of instances that somebody has to look at. */
const badStates = "FAILED,DEGRADED,DESTROY_FAILED";

export const overviewPage: ConsolePage = {
  path: "/",
  load: async (api) => {
    const deployments = (state: string) =>
      api.readIfAny(listDeploymentsEndpoint, {}, { state, limit: SHOWN });
    const [waiting, running, bad, recent] = await Promise.all([
      deployments("AWAITING_APPROVAL"),
      deployments(activeStates.join(",")),
      api.readIfAny(listInstancesEndpoint, {}, { state: badStates, limit: SHOWN }),
      api.readIfAny(listInstancesEndpoint, {}, { sort: "-updatedAt", limit: "100" }),
    ]);
    const known = new Map((recent?.data ?? []).map(({ id, name }) => [id, name]));
    const nameOf = ({ instanceId }: Deployment) => known.get(instanceId) ?? "an instance";
    const failed = bad?.data ?? [];
    const others = (recent?.data ?? []).filter(({ id }) => !failed.some((one) => one.id === id));
    const drifted = others.filter(({ drift }) => drift === "DRIFTED");
    const expiring = (recent?.data ?? []).filter(({ expiresAt }) => expiresAt !== null);
    return (reader) => ({
      title: "Overview",
      scripts: ["console"],
      body: (
        <>
          <h1>Overview</h1>
          <h2>Plans that wait for approval</h2>
          <DeploymentList
            of={waiting?.data ?? []}
            nameOf={nameOf}
            empty="None waits."
            reader={reader}
          />
          <h2>Running</h2>
          <DeploymentList
            of={running?.data ?? []}
            nameOf={nameOf}
            empty="Nothing runs."
            reader={reader}
          />
          <h2>Instances with problems</h2>
          <InstanceList of={[...failed, ...drifted]} reader={reader} />
          {expiring.length > 0 && (
            <>
              <h2>Expiring</h2>
              <ul class="list">
                {expiring.map(({ id, name, expiresAt }) => (
                  <li>
                    <a href={`/instances/${id}`}>{name}</a>
                    <Time at={expiresAt ?? ""} />
                  </li>
                ))}
              </ul>
            </>
          )}
        </>
      ),
    });
  },
};

function DeploymentList(shown: {
  of: readonly Deployment[];
  nameOf: (deployment: Deployment) => string;
  empty: string;
  reader: Reader;
}): JSX.Element {
  if (shown.of.length === 0) return <p class="soft">{shown.empty}</p>;
  return (
    <ul class="list">
      {shown.of.map((deployment) => (
        <li>
          <span>
            <a href={`/deployments/${deployment.id}`}>
              {headline(deployment, shown.nameOf(deployment))}
            </a>{" "}
            <span class="soft">{summaryWords(deployment)}</span>
          </span>
          <span class="soft">
            {requester(deployment)}, <Time at={deployment.createdAt} />{" "}
            {shown.reader.tenants.length > 1 && tenantName(shown.reader, deployment.tenantId)}
          </span>
        </li>
      ))}
    </ul>
  );
}

function InstanceList({ of, reader }: { of: Instances; reader: Reader }): JSX.Element {
  if (of.length === 0) return <p class="soft">None.</p>;
  return (
    <Table
      columns={["Instance", "State", "Drift"]}
      rows={of.map(({ id, name, state, drift, tenantId }) => [
        <>
          <a href={`/instances/${id}`}>{name}</a>
          {reader.tenants.length > 1 && <span class="soft"> {tenantName(reader, tenantId)}</span>}
        </>,
        <StateTag state={state} />,
        <StateTag state={drift} />,
      ])}
    />
  );
}

/** The clouds' own books against the states of the instances. */
import { holdingProblems } from "#test/invariants/holdings.ts";
import type { Check, ResourceFact, SoakHoldings } from "../evidence.ts";

const isLost = ({ id, state }: ResourceFact): boolean => state === "LOST" || id === "";

function problemsOf({ objects, resources }: SoakHoldings): string[] {
  return holdingProblems({
    objects: objects.map(({ cloud, kind, id, name }) => ({
      id,
      marks: [name],
      called: `${cloud} ${kind} ${id} (${name})`,
    })),
    known: resources.map((resource) => ({
      id: isLost(resource) ? undefined : resource.id,
      mark: `${resource.instanceName}-${resource.name}`,
      holder: resource.instanceId,
      called: `${resource.type} ${resource.id} (${resource.name}, ${resource.state})`,
    })),
  });
}

const atRest: Check = {
  name: "clouds against states",
  count: ({ atRest }) => atRest.objects.length + atRest.resources.length,
  problems: ({ atRest }) => problemsOf(atRest),
};

const destroyed: Check = {
  name: "clouds after destroying",
  count: ({ destroyed }) => destroyed.objects.length + destroyed.resources.length,
  problems: ({ destroyed }) => [
    ...problemsOf(destroyed),
    ...destroyed.resources
      .filter((resource) => !isLost(resource))
      .map(
        ({ type, id, instanceId, state }) =>
          `${type} ${id} (${state}) of ${instanceId} was not destroyed`,
      ),
  ],
};

const compared: Check = {
  name: "D1 against the runners",
  count: ({ comparison }) => comparison.instances,
  problems: ({
    comparison: { differing, missing, failed, unheard },
    lossWindow,
    snapshots,
    deployments,
  }) => {
    const there = new Set(deployments.map(({ id }) => id));
    // A deployment that a restore removed before it began stays missing (docs/operations.md).
    const unbegun = (instanceId: string): number =>
      lossWindow === undefined
        ? 0
        : snapshots.filter(
            (snapshot) =>
              snapshot.instanceId === instanceId &&
              !snapshot.hasOrigin &&
              !there.has(snapshot.deploymentId),
          ).length;
    return [
      ...differing.map(
        ({ instanceId, what }) => `the database lacks of the instance ${instanceId}: ${what}`,
      ),
      ...missing
        .filter(({ instanceId, count }) => count !== unbegun(instanceId))
        .map(({ instanceId, count }) => `${count} deployments of ${instanceId} stay missing`),
      ...failed.map(({ instanceId, why }) => `the instance ${instanceId} was not compared: ${why}`),
      ...unheard.map(
        ({ deploymentId, instanceId }) =>
          `the runner of ${instanceId} has not heard of ${deploymentId}`,
      ),
    ];
  },
};

const slots: Check = {
  name: "slots given back",
  count: ({ runs }) => runs.length,
  problems: ({ places }) =>
    places.map(
      ({ deploymentId, instanceId, holds }) =>
        `the deployment ${deploymentId} of ${instanceId} ${holds ? "holds a slot" : "waits for a slot"}`,
    ),
};

export const cloudChecks: readonly Check[] = [atRest, destroyed, compared, slots];

/** The clouds' own books against the states of the instances. */
import type { Check, Holdings, ResourceFact } from "../evidence.ts";

const isLost = ({ id, state }: ResourceFact): boolean => state === "LOST" || id === "";

/** What is at a cloud and in no state, in two, or in a state and not at the cloud. */
export function holdingProblems({ objects, resources }: Holdings): string[] {
  const holders = Map.groupBy(
    resources.filter((resource) => !isLost(resource)),
    ({ id }) => id,
  );
  // An instance says of a create that was not answered that its object may exist.
  const lost = new Map<string, number>();
  for (const resource of resources.filter(isLost)) {
    const name = `${resource.instanceName}-${resource.name}`;
    lost.set(name, (lost.get(name) ?? 0) + 1);
  }
  const problems: string[] = [];
  for (const { cloud, kind, id, name } of objects) {
    const found = holders.get(id) ?? [];
    if (found.length > 1)
      problems.push(
        `${cloud} ${kind} ${id} (${name}) is in the states of ${found.map(({ instanceId }) => instanceId).join(" and ")}`,
      );
    if (found.length > 0) continue;
    const left = lost.get(name) ?? 0;
    if (left > 0) lost.set(name, left - 1);
    else problems.push(`${cloud} ${kind} ${id} (${name}) is in no state`);
  }
  const there = new Set(objects.map(({ id }) => id));
  for (const [id, found] of holders)
    if (!there.has(id))
      problems.push(
        ...found.map(
          ({ instanceId, name, type, state }) =>
            `${type} ${id} (${name}, ${state}) of the instance ${instanceId} is not at the cloud`,
        ),
      );
  return problems;
}

const settled: Check = {
  name: "clouds against states",
  count: ({ settled }) => settled.objects.length + settled.resources.length,
  problems: ({ settled }) => holdingProblems(settled),
};

const destroyed: Check = {
  name: "clouds after destroying",
  count: ({ destroyed }) => destroyed.objects.length + destroyed.resources.length,
  problems: ({ destroyed }) => [
    ...holdingProblems(destroyed),
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
    // What a restore took away before it had begun stays missing (docs/operations.md).
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

export const cloudChecks: readonly Check[] = [settled, destroyed, compared, slots];

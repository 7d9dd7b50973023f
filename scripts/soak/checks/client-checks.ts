/** Checks of the clients' answers. */
import { restProblems } from "#test/invariants/rests.ts";
import { mayBeLost } from "../book.ts";
import type { Check } from "../evidence.ts";

const answers: Check = {
  name: "answers to clients",
  count: ({ calls }) => calls.length,
  problems: ({ wrong }) => [...wrong],
};

/** A call that was repeated under its idempotency key got one answer, about one object. */
const once: Check = {
  name: "calls answered once",
  count: ({ calls }) => calls.filter(({ ids }) => ids.length > 0).length,
  problems: ({ calls, lossWindow }) =>
    calls
      .filter(({ ids, atMs }) => new Set(ids).size > 1 && !mayBeLost(lossWindow, atMs))
      .map(
        ({ what, key, ids }) =>
          `${what} with the key ${key} was answered with ${ids.join(" and ")}`,
      ),
};

/** Each call made one deployment, whether or not its answer arrived. */
const calledOnce: Check = {
  name: "one deployment per call",
  count: ({ deployments }) => deployments.filter(({ call }) => call !== undefined).length,
  problems: ({ deployments, lossWindow }) =>
    [
      ...Map.groupBy(
        deployments.filter(({ call }) => call !== undefined),
        ({ call }) => call,
      ),
    ]
      .filter(
        ([, same]) =>
          same.length > 1 &&
          !same.some(({ timestamps }) => mayBeLost(lossWindow, timestamps["QUEUED"] ?? 0)),
      )
      .map(([call, same]) => `the call ${call} made ${same.map(({ id }) => id).join(" and ")}`),
};

/** Answered changes exist. After a restore, rows that only D1 had may be gone. */
const kept: Check = {
  name: "acknowledged and there",
  count: ({ acknowledged }) => acknowledged.length,
  problems: ({ acknowledged, deployments, rows, deleted, lossWindow, snapshots }) => {
    const there = new Set([...deployments.map(({ id }) => id), ...rows.keys()]);
    const keptByRunners = new Set(
      snapshots.filter(({ hasOrigin }) => hasOrigin).map(({ deploymentId }) => deploymentId),
    );
    return acknowledged
      .filter(({ id, kind, instanceId, atMs }) => {
        if (there.has(id) || deleted.has(id)) return false;
        if (!mayBeLost(lossWindow, atMs)) return true;
        // If it had begun and its instance exists, its runner writes it again.
        return kind === "deployment" && keptByRunners.has(id) && rows.has(instanceId ?? "");
      })
      .map(
        ({ id, kind, tenantId }) =>
          `the ${kind} ${id} of the tenant ${tenantId} was answered and is gone`,
      );
  },
};

const runsEnded: Check = {
  name: "runs ended",
  count: ({ deployments }) => deployments.length,
  problems: ({ deployments, runs, rows }) => {
    const phases = new Map(runs.map(({ deploymentId, phase }) => [deploymentId, phase]));
    const known = new Set(deployments.map(({ id }) => id));
    return [
      ...deployments.flatMap(({ id, instanceId, state, timestamps }) =>
        restProblems(
          { id, state, states: Object.keys(timestamps) },
          rows.has(instanceId) ? phases.get(id) : undefined,
        ),
      ),
      // The soak has answered every plan that waited.
      ...deployments
        .filter(({ state }) => state === "AWAITING_APPROVAL")
        .map(({ id }) => `the deployment ${id} waits for approval`),
      ...runs
        .filter(
          ({ deploymentId, instanceId, phase }) =>
            !known.has(deploymentId) && rows.has(instanceId) && phase !== "closed",
        )
        .map(
          ({ deploymentId, instanceId, phase }) =>
            `the runner of ${instanceId} has ${deploymentId}, which is no deployment, as ${phase}`,
        ),
    ];
  },
};

/** A log followed across kills has every line exactly once and in order. */
const logs: Check = {
  name: "logs followed",
  count: ({ logs }) => logs.length,
  problems: ({ logs, wholeLogs }) =>
    logs.flatMap(({ deploymentId, seqs, ended }) => {
      const inOrder = seqs.every((seq, at) => at === 0 || seq > (seqs[at - 1] ?? 0));
      if (!inOrder)
        return [`the log of ${deploymentId} was streamed out of order: ${seqs.join(" ")}`];
      const whole = wholeLogs.get(deploymentId);
      if (!ended || whole === undefined) return [];
      const streamed = new Set(seqs);
      const last = seqs.at(-1) ?? 0;
      const missing = whole.filter((seq) => seq <= last && !streamed.has(seq));
      return missing.length === 0
        ? []
        : [`the log of ${deploymentId} was streamed without ${missing.join(" ")}`];
    }),
};

export const clientChecks: readonly Check[] = [answers, once, calledOnce, kept, runsEnded, logs];

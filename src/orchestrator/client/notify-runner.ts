import type { Notification } from "#kernel/outbox/notification.ts";
import type { RunRef } from "#orchestrator/runner/instance-runner.ts";

/** Queues a new deployment for its runner, after the commit. The message carries ids only. */
export function notifyDeployment(message: RunRef): Notification {
  return { write: "notify", send: (env) => env.DEPLOYMENTS_QUEUE.send(message) };
}

/** Notifies the runner, after the commit, that the state of a waiting deployment changed. */
export function notifyRunner(message: RunRef): Notification {
  return {
    write: "notify",
    send: (env) =>
      env.INSTANCE_RUNNER.get(env.INSTANCE_RUNNER.idFromName(message.instanceId)).notify(message),
  };
}

/** Sends the target's new capacity to its gate, after the commit. */
export function notifyGate(target: {
  id: string;
  maxConcurrentDeployments: number;
  version: number;
}): Notification {
  const { id, maxConcurrentDeployments, version } = target;
  return {
    write: "notify",
    send: (env) =>
      env.TARGET_GATE.get(env.TARGET_GATE.idFromName(id)).resize(maxConcurrentDeployments, version),
  };
}

/** Notifies the runner of a cancel, after the commit. */
export function notifyCancel(message: RunRef): Notification {
  return {
    write: "notify",
    send: (env) =>
      env.INSTANCE_RUNNER.get(env.INSTANCE_RUNNER.idFromName(message.instanceId)).cancel(message),
  };
}

/**
 * Notifies the runner, after the commit, that an operator abandoned the deployment. `message`: the reason, for people.
 */
export function notifyAbandon(abandoned: RunRef & { message: string }): Notification {
  return {
    write: "notify",
    send: (env) =>
      env.INSTANCE_RUNNER.get(env.INSTANCE_RUNNER.idFromName(abandoned.instanceId)).abandon(
        abandoned,
      ),
  };
}

/**
 * Ends the claims of a deleted instance at its target's gate, after the commit. If the notification is lost, the next
 * claimant ends them.
 */
export function notifyInstanceDeleted({
  id,
  targetId,
}: {
  id: string;
  targetId: string;
}): Notification {
  return {
    write: "notify",
    send: (env) => env.TARGET_GATE.get(env.TARGET_GATE.idFromName(targetId)).releaseClaims(id),
  };
}

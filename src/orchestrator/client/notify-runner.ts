import type { Notification } from "#kernel/outbox/notification.ts";
import type { RunRef } from "#orchestrator/runner/instance-runner.ts";

/** Rings for a new deployment, once its commit has held. The message is a doorbell: ids only. */
export function notifyDeployment(message: RunRef): Notification {
  return { write: "notify", send: (env) => env.DEPLOYMENTS_QUEUE.send(message) };
}

/** Tells the runner to look what became of a deployment that it keeps waiting, once the commit that says so has held. */
export function notifyRunner(message: RunRef): Notification {
  return {
    write: "notify",
    send: (env) =>
      env.INSTANCE_RUNNER.get(env.INSTANCE_RUNNER.idFromName(message.instanceId)).notify(message),
  };
}

/** Tells the target's gate how many may work at once, once the commit that says so has held. */
export function notifyGate(target: {
  id: string;
  maxConcurrentDeployments: number;
  version: number;
  updatedAtMs: number;
}): Notification {
  const { id, maxConcurrentDeployments, version, updatedAtMs } = target;
  return {
    write: "notify",
    send: (env) =>
      env.TARGET_GATE.get(env.TARGET_GATE.idFromName(id)).resize(
        maxConcurrentDeployments,
        version,
        updatedAtMs,
      ),
  };
}

/** Tells the runner that a deployment is to stop, once the commit that says so has held. */
export function notifyCancel(message: RunRef): Notification {
  return {
    write: "notify",
    send: (env) =>
      env.INSTANCE_RUNNER.get(env.INSTANCE_RUNNER.idFromName(message.instanceId)).cancel(message),
  };
}

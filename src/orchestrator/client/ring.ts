import type { Ring } from "#kernel/call/call.ts";
import type { RingMessage } from "#orchestrator/runner/instance-runner.ts";

/** Rings for a new deployment, once its commit has held. The message is a doorbell: ids only. */
export function ringDeployment(message: RingMessage): Ring {
  return { write: "ring", send: (env) => env.DEPLOYMENTS_QUEUE.send(message) };
}

/** Tells the runner to look what became of a deployment that it keeps waiting, once the commit that says so has held. */
export function ringRunner(message: RingMessage): Ring {
  return {
    write: "ring",
    send: (env) =>
      env.INSTANCE_RUNNER.get(env.INSTANCE_RUNNER.idFromName(message.instanceId)).ring(message),
  };
}

/** Tells the target's gate how many may work at once, once the commit that says so has held. */
export function ringGate(target: {
  id: string;
  maxConcurrentDeployments: number;
  version: number;
  updatedAtMs: number;
}): Ring {
  const { id, maxConcurrentDeployments, version, updatedAtMs } = target;
  return {
    write: "ring",
    send: (env) =>
      env.TARGET_GATE.get(env.TARGET_GATE.idFromName(id)).resize(
        maxConcurrentDeployments,
        version,
        updatedAtMs,
      ),
  };
}

/** Tells the runner that a deployment is to stop, once the commit that says so has held. */
export function ringCancel(message: RingMessage): Ring {
  return {
    write: "ring",
    send: (env) =>
      env.INSTANCE_RUNNER.get(env.INSTANCE_RUNNER.idFromName(message.instanceId)).cancel(message),
  };
}

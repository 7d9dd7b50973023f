import type { Ring } from "#platform/call.ts";
import type { RingMessage } from "./instance-runner.ts";

/** Rings for a new deployment, once its commit has held. The message is a doorbell: ids only. */
export function ringDeployment(message: RingMessage): Ring {
  return { write: "ring", send: (env) => env.DEPLOYMENTS_QUEUE.send(message) };
}

/** Tells the runner what became of a plan that waits for approval, once the commit that says so has held. */
export function ringVerdict(message: RingMessage, verdict: "approve" | "discard"): Ring {
  return {
    write: "ring",
    send: (env) =>
      env.INSTANCE_RUNNER.get(env.INSTANCE_RUNNER.idFromName(message.instanceId)).decide(
        message,
        verdict,
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

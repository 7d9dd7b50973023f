/** The changes that one commit of a run makes in D1: of the deployment's and the instance's rows, with their events. */
import type { JsonMap } from "#platform/json.ts";
import type { Trace } from "#platform/trace.ts";
import type { deployments } from "#schema/deployments.ts";
import type { instances } from "#schema/instances.ts";
import type { DeploymentState } from "#schema/lists/deployment-states.ts";
import type { EventType } from "#schema/lists/event-kinds.ts";

export interface Projection {
  deploymentId: string;
  tenantId: string;
  instanceId: string;
  /** Counts from 1 within the deployment. */
  number: number;
  atMs: number;
  moves: Move[];
  /** The trace of the request that created the deployment. */
  trace?: Trace;
  /** The length of the chain of triggers that started the deployment. */
  hops?: number;
  plan?: unknown[];
  /** The slot to release once D1 has the projection. So D1 never shows more runs in progress than there are slots. */
  slot?: { targetId: string };
}

/** One change of the deployment's and the instance's rows, each with at most one event. */
export interface Move {
  /** The new state. A deployment in CANCELING stays there unless this is a final state. */
  state?: DeploymentState;
  deployment?: Partial<
    Pick<
      typeof deployments.$inferSelect,
      "gateTicket" | "summary" | "planHash" | "stateSerial" | "error" | "outputsError" | "decisions"
    >
  >;
  /** D1 rejects the projection unless the deployment is still QUEUED. */
  ifQueued?: true;
  /** A request has written this state with its event and error. If D1 has lost them, they are written again. */
  ofRequest?: true;
  event?: { id: string; type: EventType; data: JsonMap };
  instance?: Partial<
    Pick<
      typeof instances.$inferSelect,
      | "state"
      | "outputs"
      | "secretOutputs"
      | "outputHashes"
      | "outputsStaleSinceMs"
      | "stateSerial"
      | "lastDeploymentId"
      | "deployed"
      | "drift"
    >
  >;
  instanceEvent?: { id: string; type: EventType; data: JsonMap };
  /** Makes the triggers of the instances that read these outputs due. */
  wakesReaders?: { outputs: readonly string[]; hops: number };
}

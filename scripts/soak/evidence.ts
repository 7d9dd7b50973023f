/** What the audit of a soak looks at: the clouds, the state directory of the stopped service, the receivers and the clients. */
import type { Comparison } from "../operator/compare-installation.ts";
import type { Book } from "./book.ts";
import type { Arrival, Mood } from "./hostile-receivers.ts";

export interface DeploymentFact {
  id: string;
  tenantId: string;
  instanceId: string;
  operation: string;
  state: string;
  /** How the client called it, to find it again. */
  call: string | undefined;
  version: number;
  isAbandoned: boolean;
  timestamps: Readonly<Record<string, number>>;
}

export interface EventFact {
  id: string;
  tenantId: string;
  type: string;
  resourceType: string;
  resourceId: string;
  sequence: number;
  /** The states that an event of a deployment names. */
  from?: string | undefined;
  to?: string | undefined;
  createdAtMs: number;
  digest: string;
  digestWithoutSequence: string;
}

export interface DeliveryFact {
  id: string;
  webhookId: string;
  eventId: string;
  state: string;
  attempts: number;
  manual: boolean;
  held: boolean;
  dueAtMs: number | null;
  /** Of each stored attempt, whether it succeeded, oldest first. */
  log: readonly boolean[];
}

export interface RunFact {
  deploymentId: string;
  instanceId: string;
  phase: string;
}

/**
 * What a runner knows of a deployment, by which a D1 that has lost it is told. There is none of one that was lost while
 * it waited, and closed when its turn came. Kept for longer than the run itself.
 */
export interface SnapshotFact {
  deploymentId: string;
  instanceId: string;
  /** It has what it takes to write the deployment again: the run had begun. */
  hasOrigin: boolean;
}

export interface WebhookFact {
  id: string;
  tenantId: string;
  path: string;
  mood: Mood;
  createdAtMs: number;
  /** Not deleted by a client, and subscribed to everything. */
  getsAll: boolean;
}

export interface CloudObjectFact {
  cloud: string;
  kind: string;
  id: string;
  name: string;
}

export interface ResourceFact {
  instanceId: string;
  instanceName: string;
  name: string;
  type: string;
  /** Empty: it is LOST. */
  id: string;
  state: string;
}

/** The clouds and the states of all instances at one moment of rest. */
export interface SoakHoldings {
  objects: readonly CloudObjectFact[];
  resources: readonly ResourceFact[];
}

export interface UsageFact {
  tenantId: string;
  limit: string;
  told: number;
  counted: number;
  /** By how much a restore of D1 may have made the count smaller. */
  mayBeLost: number;
}

export interface Evidence {
  stoppedAtMs: number;
  lossWindow: Book["lossWindow"];
  calls: Book["calls"];
  acknowledged: Book["acknowledged"];
  deleted: ReadonlySet<string>;
  wrong: readonly string[];
  logs: Book["logs"];
  /** The sequence numbers of each followed log, as the service tells the log at the end. */
  wholeLogs: ReadonlyMap<string, readonly number[]>;
  deployments: readonly DeploymentFact[];
  /** The versions of all rows that events are about, by id; of the status of a tenant by `status` and the id. */
  versions: ReadonlyMap<string, number>;
  /** Ids of all instances, templates and webhooks, with what the call named them. */
  rows: ReadonlyMap<string, string>;
  events: readonly EventFact[];
  deliveries: readonly DeliveryFact[];
  webhooks: readonly WebhookFact[];
  arrivals: readonly Arrival[];
  receiversWrong: readonly string[];
  /** What the runners know. */
  runs: readonly RunFact[];
  snapshots: readonly SnapshotFact[];
  /** What the gates have given away or are asked for. */
  places: readonly { deploymentId: string; instanceId: string; holds: boolean }[];
  settled: SoakHoldings;
  destroyed: SoakHoldings;
  comparison: Comparison;
  audit: { ok: boolean; lines: readonly string[] };
  usage: readonly UsageFact[];
  sightings: readonly string[];
}

/** A question that the audit asks: how many things it looked at, and what is wrong, each with the ids to look it up. */
export interface Check {
  name: string;
  count: (evidence: Evidence) => number;
  problems: (evidence: Evidence) => string[];
}

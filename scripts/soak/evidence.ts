/**
 * The evidence for the audit of a soak, from the clouds, the stopped service's state directory, receivers and clients.
 */
import type { Comparison } from "../operator/compare-installation.ts";
import type { Book } from "./book.ts";
import type { Arrival, Mood } from "./hostile-receivers.ts";

export interface DeploymentFact {
  id: string;
  tenantId: string;
  instanceId: string;
  operation: string;
  state: string;
  /** The client's name for it, to find it again. */
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
 * A runner's snapshot of a deployment, from which a lost row of D1 is written again. A deployment that was lost while
 * it waited, and closed when its turn came, has none. It is kept for longer than the run itself.
 */
export interface SnapshotFact {
  deploymentId: string;
  instanceId: string;
  /** The run had begun, so the snapshot suffices to write the deployment again. */
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
  /** The uses that a restore of D1 may have removed from the count. */
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
  /** The sequence numbers of each followed log, read from the service at the end. */
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
  /** The runs in the runners' storage. */
  runs: readonly RunFact[];
  snapshots: readonly SnapshotFact[];
  /** The slots that the gates have granted or are asked for. */
  places: readonly { deploymentId: string; instanceId: string; holds: boolean }[];
  atRest: SoakHoldings;
  destroyed: SoakHoldings;
  comparison: Comparison;
  audit: { ok: boolean; lines: readonly string[] };
  usage: readonly UsageFact[];
  sightings: readonly string[];
}

/** A check of the audit: the number of examined things, and the problems, each with ids to look them up. */
export interface Check {
  name: string;
  count: (evidence: Evidence) => number;
  problems: (evidence: Evidence) => string[];
}

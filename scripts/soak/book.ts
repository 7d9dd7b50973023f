/** The clients' record of a soak: requests, answers, and observations that must not occur. */

export interface Acknowledged {
  id: string;
  kind: "instance" | "deployment" | "template" | "webhook";
  tenantId: string;
  /** Of deployments: their instance. */
  instanceId?: string;
  atMs: number;
}

/** One change that a client asked for under one idempotency key, as often as it took to be answered. */
export interface KeyedCall {
  key: string;
  /** The request, for a person who looks it up. */
  what: string;
  /** The id in each answer. */
  ids: string[];
  atMs: number;
}

export interface FollowedLog {
  deploymentId: string;
  seqs: number[];
  ended: boolean;
}

export class Book {
  readonly acknowledged: Acknowledged[] = [];
  readonly calls: KeyedCall[] = [];
  readonly logs: FollowedLog[] = [];
  /** Ids that a client has deleted. */
  readonly deleted = new Set<string>();
  /** Forbidden answers, as sentences. */
  readonly wrong: string[] = [];
  /** The times at which D1 was copied and the copy was put back. */
  lossWindow: { fromMs: number; toMs: number } | undefined;
  runsStarted = 0;
  runsEnded = 0;
  refusals = 0;

  acknowledge(one: Omit<Acknowledged, "atMs">): void {
    this.acknowledged.push({ ...one, atMs: Date.now() });
  }

  wrongly(sentence: string): void {
    this.wrong.push(sentence);
  }
}

/** Whether a restore of D1 may have removed a row written at that time. */
export function mayBeLost(window: Book["lossWindow"], atMs: number): boolean {
  return window !== undefined && atMs >= window.fromMs && atMs <= window.toMs;
}

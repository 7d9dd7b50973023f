/** What the clients of a soak know: what they asked for, what was answered, and what they saw that must not be. */

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
  /** What was asked, to look it up. */
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
  /** Answers that must not be, as sentences. */
  readonly wrong: string[] = [];
  /** When D1 was copied and when the copy was put back. */
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

/** Whether a restore of D1 may have taken away what was written then. */
export function mayBeLost(window: Book["lossWindow"], atMs: number): boolean {
  return window !== undefined && atMs >= window.fromMs && atMs <= window.toMs;
}

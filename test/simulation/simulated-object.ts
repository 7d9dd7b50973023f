import type { Clock } from "./clocks.ts";
import type { Sqlite } from "./sqlite.ts";

export type ObjectKind = "INSTANCE_RUNNER" | "TARGET_GATE" | "MOCK_CLOUD" | "QUOTA_COUNTER";
export type Methods = Record<string, (...args: unknown[]) => unknown>;

/** The origin of an operation: an object's life, or a Worker, which does not die. */
export interface Asker {
  alive: boolean;
}

export interface Life extends Asker {
  instance: Methods;
  /** Resolves when `blockConcurrencyWhile` no longer delays calls. */
  ready: Promise<unknown>;
  /** Called when it dies. */
  waiting: Set<() => void>;
}

/** One Durable Object: its storage, its clock and its current life. */
export class SimulatedObject implements Clock {
  readonly kind: ObjectKind;
  readonly name: string;
  readonly storage: Sqlite;
  readonly offsetMs: number;
  /** By the object's clock. */
  alarmAtMs: number | null = null;
  alarmRuns = false;
  /** The platform lost its alarm in this life, and it has set none since. */
  alarmLost = false;
  life: Life | undefined;

  constructor(kind: ObjectKind, name: string, storage: Sqlite, offsetMs: number) {
    this.kind = kind;
    this.name = name;
    this.storage = storage;
    this.offsetMs = offsetMs;
  }
}

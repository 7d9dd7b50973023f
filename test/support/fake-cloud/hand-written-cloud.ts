import type { FakeLedgerEntry } from "./fake-cloud.ts";
import { type FakeFault, FakeFaults } from "./fake-faults.ts";

export interface HandWrittenCloudOptions {
  now?: () => number;
  /** The duration of states and operations. */
  readyAfterMs?: number;
  /** New objects never become usable. */
  endsFailed?: boolean;
  faults?: readonly FakeFault[];
}

/** The common parts of hand-written clouds: a ledger of changes, a clock, and faults as a test scripts them. */
export class HandWrittenCloud<Options extends HandWrittenCloudOptions = HandWrittenCloudOptions> {
  readonly ledger: FakeLedgerEntry[] = [];
  /** Method and path of every request. */
  readonly requests: string[] = [];
  /** The parts of requests that the cloud does not take. */
  readonly violations: string[] = [];
  /** Called after a change is made and before it is answered. */
  afterChange: (entry: FakeLedgerEntry) => Promise<void> | void = () => {};
  protected readonly options: Options;
  protected readonly now: () => number;
  protected readonly faults = new FakeFaults();

  constructor(options: Options) {
    this.options = options;
    this.now = options.now ?? Date.now;
    this.faults.add(options.faults ?? []);
  }

  script(...faults: FakeFault[]): void {
    this.faults.add(faults);
  }
}

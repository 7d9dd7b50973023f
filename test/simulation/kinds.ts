/** The kinds of simulated runs: what each may meet besides the ordinary weather. */
import * as fc from "fast-check";

/** What the cloud does about idempotency tokens. */
export type CloudKind =
  /** It remembers them for ever. */
  | "remembers"
  /** It forgets each after `TOKEN_LIFE_MS`. */
  | "forgets"
  /** It has none. */
  | "none";

export const TOKEN_LIFE_MS = 120_000;

/** What a run is simulated in. */
export interface World {
  /** The slots of the target that both instances share. */
  capacity: 1 | 2;
  cloud: CloudKind;
  /** The second instance reads an output of the first, and triggers deploy both. */
  bound: boolean;
  /** Every plan waits for approval, until a command says otherwise. */
  approves: boolean;
  /** Webhooks receive the tenant's events. */
  listens: boolean;
  /** A create may take effect after the service has given it up. */
  late: boolean;
  /** Each object and Worker has a clock of its own. */
  clocks: boolean;
  /** The cloud answers changes with operations, which it forgets. */
  operations: boolean;
  /** The cloud wants sessions, which end in the middle of a run. */
  sessions: boolean;
}

export const kinds = [
  "tokens",
  "token-less",
  "late",
  "expiry",
  "restore",
  "keys",
  "clocks",
  "operations",
  "all",
] as const;
export type Kind = (typeof kinds)[number];

/** The world with nothing special. */
export const plainWorld: World = {
  capacity: 1,
  cloud: "remembers",
  bound: false,
  approves: false,
  listens: false,
  late: false,
  clocks: false,
  operations: false,
  sessions: false,
};

/** What commands of a kind do that those of others do not. */
export const restores: ReadonlySet<Kind> = new Set(["restore", "all"]);
export const dropsKeys: ReadonlySet<Kind> = new Set(["keys", "all"]);

const yes = fc.constant(true);
const no = fc.constant(false);
const either = fc.boolean();
/** What takes a run twice the time. */
const sometimes = fc.constantFrom(false, false, true);
const remembers = fc.constant<CloudKind>("remembers");

const special: Readonly<Record<Kind, { [name in keyof World]?: fc.Arbitrary<World[name]> }>> = {
  tokens: {},
  "token-less": { cloud: fc.constant("none") },
  late: { cloud: fc.constantFrom("remembers", "none"), late: yes },
  expiry: { cloud: fc.constant("forgets"), late: either },
  restore: {},
  keys: {},
  clocks: { clocks: yes },
  operations: { operations: yes, sessions: either, cloud: fc.constantFrom("remembers", "none") },
  all: {
    operations: either,
    sessions: either,
    cloud: fc.constantFrom("remembers", "forgets", "none"),
    late: either,
    clocks: either,
  },
};

/** The worlds in which runs of the kind take place. */
export function worlds(kind: Kind): fc.Arbitrary<World> {
  return fc.record({
    capacity: fc.constantFrom(1, 2),
    cloud: remembers,
    bound: sometimes,
    approves: sometimes,
    listens: sometimes,
    late: no,
    clocks: no,
    operations: no,
    sessions: no,
    ...special[kind],
  });
}

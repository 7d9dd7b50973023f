import type { Json, JsonMap } from "#platform/json.ts";

/** A call to a cloud as behaviours see it. */
export interface RealCall {
  /** `POST`, or the operation of a cloud whose calls are not REST. */
  method: string;
  origin: string;
  /** The path without a query, or the type and the identifier. */
  at: string;
  /** All that was sent, with the path: shows which objects the call names. */
  text: string;
  /** The token by which the cloud remembers the end of a create. */
  token?: string;
}

/** A vendor's words: `{at}` is what the call is for, `{name}` is the new object that it names. */
export interface Words {
  code: string;
  message: string;
}

interface When {
  /** In words; one at each cloud. */
  what: string;
  /** Where users or the vendor report it. */
  source: string;
  /** Default: any. */
  method?: RegExp;
  /** Of `hide`, the place of the object. */
  at: RegExp;
  /** Only for a call that names an object which was created at such a place less than two minutes ago. */
  fresh?: RegExp;
  /** Only for a call that names an object which was deleted at such a place less than two minutes ago. */
  gone?: RegExp;
}

/** The call is refused. `hasEffect`: it took effect all the same. */
interface Refuses extends When {
  does: "refuse";
  hasEffect?: true;
  status: number;
  says: Words;
  headers?: Readonly<Record<string, string>>;
  /** In a row, at most. Default: 2. */
  times?: number;
}

/** The change is accepted, and its operation ends failed. `leaves`: it leaves an object that is not usable. */
interface EndsFailed extends When {
  does: "end failed";
  says: Words;
  leaves?: true;
  /** In a row, at most. Default: 2. */
  times?: number;
}

/** A new object is missing from reads or lists for a while. */
interface Hides extends When {
  does: "hide";
  from: "reads" | "lists";
  /** The longest time. */
  forMs: number;
}

/** A deleted object is still shown for a while. */
interface Keeps extends When {
  does: "keep";
  /** The longest time. */
  forMs: number;
}

/** What a cloud shows of an object differs from what was sent. `youngMs`: only so long after its create. */
interface Shows extends When {
  does: "show";
  youngMs?: number;
  as: (object: JsonMap) => JsonMap;
}

/** One way in which a real cloud differs from an obedient one. The profile decides when it happens. */
export type Behaviour = Refuses | EndsFailed | Hides | Keeps | Shows;

export interface MadeObject {
  /** Where it is read. */
  at: string;
  /** Texts by which later calls name it: ids, names, paths. */
  names: readonly string[];
}

/** The differences between clouds that the profile needs to know. */
export interface RealCloud {
  /** Undefined: no behaviour concerns the call, for example a sign-in. */
  callOf: (request: Request, text: string) => RealCall | undefined;
  reads: (call: RealCall) => boolean;
  lists: (call: RealCall) => boolean;
  deletes: (call: RealCall) => boolean;
  /** The new object that the answer tells of. */
  madeBy: (call: RealCall, answer: Json) => MadeObject | undefined;
  /** The answer to a refused call. */
  refuse: (call: RealCall, refused: { status: number; says: Words }) => Response;
  /** The answer to a read of an object that is not there. */
  missing: (call: RealCall) => Response;
  /** The answer to a change whose operation fails, and what a poll of that operation is answered. */
  failed?: (call: RealCall, says: Words, accepted: Response | undefined) => FailedChange;
  /** An answer with its object changed. Default: the answer is the object. */
  withObject?: (answer: JsonMap, change: (object: JsonMap) => JsonMap) => JsonMap;
  behaviours: readonly Behaviour[];
}

export interface FailedChange {
  answer: Response;
  /** The place of polls of the operation. */
  polledAt: string;
  polled: () => Response;
  /** The object that is left, as it is shown. */
  left?: { at: string; as: (object: JsonMap) => JsonMap };
}

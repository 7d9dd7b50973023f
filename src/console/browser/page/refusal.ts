/** A fault of one member of a request. */
export interface Fault {
  /** The member, as a JSON pointer. */
  pointer?: string;
  detail: string;
}

/** The reason why nothing was sent or changed, in words for people, with the faults of single members. */
export class Refusal extends Error {
  readonly faults: readonly Fault[];

  constructor(message: string, faults: readonly Fault[] = [], options?: ErrorOptions) {
    super(message, options);
    this.faults = faults;
  }
}

/** The message and faults of anything that was thrown. */
export function refusalIn(thrown: unknown): Pick<Refusal, "message" | "faults"> {
  if (thrown instanceof Refusal) return thrown;
  return { message: thrown instanceof Error ? thrown.message : String(thrown), faults: [] };
}

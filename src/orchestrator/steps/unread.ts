import { ProgramError } from "#orchestrator/program/program-error.ts";
import type { Outcome } from "#providers/provider.ts";
import type { Fault } from "#schema/lists/deployment-faults.ts";

/** A failed read that a step or a plan needs: of an object, or of the credential's account. */
export class Unread extends ProgramError {
  readonly fault: Fault | undefined;
  /** Milliseconds until another attempt; undefined: another attempt would fail too. */
  readonly retryAfterMs: number | undefined;
  constructor(
    { code, message }: { code: string; message: string },
    more: { fault?: Fault | undefined; retryAfterMs?: number } = {},
  ) {
    super(code, message);
    this.fault = more.fault;
    this.retryAfterMs = more.retryAfterMs;
  }
}

/** `what`: the beginning of the sentence. `retryAfterMs`: absent if no further attempt is made. */
export function unreadBecause(
  what: string,
  {
    code,
    message,
    fault,
  }: Pick<Extract<Outcome, { kind: "failed" }>, "code" | "message" | "fault">,
  retryAfterMs: number | undefined,
): Unread {
  return new Unread(
    { code, message: `${what}: ${message}` },
    { fault, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
  );
}

import type { Dialect, DialectAnswer, DialectCall, Failed } from "./definition.ts";
import { type Attempt, failure } from "./requests/attempt.ts";
import { sendRequest } from "./requests/request.ts";

/** What a cloud with a dialect said, apart from failures. */
export type Said = Exclude<DialectAnswer, Failed>;

export type AskedDialect =
  | { ok: true; said: Said; requestId?: string; afterMs?: number }
  | { ok: false; failed: Failed };

/** Asks in the provider's dialect, which it must have. A failure that means `gone` is an answer. */
export async function askDialect(
  attempt: Attempt,
  verb: Parameters<Dialect["request"]>[0],
  more: Omit<DialectCall, "type" | "row" | "context" | "properties">,
): Promise<AskedDialect> {
  const { definition, type = "", row, context, properties } = attempt;
  const { dialect } = definition;
  if (dialect === undefined) throw new Error(`${definition.types.name} has no dialect`);
  const call: DialectCall = { type, row, context, properties, ...more };
  const request = dialect.request(verb, call);
  if ("kind" in request) return { ok: false, failed: request };
  const result = await sendRequest(attempt, { ...request, verb });
  if (!result.ok)
    return result.failed.means === "gone" && verb !== "create"
      ? { ok: true, said: { kind: "gone" } }
      : result;
  const { answer } = result;
  const said = dialect.read(answer, verb, call);
  if (said.kind === "failed") return { ok: false, failed: said };
  const { requestId, afterMs } = answer;
  return {
    ok: true,
    said,
    ...(requestId !== undefined && { requestId }),
    ...(afterMs !== undefined && { afterMs }),
  };
}

/** An answer of a kind that the call does not have. `verb` may have changed something. */
export function unfitAnswer({ definition, verb }: Attempt, kind: Said["kind"]): Failed {
  const message = `${definition.types.name} answered a ${verb} with something else (${kind}).`;
  return failure("invalid_answer", message, {
    unknownOutcome: verb === "create" || verb === "update" || verb === "delete",
  });
}

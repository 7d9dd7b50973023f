/** Changes that go on after their answer: by a URL of the operation, by a URL of its result, or by the object's state. */
import { isJsonMap, type Json } from "#platform/json.ts";
import type { OperationState, Poller } from "#providers/rest/definition.ts";
import type { Answer } from "#providers/transport.ts";
import { meaningOf, saidIn } from "./meaning.ts";
import { spreadsAtAzure } from "./spreading.ts";

const ended: ReadonlySet<string> = new Set(["succeeded", "failed", "canceled", "cancelled"]);

/** The object's own state tells, where there is no URL: the row's `state`. */
function started(answer: Answer, verb: "create" | "update" | "delete"): Json | undefined {
  const operation = answer.headers.get("azure-asyncoperation");
  if (operation !== null && operation !== "") return { at: operation, verb };
  const location = answer.headers.get("location");
  return answer.status === 202 && location !== null && location !== ""
    ? { at: location, verb }
    : undefined;
}

/** An operation says its status. The URL of a result answers 202 until the result is there. */
function read(answer: Answer): OperationState {
  const body = isJsonMap(answer.json) ? answer.json : {};
  const { status } = body;
  const state = typeof status === "string" ? status.toLowerCase() : undefined;
  const after = answer.afterMs === undefined ? {} : { afterMs: answer.afterMs };
  if (state === undefined)
    return answer.status === 202 ? { state: "running", ...after } : { state: "done" };
  if (!ended.has(state)) return { state: "running", ...after };
  if (state === "succeeded") return { state: "done" };
  const said = saidIn(body["error"] === undefined ? undefined : body) ?? {
    code: state === "failed" ? "operation_failed" : "operation_canceled",
    message: `The operation ended ${state} without a reason.`,
    inner: [],
  };
  // Read as of a create: no status says that the missing object is the operation's own.
  const means = meaningOf(0, said, "create");
  const spreads = spreadsAtAzure(said, "create");
  return {
    state: "failed",
    code: said.code || "operation_failed",
    message: said.message,
    ...(means === undefined ? {} : { means }),
    ...(spreads === undefined ? {} : { spreads }),
  };
}

export const armPoller: Poller = {
  started,
  path: (operation) =>
    isJsonMap(operation) && typeof operation["at"] === "string" ? operation["at"] : "",
  read,
};

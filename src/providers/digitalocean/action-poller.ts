import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { Poller } from "#providers/rest/definition.ts";

function actionIn(json: Json | undefined): JsonMap | undefined {
  const action = isJsonMap(json) ? json["action"] : undefined;
  return isJsonMap(action) ? action : undefined;
}

/** Actions: changes of Droplets, volumes and reserved IPs that are answered before they are done. */
export const actionPoller: Poller = {
  started: ({ json }, _, row) => {
    const { id, status } = actionIn(json) ?? {};
    const isOver = status === "completed" && row.create?.unnamed !== true;
    return typeof id === "number" && !isOver ? id : undefined;
  },
  path: (operation) => `/v2/actions/${JSON.stringify(operation)}`,
  read: ({ json }) => {
    const { status, type } = actionIn(json) ?? {};
    if (status === "completed") return { state: "done" };
    if (status !== "errored") return { state: "running" };
    const what = typeof type === "string" ? type : "on the object";
    const message = `The action ${what} ended with an error. Look at the object's history at DigitalOcean.`;
    return { state: "failed", code: "action_errored", message };
  },
};

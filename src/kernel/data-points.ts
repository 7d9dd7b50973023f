/**
 * A history for operators: a data point of Workers Analytics Engine for each request, each ended deployment and each
 * attempt of a delivery. The dataset is optional. Points have no ids and no texts of tenants. Best effort: Analytics
 * Engine samples, and a Worker that dies writes none (decision 0091).
 */
import { describeError, log } from "#platform/log.ts";
import type { DeploymentState } from "#schema/lists/deployment-states.ts";
import type { AttemptErrorClass, DeliveryState } from "#schema/webhooks.ts";
import type { Bindings } from "./bindings.ts";

export type DataPoint =
  | {
      kind: "request";
      /** The pattern of its path; `none`: no route has this path. */
      route: string;
      method: string;
      status: number;
      /** Until the answer began. */
      durationMs: number;
    }
  | {
      kind: "deployment";
      operation: string;
      state: DeploymentState;
      provider: string;
      /** Since the request. */
      durationMs: number;
    }
  | {
      kind: "delivery";
      outcome: "delivered" | AttemptErrorClass;
      /** The delivery's state after the attempt. */
      state: DeliveryState;
      /** The answer's status; 0: there was none. */
      status: number;
      attempt: number;
      durationMs: number;
    };

let hasFailed = false;

/**
 * Writes the point, if the installation has a dataset; otherwise `make` is not called. Never throws, and logs only the
 * first failure of the isolate.
 */
export function writeDataPoint(
  { ANALYTICS }: Pick<Bindings, "ANALYTICS">,
  make: () => DataPoint,
): void {
  if (ANALYTICS === undefined) return;
  try {
    const point = make();
    ANALYTICS.writeDataPoint({ indexes: [point.kind], ...columnsOf(point) });
  } catch (error) {
    if (!hasFailed)
      log("warn", "A data point could not be written", { error: describeError(error) });
    hasFailed = true;
  }
}

/** docs/operations.md lists the columns. New ones go to the end: queries name them by their number. */
function columnsOf(point: DataPoint): { blobs: string[]; doubles: number[] } {
  switch (point.kind) {
    case "request":
      return {
        blobs: [point.route, point.method, `${Math.floor(point.status / 100)}xx`],
        doubles: [point.durationMs, point.status],
      };
    case "deployment":
      return {
        blobs: [point.operation, point.state, point.provider],
        doubles: [point.durationMs],
      };
    case "delivery":
      return {
        blobs: [point.outcome, point.state],
        doubles: [point.durationMs, point.status, point.attempt],
      };
  }
}

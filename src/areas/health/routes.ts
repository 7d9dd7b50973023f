import { answerOf, respond } from "#http/answer.ts";
import { callOf } from "#http/request-call.ts";
import { plainRoute } from "#http/route.ts";
import { actsAsOperator } from "#kernel/access/claim.ts";
import { ApiError } from "#kernel/errors.ts";
import { timestamp } from "#platform/timestamp.ts";
import { getHealthEndpoint } from "./contract.ts";
import { getHealth, type OperatorHealth } from "./get-health.ts";

/** The right to see the faults of the installation. */
const toldProblems = { role: "operator", scope: "license:read" } as const;

export const healthRoutes = [
  plainRoute(getHealthEndpoint, async (c) => {
    const asStranger = async () => getHealth(await callOf(c, getHealthEndpoint));
    const told = actsAsOperator(c.get("caller"))
      ? await callOf(c, { ...getHealthEndpoint, access: toldProblems })
          .then(getHealth)
          .catch(async (error: unknown) => {
            // A monitor gets an answer even with an invalid key.
            if (error instanceof ApiError && error.code !== "unavailable") return asStranger();
            throw error;
          })
      : await asStranger();
    const view = { status: "ok", ...(told === undefined ? {} : operatorView(told)) };
    return respond(c, getHealthEndpoint, answerOf(getHealthEndpoint, undefined, view));
  }),
];

function operatorView({ version, sweptAtMs, problems }: OperatorHealth) {
  return {
    version,
    sweptAt: sweptAtMs === null ? null : timestamp(sweptAtMs),
    ...(problems.length > 0 ? { problems } : {}),
  };
}

import { route } from "#http/route.ts";
import { getHealthEndpoint } from "./contract.ts";
import { getHealth } from "./get-health.ts";

export const healthRoutes = [
  route(
    getHealthEndpoint,
    (call) => getHealth(call),
    (problems) => ({
      status: "ok" as const,
      ...(problems.length > 0 ? { problems: [...problems] } : {}),
    }),
  ),
];

import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";

const tag = "Operations";

export const getHealthEndpoint = endpoint({
  method: "GET",
  path: "/health",
  operationId: "getHealth",
  tag,
  summary: "Check the service's health",
  access: "public",
  answer: {
    status: 200,
    description: "The service and its database are up.",
    schema: z.object({
      status: z.literal("ok"),
      problems: z
        .array(z.string())
        .optional()
        .describe(
          "Configuration errors for the operator to fix; everything else works. Absent: none.",
        ),
    }),
  },
  problems: ["unavailable"],
});

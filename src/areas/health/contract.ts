import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";

const tag = "Operations";

export const getHealthEndpoint = endpoint({
  method: "GET",
  path: "/health",
  operationId: "getHealth",
  tag,
  summary: "Is the service up?",
  access: "public",
  answer: {
    status: 200,
    description: "It is; the database answers too.",
    schema: z.object({
      status: z.literal("ok"),
      problems: z
        .array(z.string())
        .optional()
        .describe("What the operator should set right; everything else goes on working."),
    }),
  },
  problems: ["unavailable"],
});

import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";

const tag = "Operations";

export const getHealthEndpoint = endpoint({
  method: "GET",
  path: "/health",
  operationId: "getHealth",
  tag,
  summary: "Check the service's health",
  description:
    "503 until the installation is complete. To an operator's key it says what is missing and the command that mends it; everyone else learns only that it is so.",
  access: "public",
  answer: {
    status: 200,
    description:
      "The service is ready: its database answers and has the schema of this version, and secrets can be sealed.",
    schema: z.object({
      status: z.literal("ok"),
      problems: z
        .array(z.string())
        .optional()
        .describe(
          "For operators: errors in the settings of sign-in and of the issuer of tokens. Everything else works. Absent: none.",
        ),
    }),
  },
  problems: ["unavailable"],
});

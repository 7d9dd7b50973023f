import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { Timestamp } from "#http/schemas.ts";
import { prose } from "#platform/prose.ts";

const tag = "Operations";

export const getHealthEndpoint = endpoint({
  method: "GET",
  path: "/health",
  operationId: "getHealth",
  tag,
  summary: prose("Check the service's health"),
  description: prose(
    "503 until the installation is complete. To an operator's key it says what is missing and the command that mends it; everyone else learns only that it is so.",
  ),
  access: "public",
  answer: {
    status: 200,
    description: prose(
      "The service is ready: its database answers and has the schema of this version, and secrets can be sealed.",
    ),
    schema: z.object({
      status: z.literal("ok").describe(prose("`ok`: the service is ready.")),
      version: z
        .string()
        .nullable()
        .optional()
        .describe(
          prose(
            "For operators: the version that answers, as `npm run deploy` named it. Null: it was deployed without a name, or runs on the operator's machine.",
          ),
        ),
      sweptAt: Timestamp.nullable()
        .optional()
        .describe(
          prose(
            "For operators: when the sweeps of the cron trigger last began. Null: they never ran. They run every minute.",
          ),
        ),
      problems: z
        .array(z.string())
        .optional()
        .describe(
          prose(
            "For operators: errors in the settings of sign-in and of the issuer of tokens. Everything else works. Absent: none.",
          ),
        ),
    }),
  },
  problems: ["unavailable"],
});

/** What webhooks receive, as the document shows it: a webhook for each kind of event, and one for all of them. */
import type { Json, JsonMap } from "#platform/json.ts";
import { type Header, parameterRefs } from "./headers.ts";

export const webhookHeaders: readonly Header[] = [
  { name: "webhook-id", description: "The event's id: the same in every attempt.", required: true },
  { name: "webhook-timestamp", description: "When it was sent, in seconds.", required: true },
  {
    name: "webhook-signature",
    description: "`v1,` and the HMAC-SHA256 of `id.timestamp.body`; one for each valid secret.",
    required: true,
  },
];

/** Every kind in one type, told apart by `type`. */
export function anyEvent(events: readonly [string, JsonMap][]): JsonMap {
  return {
    description: "What a webhook receives: one of these, told apart by `type`.",
    oneOf: events.map(([, schema]) => schema),
    discriminator: {
      propertyName: "type",
      mapping: Object.fromEntries(
        events.map(([kind, { $ref }]): [string, Json] => [kind, $ref ?? null]),
      ),
    },
  };
}

function webhook(kind: string, schema: JsonMap): JsonMap {
  const name = kind.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return {
    post: {
      operationId: kind === ANY_EVENT ? "receiveEvent" : `receive${name}`,
      summary: kind === ANY_EVENT ? "Any event" : `The event \`${kind}\``,
      description:
        "Sent to every enabled webhook that asks for the kind, signed as Standard Webhooks says. Verify `webhook-signature` before you read the body; answer 2xx within 15 seconds.",
      tags: ["Webhooks"],
      security: [],
      parameters: parameterRefs(webhookHeaders),
      requestBody: { required: true, content: { "application/json": { schema } } },
      responses: {
        "204": { description: "Received." },
        "410": { description: "Send no more: the webhook is disabled." },
      },
    },
  };
}

/** For receivers of every kind at once. */
const ANY_EVENT = "event";

/** By kind, from the schemas of the kinds. */
export function webhooksOf(events: readonly [string, JsonMap][]): JsonMap {
  const any: [string, JsonMap] = [ANY_EVENT, { $ref: "#/components/schemas/Event" }];
  return Object.fromEntries(
    [any, ...events].map(([kind, schema]) => [kind, webhook(kind, schema)]),
  );
}

/** The `webhooks` of the document: one for each kind of event, and one for all kinds. */
import type { Json, JsonMap } from "#platform/json.ts";
import { type Header, parameterRefs } from "./headers.ts";

export const webhookHeaders: readonly Header[] = [
  {
    name: "webhook-id",
    description: "The id of the event; the same in every attempt.",
    required: true,
  },
  {
    name: "webhook-timestamp",
    description: "The time of this attempt, in seconds since 1970-01-01 UTC.",
    required: true,
  },
  {
    name: "webhook-signature",
    description:
      "`v1,` and the Base64 HMAC-SHA256 of `id.timestamp.body`. While several secrets are valid: one for each, separated by spaces.",
    required: true,
  },
];

/** A union of all kinds, discriminated by `type`. */
export function anyEvent(events: readonly [string, JsonMap][]): JsonMap {
  return {
    description: "The body that a webhook receives: one of these, by `type`.",
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
        "Sent to every enabled webhook that selects this kind, signed as in Standard Webhooks. Verify `webhook-signature` before you use the body; answer 2xx within 15 seconds.",
      tags: ["Webhooks"],
      security: [],
      parameters: parameterRefs(webhookHeaders),
      requestBody: { required: true, content: { "application/json": { schema } } },
      responses: {
        "204": { description: "Received." },
        "410": { description: "Do not send again: the webhook is disabled." },
      },
    },
  };
}

/** For receivers that handle all kinds in one place. */
const ANY_EVENT = "event";

/** The webhooks of the document, by kind of event. */
export function webhooksOf(events: readonly [string, JsonMap][]): JsonMap {
  const any: [string, JsonMap] = [ANY_EVENT, { $ref: "#/components/schemas/Event" }];
  return Object.fromEntries(
    [any, ...events].map(([kind, schema]) => [kind, webhook(kind, schema)]),
  );
}

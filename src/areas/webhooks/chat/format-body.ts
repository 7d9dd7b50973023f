import type { WebhookFormat } from "#schema/webhooks.ts";
import { chatMessage } from "./chat-message.ts";
import { type EventFacts, noFacts } from "./event-facts.ts";
import { slackBody } from "./slack-body.ts";
import { teamsBody } from "./teams-body.ts";

/** The body of an attempt: the stored payload, byte for byte, or a chat message made of it. */
export function formatBody(
  format: WebhookFormat,
  payload: string,
  facts: EventFacts = noFacts,
): string {
  if (format === "standard") return payload;
  const message = chatMessage(payload, facts);
  return format === "slack" ? slackBody(message) : teamsBody(message);
}

/** Whether the service refuses a webhook that leads to itself. */
import { askService, saidBy } from "../ask-service.ts";
import type { Examined } from "./examined.ts";
import { error, type Finding, note, ok, warning } from "./finding.ts";

/** Tries to make such a webhook. One that was made is deleted again. */
export async function checkWebhookLoop(examined: Examined): Promise<Finding[]> {
  const { address, isLocal, key } = examined;
  if (key === undefined) return [];
  if (isLocal)
    return [
      note("webhook-loop", "On this machine webhooks may lead to loopback, so loops are possible."),
    ];
  const body = {
    url: `${address}/api/v1/health`,
    events: ["message.dead_lettered"],
    description: "Made by `npm run doctor`, which deletes it",
  };
  const answer = await askService(`${address}/api/v1/webhooks`, examined, {
    method: "POST",
    key,
    body,
  });
  if (answer.status !== undefined && answer.body["code"] === "url_not_allowed")
    return [ok("webhook-loop", "A webhook that leads to the service itself is refused.")];
  if (answer.status !== 201)
    return [
      warning(
        "webhook-loop",
        `Whether webhooks may lead to the service itself is not known: POST /api/v1/webhooks ${saidBy(answer)}`,
        "A webhook that leads to the service could start itself again and again.",
        "Set OPERATOR_KEY to an operator's key with the scope webhooks:write, and run `npm run doctor` again.",
      ),
    ];
  const id = answer.body["id"] as string;
  const deleted = await askService(`${address}/api/v1/webhooks/${id}`, examined, {
    method: "DELETE",
    key,
  });
  const gone = deleted.status === 204;
  return [
    error(
      "webhook-loop",
      `A webhook that leads to the service itself is accepted.${gone ? " The one of this check was deleted again." : ""}`,
      "A tenant can make the service send events to itself, again and again.",
      `Set WEBHOOK_ALLOW_INSECURE to off, and ALLOWED_ORIGINS to ${address}, in \`vars\` of installation.jsonc, then run \`npm run deploy\`.${gone ? "" : ` Delete the webhook ${id}.`}`,
    ),
  ];
}

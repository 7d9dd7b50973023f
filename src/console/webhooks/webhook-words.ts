/** Webhooks in words. Pure. */
import type * as z from "zod";
import type { AttemptView, WebhookView } from "#areas/webhooks/contract.ts";
import type { Choice } from "#console/act-form.tsx";
import { eventKinds } from "#schema/lists/event-kinds.ts";

export type Webhook = z.output<typeof WebhookView>;
export type Attempt = z.output<typeof AttemptView>;

/** All events for a webhook, grouped by resource. */
export const eventChoices: readonly Choice[] = [
  { value: "*", words: "Everything" },
  ...Object.entries(eventKinds).flatMap(([resource, verbs]) => {
    const group = resource.replaceAll("_", " ");
    return [
      { value: `${resource}.*`, words: `Everything of ${group}`, group },
      ...verbs.map((verb) => ({
        value: `${resource}.${verb}`,
        words: verb.replaceAll("_", " "),
        group,
      })),
    ];
  }),
];

const formats: Readonly<Record<Webhook["format"], string>> = {
  standard: "the event, as JSON",
  slack: "a message for an incoming webhook of Slack",
  teams: "a message for a workflow of Microsoft Teams",
};

export const formatChoices: readonly Choice[] = Object.entries(formats).map(([value, words]) => ({
  value,
  words,
}));

export function formatWords({ format }: Pick<Webhook, "format">): string {
  return formats[format];
}

/** The signature methods of deliveries. */
export const signatureChoices: readonly Choice[] = [
  { value: "v1", words: "HMAC-SHA256, with a secret that both sides have" },
  { value: "v1a", words: "Ed25519: the receiver needs a public key alone" },
] satisfies readonly (Choice & { value: Webhook["signature"] })[];

/** The name of a webhook: its description, or its address. */
export function webhookName({ description, url }: Pick<Webhook, "description" | "url">): string {
  return description === "" ? url : description;
}

const disabledReasons: Readonly<Record<NonNullable<Webhook["disabledReason"]>, string>> = {
  user: "Somebody disabled it: nothing is sent.",
  failing:
    "The service disabled it: no delivery succeeded for five days. Enable it when its receiver works.",
  gone: "The service disabled it: its receiver answered 410, gone. Correct the URL and enable it.",
};

/** Whether the webhook works, and a remedy if it does not. */
export function healthWords({ disabledReason, circuit }: Webhook): string {
  if (disabledReason !== null) return disabledReasons[disabledReason];
  if (circuit === "closed") return "It is enabled: events are sent as they happen.";
  return "Its receiver fails: deliveries are held, which uses no attempts, and one is tried every 30 seconds. When one succeeds, the others follow.";
}

const failures: Readonly<Record<NonNullable<Attempt["errorClass"]>, string>> = {
  timeout: "The receiver did not answer in time.",
  network: "The receiver could not be reached.",
  redirect: "The receiver redirected: redirects are not followed.",
  http_status: "The receiver's answer is no success.",
  url_not_allowed: "The URL is not allowed: it has to be https, with a public host name.",
};

export function attemptWords({ errorClass }: Attempt): string {
  return errorClass === null ? "The receiver took it." : failures[errorClass];
}

import type { Field } from "#console/act-form.tsx";
import { eventChoices, formatChoices, signatureChoices, type Webhook } from "./webhook-words.ts";

/** The inputs of a webhook. `now`: its current values, for an existing one. */
export function webhookFields(
  now: Pick<Webhook, "url" | "description" | "events" | "format"> = {
    url: "",
    description: "",
    events: [],
    format: "standard",
  },
): Field[] {
  return [
    {
      name: "url",
      words: "URL",
      hint: "https, with a public host name; port 443 or 8443.",
      value: now.url,
      isRequired: true,
      maxLength: 2000,
    },
    {
      name: "description",
      words: "Description",
      value: now.description,
      maxLength: 200,
      empty: "text",
    },
    {
      name: "format",
      words: "What is sent",
      kind: "choice",
      choices: formatChoices,
      value: now.format,
    },
    {
      name: "events",
      words: "Events",
      kind: "checks",
      choices: eventChoices,
      value: now.events,
    },
  ];
}

/** The signature of deliveries: chosen when a secret is created or rotated. */
export function signatureField(now: Webhook["signature"] = "v1"): Field {
  return {
    name: "signature",
    words: "Signed by",
    kind: "choice",
    choices: signatureChoices,
    value: now,
  };
}

/** Members of an answer with a new secret. With Ed25519 there is no secret to keep. */
export const shownSecret = { secret: "Signing secret", publicKey: "Public key" };

/**
 * A message for a workflow of Microsoft Teams that posts its webhook's requests: an envelope with one Adaptive Card
 * (https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using). Every
 * text is a `TextRun`, which has no Markdown, so no name can contain a link, a mention or a picture
 * (https://learn.microsoft.com/en-us/adaptive-cards/authoring-cards/text-features).
 */
import type { ChatMessage } from "./chat-message.ts";
import { cutEscaped } from "./cut.ts";

/**
 * Teams refuses messages of more than 28 KB. With these lengths a card has at most 22 KB: a character has up to three
 * bytes, or two as a JSON escape of `"` and `\`, the only escapes after `oneLine`.
 */
const HEADLINE = 250;
const LINE = 1000;
const LINES = 6;

function block(text: string, style: Readonly<Record<string, unknown>> = {}) {
  return { type: "RichTextBlock", inlines: [{ type: "TextRun", text, ...style }] };
}

export function teamsBody({ headline, lines, link, footer }: ChatMessage): string {
  const card = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body: [
      block(cutEscaped(headline, HEADLINE), { weight: "Bolder", size: "Medium" }),
      ...lines.slice(0, LINES).map((line) => block(cutEscaped(line, LINE))),
      block(cutEscaped(footer, HEADLINE), { isSubtle: true, size: "Small" }),
    ],
    ...(link === undefined
      ? {}
      : { actions: [{ type: "Action.OpenUrl", title: link.words, url: link.url }] }),
    msteams: { width: "Full" },
  };
  return JSON.stringify({
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: card,
      },
    ],
  });
}

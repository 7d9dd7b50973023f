/**
 * A message for Slack's incoming webhooks (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks).
 * Texts are `plain_text`, which has no markup. They are escaped anyway, as Slack requires: in `mrkdwn` and in the
 * notification, `<!channel>` calls everybody and `<https://…|words>` is a link
 * (https://docs.slack.dev/messaging/formatting-message-text). The only `mrkdwn` is the link to the console.
 */
import type { ChatMessage } from "./chat-message.ts";
import { cutEscaped } from "./cut.ts";

/** Slack's limits (https://docs.slack.dev/reference/block-kit/blocks); a message beyond one is refused as a whole. */
const HEADER = 150;
const SECTION = 3000;
const LINES = 10;
/** Not a limit of Slack's: notifications show no more. */
const NOTIFICATION = 300;

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function escape(character: string): string {
  return entities[character] ?? character;
}

function plain(text: string, most: number) {
  return { type: "plain_text", text: cutEscaped(text, most, escape), emoji: false };
}

export function slackBody({ headline, lines, link, footer }: ChatMessage): string {
  return JSON.stringify({
    text: cutEscaped(headline, NOTIFICATION, escape),
    mrkdwn: false,
    blocks: [
      { type: "header", text: plain(headline, HEADER) },
      ...lines.slice(0, LINES).map((line) => ({ type: "section", text: plain(line, SECTION) })),
      ...(link === undefined ? [] : [{ type: "section", text: mrkdwnLink(link) }]),
      { type: "context", elements: [plain(footer, SECTION)] },
    ],
  });
}

/** Of Slack's control characters, an address can have `&` alone: a URL encodes `<`, `>` and `|` in its path. */
function mrkdwnLink({ words, url }: NonNullable<ChatMessage["link"]>) {
  const address = cutEscaped(url.replaceAll("|", "%7C"), SECTION / 2, escape);
  return { type: "mrkdwn", text: `<${address}|${cutEscaped(words, 75, escape)}>`, verbatim: true };
}

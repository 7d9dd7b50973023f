/** An event as a message for people, before a vendor's markup. Pure. */
import { isJsonMap, type Json, readJson } from "#platform/json.ts";
import type { EventFacts } from "./event-facts.ts";
import { eventWords, timeWords } from "./event-words.ts";

export interface ChatMessage {
  /** The event in one sentence. */
  headline: string;
  lines: readonly string[];
  /** A link to the page in the console. Undefined: there is no page. */
  link: { words: string; url: string } | undefined;
  /** The kind of the event, its time and its tenant. */
  footer: string;
}

export function chatMessage(payload: string, facts: EventFacts): ChatMessage {
  const read = readJson(payload);
  const event = isJsonMap(read) ? read : {};
  const data = isJsonMap(event["data"]) ? event["data"] : {};
  const type = typeof event["type"] === "string" ? event["type"] : "";
  const { headline, lines = [] } = eventWords(type, { data, facts });
  const tenant = facts.tenantName;
  return {
    headline: oneLine(headline),
    // Slack refuses a message with an empty text.
    lines: lines.map((line) => oneLine(line ?? "")).filter((line) => line !== ""),
    link: linkTo(data["pageUrl"], type),
    footer: oneLine(
      [type, timeWords(event["timestamp"]), tenant === null ? undefined : `tenant ${tenant}`]
        .filter((part) => part !== undefined)
        .join(" · "),
    ),
  };
}

function linkTo(pageUrl: Json | undefined, type: string): ChatMessage["link"] {
  const url = typeof pageUrl === "string" ? URL.parse(pageUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return { words: `Open the ${type.slice(0, type.indexOf("."))}`, url: url.href };
}

/**
 * Removes line breaks, other control characters and characters that reverse the following text: otherwise a name could
 * imitate a line of the service.
 */
function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, " ")
    .trim();
}

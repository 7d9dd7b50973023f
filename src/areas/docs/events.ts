/** What a receiver of webhooks gets: what all events have, and then each kind. Pure. */
import { escapeHtml } from "#http/pages/escape-html.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { answerItem, JSON_BODY, parameterSection, sampleBlock } from "./endpoint.ts";
import { schemaFields } from "./fields.ts";
import { sampleOfMedia } from "./sample.ts";
import { choicesOf, mapAt, resolve, textAt, withSharedParts } from "./schema.ts";
import { code, inline, paragraphs } from "./text.ts";

interface Webhook {
  kind: string;
  operation: JsonMap;
}

/** The kind that stands for all of them, which is told first, is the one whose payload is a choice. */
export function eventSections(document: JsonMap): string {
  const webhooks = Object.entries(mapAt(document, "webhooks")).map(([kind, item]): Webhook => {
    const operation = withSharedParts(mapAt(isJsonMap(item) ? item : {}, "post"), document);
    return { kind, operation: isJsonMap(operation) ? operation : {} };
  });
  const any = webhooks.find(({ operation }) => alternatives(operation, document).length > 0);
  const kinds = webhooks.filter((webhook) => webhook !== any);
  return [
    ...(any === undefined ? [] : [common(any, document)]),
    ...kinds.map((webhook) => entry(webhook, document, any === undefined)),
  ].join("\n");
}

function mediaOf(operation: JsonMap): JsonMap {
  return mapAt(mapAt(mapAt(operation, "requestBody"), "content"), JSON_BODY);
}

function alternatives(operation: JsonMap, document: JsonMap): Json[] {
  return choicesOf(resolve(mediaOf(operation)["schema"], document).schema);
}

function common({ operation }: Webhook, document: JsonMap): string {
  const [first] = alternatives(operation, document);
  const { schema } = resolve(first, document);
  const envelope = {
    ...schema,
    properties: {
      ...mapAt(schema, "properties"),
      type: { type: "string", description: "The kind: one of those below." },
      data: { type: "object", description: "What there is to say of this kind: see below." },
    },
  };
  return `${delivery(operation, document)}
<h4>Every payload</h4>
${schemaFields(envelope, { document, side: "output" })}
<h3 class="kinds">Kinds</h3>`;
}

function delivery(operation: JsonMap, document: JsonMap): string {
  const answers = Object.entries(mapAt(operation, "responses"));
  return `${paragraphs(textAt(operation, "description"))}
${parameterSection("header", operation, document)}
<h4>What to answer</h4>
${answers.map(([status, answer]) => answerItem(status, answer, document)).join("")}`;
}

/** `alone`: nothing has been said of events before. */
function entry({ kind, operation }: Webhook, document: JsonMap, alone: boolean): string {
  const media = mediaOf(operation);
  const { schema } = resolve(media["schema"], document);
  const data = alone ? undefined : mapAt(schema, "properties")["data"];
  const fields = schemaFields(data ?? media["schema"], { document, side: "output" });
  const sample = sampleOfMedia(media, { document, side: "output" });
  return `<details class="event" id="${escapeHtml(`event-${kind}`)}">
<summary>${code(kind)}${alone ? ` ${inline(textAt(operation, "summary"))}` : ""}</summary>
${alone ? delivery(operation, document) : ""}
<h4>${data === undefined ? "Payload" : "Data"}</h4>
${fields}
${sampleBlock("Sample", JSON.stringify(sample, undefined, 2))}
</details>`;
}

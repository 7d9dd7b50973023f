/** The payloads of webhooks: first the members of all events, then each kind. Pure. */
import type { JSX } from "hono/jsx/jsx-runtime";
import { mapAt, textAt } from "#areas/docs/document/json-at.ts";
import { jsonMediaOf } from "#areas/docs/document/operation.ts";
import { choicesOf, resolveSchema } from "#areas/docs/document/resolve-schema.ts";
import { sampleOfMedia } from "#areas/docs/document/sample.ts";
import { withSharedParts } from "#areas/docs/document/with-shared-parts.ts";
import { AnswerItem } from "#areas/docs/parts/answer-item.tsx";
import { Paragraphs } from "#areas/docs/parts/paragraphs.tsx";
import { ParameterSection } from "#areas/docs/parts/parameter-section.tsx";
import { SampleBlock } from "#areas/docs/parts/sample-block.tsx";
import { schemaFields } from "#areas/docs/parts/schema-fields.tsx";
import { TextWithCode } from "#areas/docs/parts/text-with-code.tsx";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";

interface Webhook {
  kind: string;
  operation: JsonMap;
}

/** First the entry for all kinds, whose payload is a choice. */
export function EventSections({ document }: { document: JsonMap }): JSX.Element {
  const webhooks = Object.entries(mapAt(document, "webhooks")).map(([kind, item]): Webhook => {
    const operation = withSharedParts(mapAt(isJsonMap(item) ? item : {}, "post"), document);
    return { kind, operation: isJsonMap(operation) ? operation : {} };
  });
  const any = webhooks.find(({ operation }) => alternatives(operation, document).length > 0);
  return (
    <>
      {any !== undefined && <EveryEvent operation={any.operation} document={document} />}
      {webhooks
        .filter((webhook) => webhook !== any)
        .map((webhook) => (
          <EventKind webhook={webhook} document={document} alone={any === undefined} />
        ))}
    </>
  );
}

function mediaOf(operation: JsonMap): JsonMap {
  return jsonMediaOf(mapAt(operation, "requestBody"));
}

function alternatives(operation: JsonMap, document: JsonMap): Json[] {
  return choicesOf(resolveSchema(mediaOf(operation)["schema"], document).schema);
}

interface Shown {
  operation: JsonMap;
  document: JsonMap;
}

function EveryEvent({ operation, document }: Shown): JSX.Element {
  const [first] = alternatives(operation, document);
  const { schema } = resolveSchema(first, document);
  const envelope = {
    ...schema,
    properties: {
      ...mapAt(schema, "properties"),
      type: { type: "string", description: "The kind: one of those below." },
      data: { type: "object", description: "What this kind of event reports: see below." },
    },
  };
  return (
    <>
      <Delivery operation={operation} document={document} />
      <h4>Every payload</h4>
      {schemaFields(envelope, { document, side: "output" })}
      <h3 class="kinds">Kinds</h3>
    </>
  );
}

function Delivery({ operation, document }: Shown): JSX.Element {
  return (
    <>
      <Paragraphs text={textAt(operation, "description")} />
      <ParameterSection place="header" operation={operation} document={document} />
      <h4>What to answer</h4>
      {Object.entries(mapAt(operation, "responses")).map(([status, answer]) => (
        <AnswerItem status={status} answer={answer} document={document} />
      ))}
    </>
  );
}

/** `alone`: no section about all events precedes it. */
function EventKind(shown: { webhook: Webhook; document: JsonMap; alone: boolean }): JSX.Element {
  const { webhook, document, alone } = shown;
  const { kind, operation } = webhook;
  const media = mediaOf(operation);
  const { schema } = resolveSchema(media["schema"], document);
  const data = alone ? undefined : mapAt(schema, "properties")["data"];
  const sample = sampleOfMedia(media, { document, side: "output" });
  return (
    <details class="event" id={`event-${kind}`}>
      <summary>
        <code>{kind}</code> {alone && <TextWithCode text={textAt(operation, "summary")} />}
      </summary>
      {alone && <Delivery operation={operation} document={document} />}
      <h4>{data === undefined ? "Payload" : "Data"}</h4>
      {schemaFields(data ?? media["schema"], { document, side: "output" })}
      <SampleBlock title="Sample" text={JSON.stringify(sample, undefined, 2)} />
    </details>
  );
}

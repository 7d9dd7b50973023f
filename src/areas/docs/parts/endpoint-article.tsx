import type { JSX } from "hono/jsx/jsx-runtime";
import { curlCommand } from "#areas/docs/document/curl-command.ts";
import { mapAt, textAt } from "#areas/docs/document/json-at.ts";
import {
  isPublic,
  isSuccess,
  JSON_BODY,
  jsonMediaOf,
  type Operation,
  operationId,
} from "#areas/docs/document/operation.ts";
import { sampleOfMedia } from "#areas/docs/document/sample.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { AnswerItem } from "./answer-item.tsx";
import { BodySection } from "./body-section.tsx";
import { ErrorLinks } from "./error-links.tsx";
import { MethodAndPath } from "./method-and-path.tsx";
import { Paragraphs } from "./paragraphs.tsx";
import { ParameterSection } from "./parameter-section.tsx";
import { SampleBlock } from "./sample-block.tsx";
import { TextWithCode } from "./text-with-code.tsx";

interface Shown {
  endpoint: Operation;
  document: JsonMap;
}

/** One endpoint of the document: its request, its answers, and a sample of both. */
export function EndpointArticle({ endpoint, document }: Shown): JSX.Element {
  const { method, path, operation } = endpoint;
  const id = operationId(endpoint);
  const responses = Object.entries(mapAt(operation, "responses"));
  const successes = responses.filter(([status]) => isSuccess(status));
  // Failures in the shape of another protocol.
  const ownFailures = responses.filter(([status, answer]) => !isSuccess(status) && hasJson(answer));
  return (
    <article id={id}>
      <div class="told">
        <h3>
          <a href={`#${id}`}>
            <TextWithCode text={textAt(operation, "summary")} />
          </a>
        </h3>
        <p class="call">
          <MethodAndPath method={method} path={path} />
        </p>
        <Access operation={operation} />
        <Paragraphs text={ownDescription(operation)} />
        <ParameterSection place="path" operation={operation} document={document} />
        <ParameterSection place="query" operation={operation} document={document} />
        <BodySection operation={operation} document={document} />
        <ParameterSection place="header" operation={operation} document={document} />
        <h4>Answers</h4>
        {[...successes, ...ownFailures].map(([status, answer]) => (
          <AnswerItem status={status} answer={answer} document={document} />
        ))}
        <ErrorLinks responses={responses} />
      </div>
      <div class="shown">
        <SampleBlock title="Request" text={curlCommand(endpoint, document)} />
        <AnswerSample endpoint={endpoint} document={document} />
      </div>
    </article>
  );
}

/** The description without its last sentence about access, which the page shows as facts. */
function ownDescription(operation: JsonMap): string {
  const parts = textAt(operation, "description").split("\n\n");
  const last = parts.at(-1) ?? "";
  const scope = textAt(operation, "x-required-scope");
  const repeats = isPublic(operation)
    ? last === "Needs no API key."
    : scope !== "" && last.startsWith(`Needs the scope \`${scope}\``);
  return (repeats ? parts.slice(0, -1) : parts).join("\n\n");
}

function Access({ operation }: { operation: JsonMap }): JSX.Element {
  if (isPublic(operation)) return <p class="access">For everyone, without a key</p>;
  const role = textAt(operation, "x-required-role");
  const scope = textAt(operation, "x-required-scope");
  if (scope === "") return <></>;
  return (
    <p class="access">
      Scope <code>{scope}</code>,{" "}
      {role === "operator" ? (
        "operators only"
      ) : (
        <>
          role <code>{role}</code> or more
        </>
      )}
    </p>
  );
}

function hasJson(answer: Json): boolean {
  return isJsonMap(answer) && Object.hasOwn(mapAt(answer, "content"), JSON_BODY);
}

function AnswerSample({ endpoint, document }: Shown): JSX.Element {
  const responses = Object.entries(mapAt(endpoint.operation, "responses"));
  const [status, answer] =
    responses.find(([status, answer]) => status.startsWith("2") && hasJson(answer)) ?? [];
  if (status === undefined || !isJsonMap(answer)) return <></>;
  const sample = sampleOfMedia(jsonMediaOf(answer), { document, side: "output" });
  return <SampleBlock title={`Answer ${status}`} text={JSON.stringify(sample, undefined, 2)} />;
}

import { escapeHtml } from "#http/pages/escape-html.ts";
/** One endpoint of the document, and one webhook, as HTML: what it takes, what it answers, a sample of both. Pure. */
import { isErrorCode } from "#kernel/errors.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { errorAnchor } from "./errors.ts";
import { parameterFields, schemaFields } from "./fields.ts";
import { sampleOf, sampleOfMedia } from "./sample.ts";
import { asText, listAt, mapAt, textAt, typeName } from "./schema.ts";
import { code, inline, paragraphs } from "./text.ts";

export interface Operation {
  method: string;
  path: string;
  operation: JsonMap;
}

export const JSON_BODY = "application/json";

export function operationId({ operation }: Operation): string {
  return textAt(operation, "operationId");
}

/** `GET /api/v1/deployments`, with what is a hole marked as such. */
export function methodAndPath({ method, path }: Operation): string {
  const steps = path
    .split("/")
    .map((step) => (step.startsWith("{") ? `<i>${escapeHtml(step)}</i>` : escapeHtml(step)));
  return `${methodBadge(method)} <code class="path">${steps.join("/<wbr>")}</code>`;
}

export function methodBadge(method: string): string {
  return `<span class="method ${escapeHtml(method.toLowerCase())}">${escapeHtml(method.toUpperCase())}</span>`;
}

export function endpointArticle(endpoint: Operation, document: JsonMap): string {
  const { operation } = endpoint;
  const id = escapeHtml(operationId(endpoint));
  const responses = Object.entries(mapAt(operation, "responses"));
  return `<article id="${id}">
<div class="told">
<h3><a href="#${id}">${inline(textAt(operation, "summary"))}</a></h3>
<p class="call">${methodAndPath(endpoint)}</p>
${access(operation)}
${paragraphs(ownDescription(operation))}
${parameterSection("path", operation, document)}
${parameterSection("query", operation, document)}
${bodySection(operation, document)}
${parameterSection("header", operation, document)}
<h4>Answers</h4>
${responses
  .filter(([status]) => isSuccess(status))
  .map(([status, answer]) => answerItem(status, answer, document))
  .join("")}
${ownFailures(responses, document)}
${errorLinks(responses)}
</div>
<div class="shown">
${sampleBlock("Request", curl(endpoint, document))}
${answerSample(responses, document)}
</div>
</article>`;
}

/** The document says who may call as facts and, for other readers, as its last sentence. Here the facts are shown. */
function ownDescription(operation: JsonMap): string {
  const parts = textAt(operation, "description").split("\n\n");
  const last = parts.at(-1) ?? "";
  const scope = textAt(operation, "x-required-scope");
  const repeats = isPublic(operation)
    ? last === "Needs no API key."
    : scope !== "" && last.startsWith(`Needs the scope \`${scope}\``);
  return (repeats ? parts.slice(0, -1) : parts).join("\n\n");
}

function isPublic(operation: JsonMap): boolean {
  return Array.isArray(operation["security"]) && operation["security"].length === 0;
}

function access(operation: JsonMap): string {
  if (isPublic(operation)) return '<p class="access">For everyone, without a key</p>';
  const role = textAt(operation, "x-required-role");
  const scope = textAt(operation, "x-required-scope");
  if (scope === "") return "";
  return `<p class="access">Scope ${code(scope)}, ${role === "operator" ? "operators only" : `role ${code(role)} or more`}</p>`;
}

const placeTitles = { path: "Path", query: "Query", header: "Headers" } as const;

export function parameterSection(
  place: keyof typeof placeTitles,
  operation: JsonMap,
  document: JsonMap,
): string {
  const here = listAt(operation, "parameters").filter(
    (parameter): parameter is JsonMap => isJsonMap(parameter) && parameter["in"] === place,
  );
  if (here.length === 0) return "";
  return `<h4>${placeTitles[place]}</h4>${parameterFields(here, document)}`;
}

function bodySection(operation: JsonMap, document: JsonMap): string {
  const body = mapAt(operation, "requestBody");
  const { schema } = mapAt(mapAt(body, "content"), JSON_BODY);
  if (schema === undefined) return "";
  const optional = body["required"] === true ? "" : ' <span class="facts">may be absent</span>';
  const fields = schemaFields(schema, { document, side: "input" });
  const shown = fields === "" ? typeLine(schema, document) : fields;
  return `<h4>Body${optional}</h4>${shown}`;
}

function typeLine(schema: Json, document: JsonMap): string {
  return `<p class="type">${escapeHtml(typeName(schema, document))}</p>`;
}

function isSuccess(status: string): boolean {
  return /^[123]/.test(status);
}

export function answerItem(status: string, answer: Json, document: JsonMap): string {
  if (!isJsonMap(answer)) return "";
  const content = mapAt(answer, "content");
  const { schema } = mapAt(content, JSON_BODY);
  const others = Object.keys(content).filter((type) => type !== JSON_BODY);
  const headers = Object.entries(mapAt(answer, "headers"))
    .filter(([name]) => name !== "X-Request-Id")
    .map(([name, header]) => ({ name, ...(isJsonMap(header) ? header : {}) }));
  const inside = [
    schema === undefined
      ? ""
      : schemaFields(schema, { document, side: "output" }) || typeLine(schema, document),
    headers.length === 0 ? "" : `<h5>Headers</h5>${parameterFields(headers, document)}`,
  ].join("");
  const head = `<span class="status">${escapeHtml(status)}</span> ${inline(textAt(answer, "description"))}${others.map((type) => ` <span class="facts">also ${code(type)}</span>`).join("")}`;
  return inside === ""
    ? `<p class="answer">${head}</p>`
    : `<details class="answer"><summary>${head}</summary>${inside}</details>`;
}

/** Failures in a shape of their own, another protocol's. */
function ownFailures(responses: readonly (readonly [string, Json])[], document: JsonMap): string {
  return responses
    .filter(([status, answer]) => !isSuccess(status) && hasContent(answer, JSON_BODY))
    .map(([status, answer]) => answerItem(status, answer, document))
    .join("");
}

function hasContent(answer: Json, type: string): boolean {
  return isJsonMap(answer) && Object.hasOwn(mapAt(answer, "content"), type);
}

function errorLinks(responses: readonly (readonly [string, Json])[]): string {
  const links = responses.flatMap(([status, answer]) => {
    if (isSuccess(status) || !isJsonMap(answer)) return [];
    const named = textAt(answer, "description").matchAll(/`([a-z_]+)`/g);
    const codes = [...named].map(([, name]) => name ?? "").filter(isErrorCode);
    if (codes.length === 0) return [];
    const list = codes.map((name) => `<a href="#${errorAnchor(name)}">${code(name)}</a>`);
    return [`<li><span class="status">${escapeHtml(status)}</span> ${list.join(" ")}</li>`];
  });
  return links.length === 0 ? "" : `<h4>Errors</h4><ul class="failures">${links.join("")}</ul>`;
}

export function sampleBlock(title: string, text: string): string {
  return `<figure><figcaption>${escapeHtml(title)}</figcaption><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></figure>`;
}

/** The request as a shell would send it; `$ORIGIN` and `$KEY` are the reader's. */
function curl({ method, path, operation }: Operation, document: JsonMap): string {
  const parameters = listAt(operation, "parameters").filter(isJsonMap);
  const query = parameters
    .filter((parameter) => parameter["in"] === "query" && parameter["required"] === true)
    .map((parameter) => {
      const value = sampleOf(parameter["schema"], { document, side: "input" });
      return `${textAt(parameter, "name")}=${encodeURIComponent(asText(value))}`;
    });
  const address = `$ORIGIN${path.replace(/\{(\w+)\}/g, (_, name: string) => holeName(name))}${query.length > 0 ? `?${query.join("&")}` : ""}`;
  const media = mapAt(mapAt(mapAt(operation, "requestBody"), "content"), JSON_BODY);
  const body =
    media["schema"] === undefined
      ? undefined
      : JSON.stringify(sampleOfMedia(media, { document, side: "input" }), undefined, 2);
  const takesKey = parameters.some((parameter) => parameter["name"] === "Idempotency-Key");
  return [
    `curl${method.toUpperCase() === "GET" ? "" : ` -X ${method.toUpperCase()}`} "${address}"`,
    ...(isPublic(operation) ? [] : ['-H "Authorization: Bearer $KEY"']),
    ...(takesKey ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(body === undefined
      ? []
      : [
          '-H "Content-Type: application/json"',
          `-d '${body.replaceAll("'", "'\\''").replaceAll("\n", "\n  ")}'`,
        ]),
  ].join(" \\\n  ");
}

/** `{deliveryId}` → `$DELIVERY_ID`. */
function holeName(name: string): string {
  return `$${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}

function answerSample(responses: readonly (readonly [string, Json])[], document: JsonMap): string {
  const [status, answer] =
    responses.find(([status, answer]) => status.startsWith("2") && hasContent(answer, JSON_BODY)) ??
    [];
  if (status === undefined || !isJsonMap(answer)) return "";
  const media = mapAt(mapAt(answer, "content"), JSON_BODY);
  const sample = sampleOfMedia(media, { document, side: "output" });
  return sampleBlock(`Answer ${status}`, JSON.stringify(sample, undefined, 2));
}

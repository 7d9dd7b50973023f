import { isJsonMap, type JsonMap } from "#platform/json.ts";
import type { ChangeRequest, RequestSpec } from "#providers/rest/definition.ts";
import type { RestType } from "#providers/rest/rest-type.ts";

export interface SupabaseType extends RestType {
  /** Creates and updates are for several objects: their bodies are lists, with the object as the only item. */
  asList?: true;
  /** It is created by a form with its source as a file (`functions/deploy`). */
  deploys?: true;
  /** A change takes no null: what leaves the template stays as it is. */
  neverNull?: true;
}

export function prepareRequest(
  request: RequestSpec,
  { row, verb }: ChangeRequest & { row: SupabaseType },
): RequestSpec {
  if (verb === "delete") return request;
  if (row.asList === true) return { ...request, body: [request.body ?? null] };
  const { body } = request;
  if (row.deploys === true && verb === "create")
    return deployed(request, isJsonMap(body) ? body : {});
  return row.neverNull === true && isJsonMap(body)
    ? {
        ...request,
        body: Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)),
      }
    : request;
}

const ENTRYPOINT = "index.ts";

/** The slug stands in the address. Without a source there is no file, which the cloud refuses. */
function deployed(request: RequestSpec, properties: JsonMap): RequestSpec {
  const { body: _unsent, ...plain } = request;
  const { slug: _inPath, body, ...rest } = properties;
  const metadata = JSON.stringify({ ...rest, entrypoint_path: ENTRYPOINT });
  const parts = [
    `content-disposition: form-data; name="metadata"\r\ncontent-type: application/json\r\n\r\n${metadata}`,
    ...(typeof body === "string"
      ? [
          `content-disposition: form-data; name="file"; filename="${ENTRYPOINT}"\r\ncontent-type: application/typescript\r\n\r\n${body}`,
        ]
      : []),
  ];
  let boundary = "form";
  // No part may contain the line that separates them.
  while (parts.some((part) => part.includes(`--${boundary}`))) boundary += "-part";
  return {
    ...plain,
    path: plain.path.replace(/\{slug\}$/, "deploy?slug={slug}"),
    headers: { ...plain.headers, "content-type": `multipart/form-data; boundary=${boundary}` },
    text: `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("")}--${boundary}--\r\n`,
  };
}

import { isJsonMap, type JsonMap } from "#platform/json.ts";
import { asText, listAt, mapAt, textAt } from "./json-at.ts";
import { isPublic, jsonMediaOf, type Operation } from "./operation.ts";
import { sampleOf, sampleOfMedia } from "./sample.ts";

/** The request as a shell command; the reader sets `$ORIGIN` and `$KEY`. */
export function curlCommand({ method, path, operation }: Operation, document: JsonMap): string {
  const parameters = listAt(operation, "parameters").filter(isJsonMap);
  const query = parameters
    .filter((parameter) => parameter["in"] === "query" && parameter["required"] === true)
    .map((parameter) => {
      const value = sampleOf(parameter["schema"], { document, side: "input" });
      return `${textAt(parameter, "name")}=${encodeURIComponent(asText(value))}`;
    });
  const address = `$ORIGIN${path.replace(/\{(\w+)\}/g, (_, name: string) => holeName(name))}${query.length > 0 ? `?${query.join("&")}` : ""}`;
  const media = jsonMediaOf(mapAt(operation, "requestBody"));
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

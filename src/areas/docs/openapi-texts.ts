import { stringify } from "yaml";
import type { Endpoint } from "#http/endpoint.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { once } from "#platform/once.ts";
import { productDocument } from "./document/product-document.ts";

/** The document in both spellings, made once per isolate: the declarations do not change while it lives. */
export function openApiTexts(endpoints: () => readonly Endpoint[]) {
  return once(async () => {
    const document = productDocument(endpoints());
    const json = JSON.stringify(document);
    return {
      json,
      yaml: stringify(document, { aliasDuplicateObjects: false }),
      etag: `"${(await digestHex(json)).slice(0, 32)}"`,
    };
  });
}

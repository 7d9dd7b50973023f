import { templateSchema } from "#engine/template/template-schema.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { catalog } from "#providers/registry.ts";

interface SchemaDocument {
  json: string;
  etag: string;
}

let made: Promise<SchemaDocument> | undefined;

/** The JSON Schema of templates, made once per isolate: the resource types do not change while it lives. */
export function schemaDocument(): Promise<SchemaDocument> {
  made ??= (async () => {
    const json = JSON.stringify(templateSchema(catalog()));
    return { json, etag: `"${(await digestHex(json)).slice(0, 32)}"` };
  })();
  return made;
}

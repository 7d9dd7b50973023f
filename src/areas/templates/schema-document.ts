import { templateSchema } from "#engine/template/template-schema.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { once } from "#platform/once.ts";
import { catalogue } from "#providers/catalogue/catalogue.ts";

interface SchemaDocument {
  json: string;
  etag: string;
}

/** The JSON Schema of templates, built once per isolate: resource types do not change at runtime. */
export const schemaDocument = once(async (): Promise<SchemaDocument> => {
  const json = JSON.stringify(templateSchema(catalogue()));
  return { json, etag: `"${(await digestHex(json)).slice(0, 32)}"` };
});

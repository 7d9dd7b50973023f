import { templateSchema } from "#engine/template/template-schema.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { once } from "#platform/once.ts";
import { catalogue } from "#providers/catalogue/catalogue.ts";

interface SchemaDocument {
  json: string;
  etag: string;
}

/** Stands for the URL, which each request names by its host. */
const HERE = "urn:template-schema";

/** Built once per isolate: resource types do not change at runtime. */
const parts = once(async () => {
  const json = JSON.stringify(templateSchema(catalogue(), HERE));
  return { json, digest: await digestHex(json) };
});

/** The JSON Schema of templates, as served at this URL. */
export async function schemaDocument(url: string): Promise<SchemaDocument> {
  const { json, digest } = await parts();
  const etag = await digestHex(`${digest} ${url}`);
  return {
    json: json.replace(JSON.stringify(HERE), () => JSON.stringify(url)),
    etag: `"${etag.slice(0, 32)}"`,
  };
}

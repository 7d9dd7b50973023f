import { didYouMean, quoted } from "#engine/template/report.ts";
import { templateSchema } from "#engine/template/schema/template-schema.ts";
import { ApiError } from "#kernel/errors.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { once } from "#platform/once.ts";
import { nearest } from "#platform/text/nearest.ts";
import { type Catalogue, catalogue } from "#providers/catalogue/catalogue.ts";
import type { Assets } from "#providers/catalogue/shard-cache.ts";
import { catalogueOf } from "./describe-source.ts";

interface SchemaDocument {
  json: string;
  etag: string;
}

/** Stands for the URL, whose host differs by request. */
const HERE = "urn:template-schema";

/** Built once per isolate: resource types do not change at runtime. */
const withoutMore = once(() => parts([], catalogue()));

/**
 * The JSON Schema of templates, as served at this URL, with these types besides the verified ones. Throws for an
 * unknown type.
 */
export async function schemaDocument(
  url: string,
  types: readonly string[],
  assets: Assets,
): Promise<SchemaDocument> {
  const { json, digest } =
    types.length === 0 ? await withoutMore() : await partsWith(types, assets);
  const etag = await digestHex(`${digest} ${url}`);
  return {
    json: json.replace(JSON.stringify(HERE), () => JSON.stringify(url)),
    etag: `"${etag.slice(0, 32)}"`,
  };
}

async function partsWith(types: readonly string[], assets: Assets): ReturnType<typeof parts> {
  const known = await catalogueOf(assets, types);
  const unknown = types.filter((type) => known.facts(type) === undefined);
  if (unknown.length > 0)
    throw new ApiError("validation_failed", "The request is not valid; `errors` says where.", {
      faults: unknown.map((type) => ({
        in: "query",
        pointer: "/types",
        code: "unknown_type",
        detail: [
          `There is no description of the resource type ${quoted(type)}.`,
          didYouMean(nearest(type, known.types())) ??
            "GET /cloud/providers/{provider}/types lists those that are known.",
        ].join(" "),
      })),
    });
  return parts(types, known);
}

async function parts(
  more: readonly string[],
  known: Catalogue,
): Promise<{ json: string; digest: string }> {
  const verified = catalogue();
  const types = [...new Set([...verified.types(), ...more])];
  const catalogWith = {
    facts: (type: string) => known.facts(type),
    types: () => types,
    // This list of types is incomplete, even for a provider that lists all of them elsewhere.
    openProviders: verified.openProviders,
  };
  const json = JSON.stringify(templateSchema(catalogWith, HERE));
  return { json, digest: await digestHex(json) };
}

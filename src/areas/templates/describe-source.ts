import {
  describeRead,
  type ReadSource,
  readSource,
  type TemplateDescription,
} from "#engine/template/describe.ts";
import { ApiError } from "#kernel/errors.ts";
import { describeError, log } from "#platform/log.ts";
import { type Catalogue, catalogueFor } from "#providers/catalogue/catalogue.ts";
import type { Assets } from "#providers/catalogue/shard-cache.ts";

const described = new WeakMap<object, TemplateDescription>();

/**
 * Describes the source of a request's body. Cached by body: a use case that runs again after a conflict does not parse
 * again. Throws `unavailable` like `catalogueOf`.
 */
export async function describeSource(
  assets: Assets,
  body: object,
  source: string,
): Promise<TemplateDescription> {
  const known = described.get(body);
  if (known !== undefined) return known;
  const read = readSource(source);
  const description = describeRead(read, await catalogueOf(assets, read.types));
  described.set(body, description);
  return description;
}

/** The catalogue for the check of a source. Throws `unavailable` when the types' descriptions cannot be read. */
export async function catalogueOf(assets: Assets, types: ReadSource["types"]): Promise<Catalogue> {
  try {
    return await catalogueFor(types, assets);
  } catch (error) {
    log("error", "The catalogue of resource types could not be read", {
      error: describeError(error),
    });
    throw new ApiError(
      "unavailable",
      "The descriptions of the template's resource types could not be read. Nothing was changed. Repeat the request.",
      { cause: error },
    );
  }
}

import {
  describeRead,
  type ReadSource,
  type TemplateDescription,
} from "#engine/template/describe.ts";
import { ApiError } from "#kernel/errors.ts";
import { describeError, log } from "#platform/log.ts";
import { type Catalogue, catalogueFor } from "#providers/catalogue/catalogue.ts";
import type { Assets } from "#providers/catalogue/shard-cache.ts";
import { noResolution, type Resolution } from "./components/resolve-components.ts";
import { readOnce } from "./components/wanted-components.ts";

const described = new WeakMap<object, { description: TemplateDescription; components: string }>();

/**
 * Describes the source of a request's body. Cached by body: a use case that runs again after a conflict does not parse
 * again, unless its components have changed. Throws `unavailable` like `catalogueOf`.
 */
export async function describeSource(
  assets: Assets,
  body: object,
  source: string,
  { resolved, types }: Pick<Resolution, "resolved" | "types"> = noResolution,
): Promise<TemplateDescription> {
  const components = JSON.stringify([resolved.pins, resolved.problems]);
  const known = described.get(body);
  if (known?.components === components) return known.description;
  const read = readOnce(body, source);
  const catalog = await catalogueOf(assets, [...read.types, ...types]);
  const description = describeRead(read, catalog, resolved);
  described.set(body, { description, components });
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

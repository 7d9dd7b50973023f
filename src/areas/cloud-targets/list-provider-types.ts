import type * as z from "zod";
import { closePage, openPage, type Page } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { ApiError, notFound } from "#kernel/errors.ts";
import { describeError, log } from "#platform/log.ts";
import { folded } from "#platform/text/folded.ts";
import { nearest } from "#platform/text/nearest.ts";
import { type ListedType, listTypes } from "#providers/catalogue/catalogue.ts";
import { providerNames } from "#schema/lists/provider-names.ts";
import type { listProviderTypesEndpoint } from "./contract.ts";

const separator = /:+|\//;

type Query = z.output<NonNullable<typeof listProviderTypesEndpoint.query>>;

/** A page of the provider's types, in the order of their names. */
export async function listProviderTypes(
  call: Call,
  provider: string,
  query: Query,
): Promise<Page<ListedType>> {
  await call.authenticate();
  if (!providerNames.some((name) => name === provider)) {
    const meant = nearest(provider, providerNames);
    throw notFound("provider", meant === undefined ? undefined : `Did you mean "${meant}"?`);
  }
  const filters = { list: "types", provider, q: query.q };
  const page = await openPage(call, query, filters);
  const { afterId } = page;
  const rows = called(query.q ?? "", await typesOf(call, provider))
    .filter(({ type }) => afterId === undefined || type > afterId)
    .slice(0, page.limit + 1)
    .map((type) => ({ ...type, id: type.type }));
  return closePage(call, page, filters, rows, ({ type, knowledge }) => ({ type, knowledge }));
}

/** The types whose name contains the text; if there are none, those whose name ends like it. */
function called(text: string, types: readonly ListedType[]): readonly ListedType[] {
  const wanted = folded(text);
  // Type names are ASCII.
  const found = types.filter(({ type }) => type.toUpperCase().includes(wanted));
  if (found.length > 0) return found;
  const parts = text.split(separator).length;
  const endOf = (type: string): string => type.split(separator).slice(-parts).join("/");
  const meant = nearest(
    text.split(separator).join("/"),
    new Set(types.map(({ type }) => endOf(type))),
  );
  return meant === undefined ? [] : types.filter(({ type }) => endOf(type) === meant);
}

async function typesOf({ env }: Call, provider: string): Promise<readonly ListedType[]> {
  try {
    return await listTypes(provider, env.ASSETS);
  } catch (error) {
    log("error", "The catalogue of resource types could not be read", {
      error: describeError(error),
    });
    throw new ApiError("unavailable", "The list of types could not be read. Repeat the request.", {
      cause: error,
    });
  }
}

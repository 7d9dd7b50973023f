import type * as z from "zod";
import { closePage, openPage, type Page } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { ApiError, notFound } from "#kernel/errors.ts";
import { describeError, log } from "#platform/log.ts";
import { type ListedType, listTypes } from "#providers/catalogue/catalogue.ts";
import { providerNames } from "#schema/lists/provider-names.ts";
import type { listProviderTypesEndpoint } from "./contract.ts";

type Query = z.output<NonNullable<typeof listProviderTypesEndpoint.query>>;

/** A page of the provider's types, in the order of their names. */
export async function listProviderTypes(
  call: Call,
  provider: string,
  query: Query,
): Promise<Page<ListedType>> {
  await call.authenticate();
  if (!providerNames.some((name) => name === provider)) throw notFound("provider");
  const filters = { list: "types", provider, q: query.q };
  const page = await openPage(call, query, filters);
  const wanted = (query.q ?? "").toLowerCase();
  const { afterId } = page;
  const rows = (await typesOf(call, provider))
    .filter(({ type }) => afterId === undefined || type > afterId)
    .filter(({ type }) => type.toLowerCase().includes(wanted))
    .slice(0, page.limit + 1)
    .map((type) => ({ ...type, id: type.type }));
  return closePage(call, page, filters, rows, ({ type, knowledge }) => ({ type, knowledge }));
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

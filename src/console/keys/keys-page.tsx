/** `/keys`: the API keys of programs with their scopes, and a form for a new one. */
import { listApiKeysEndpoint } from "#areas/api-keys/contract.ts";
import type { ConsolePage } from "#console/console-page.ts";
import { Filters, isFilteredBy, wantedIn } from "#console/filters.tsx";
import { ActNotes, NextPage } from "#console/parts.tsx";
import { KeyTable } from "./key-table.tsx";
import { NewKey } from "./new-key.tsx";

const filters = ["q", "cursor"] as const;

export const keysPage: ConsolePage = {
  path: "/keys",
  load: async (api, { query, tenantId }) => {
    const wanted = { ...wantedIn(query, filters), tenantId };
    const { data, nextCursor } = await api.read(listApiKeysEndpoint, {}, wanted);
    const isFiltered = isFilteredBy(query, filters);
    return (reader) => ({
      title: "API keys",
      scripts: ["console"],
      body: (
        <>
          <h1>API keys</h1>
          <Filters path="/keys" query={query} search="Name contains" />
          <ActNotes />
          {data.length === 0 ? (
            <p class="note">
              {isFiltered ? (
                <>
                  No key is like that. <a href="/keys">Show all</a>
                </>
              ) : (
                "There is no key yet. Programs use one as the header authorization: Bearer."
              )}
            </p>
          ) : (
            <KeyTable keys={data} reader={reader} />
          )}
          <NextPage path="/keys" query={query} cursor={nextCursor} />
          <NewKey reader={reader} />
        </>
      ),
    });
  },
};

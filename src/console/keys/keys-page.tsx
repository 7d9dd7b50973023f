/** `/keys`: the API keys of programs, what each may do, and a form for another. */
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import {
  type ApiKeyView,
  createApiKeyEndpoint,
  listApiKeysEndpoint,
  revokeApiKeyEndpoint,
  rotateApiKeyEndpoint,
} from "#areas/api-keys/contract.ts";
import { ActForm } from "#console/act-form.tsx";
import type { ConsolePage } from "#console/console-page.ts";
import { Filters, isFilteredBy, wantedIn } from "#console/filters.tsx";
import { overlapField } from "#console/overlap-field.ts";
import { ActButton, ActNotes, Foldout, NextPage, Table, Time } from "#console/parts.tsx";
import {
  may,
  mayAnywhere,
  mayForOthers,
  type Reader,
  tenantName,
  tenantsOf,
} from "#console/reader.ts";
import { tenantField } from "#console/tenant-field.ts";
import { scopeField } from "./scope-field.ts";

type Key = z.output<typeof ApiKeyView>;

const filters = ["q", "tenantId", "cursor"] as const;

export const keysPage: ConsolePage = {
  path: "/keys",
  load: async (api, { query }) => {
    const wanted = wantedIn(query, filters);
    const { data, nextCursor } = await api.read(listApiKeysEndpoint, {}, wanted);
    const isFiltered = isFilteredBy(query, filters);
    return (reader) => ({
      title: "API keys",
      scripts: ["console"],
      body: (
        <>
          <h1>API keys</h1>
          <Filters path="/keys" query={query} reader={reader} search="Name contains" />
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
            <Table
              columns={["Key", "May", "Last used", "Expires", "Change"]}
              rows={data.map((key) => [
                <>
                  <strong>{key.name}</strong> <code>{key.prefix}…</code>{" "}
                  <span class="soft">{ownerWords(reader, key)}</span>
                </>,
                <span class="whole">
                  {key.scopes.includes("*") ? "everything" : key.scopes.join(", ")}
                </span>,
                key.lastUsedAt === null ? "never" : <Time at={key.lastUsedAt} />,
                <Ending apiKey={key} />,
                key.revokedAt === null && <Changes apiKey={key} reader={reader} />,
              ])}
            />
          )}
          <NextPage path="/keys" query={query} cursor={nextCursor} />
          {mayAnywhere(reader, createApiKeyEndpoint) && <NewKey reader={reader} />}
        </>
      ),
    });
  },
};

/** The tenant, where there are several; and who is behind the key, as far as it is known. */
function ownerWords(reader: Reader, { tenantId, creatorUserId }: Key): string {
  const place =
    tenantId === null
      ? "platform"
      : tenantsOf(reader).length > 1
        ? (tenantName(reader, tenantId) ?? "")
        : "";
  return [place, creatorUserId === reader.user.id ? "yours" : ""].filter(Boolean).join(", ");
}

function Ending({ apiKey }: { apiKey: Key }): JSX.Element {
  const { expiresAt, previousKeyExpiresAt, revokedAt } = apiKey;
  if (revokedAt !== null)
    return (
      <>
        <span class="tag bad">revoked</span> <Time at={revokedAt} />
      </>
    );
  return (
    <>
      {expiresAt === null ? "never" : <Time at={expiresAt} />}
      {previousKeyExpiresAt !== null && (
        <span class="soft">
          {" "}
          The one before works until <Time at={previousKeyExpiresAt} />.
        </span>
      )}
    </>
  );
}

function Changes({ apiKey, reader }: { apiKey: Key; reader: Reader }): JSX.Element {
  const { id, name, tenantId, creatorUserId } = apiKey;
  const mayRevoke =
    mayForOthers(reader, revokeApiKeyEndpoint, tenantId) || creatorUserId === reader.user.id;
  return (
    <>
      {may(reader, rotateApiKeyEndpoint, tenantId) && (
        <Foldout words="Rotate">
          <ActForm
            method="POST"
            path={`/api-keys/${id}/rotate?overlapSeconds={overlapSeconds}`}
            fields={[overlapField("The old key also works for")]}
            words="Make a new key"
            label={`Make a new key for ${name}`}
            then={{ show: { key: "Key" } }}
          />
        </Foldout>
      )}
      {mayRevoke && (
        <ActButton
          method="DELETE"
          path={`/api-keys/${id}`}
          words="Revoke"
          label={`Revoke ${name}`}
          tone="danger"
          confirm={`Revoke ${name}? What uses it stops working at once.`}
        />
      )}
    </>
  );
}

function NewKey({ reader }: { reader: Reader }): JSX.Element {
  return (
    <Foldout words="Create a key">
      <p>It never has more rights than you have yourself, now and later.</p>
      <ActForm
        method="POST"
        path="/api-keys"
        fields={[
          ...tenantField(
            reader,
            createApiKeyEndpoint,
            "The key acts for every tenant, as an operator.",
          ),
          { name: "name", words: "Name", isRequired: true, maxLength: 80 },
          {
            name: "expiresAt",
            words: "Valid for",
            kind: "lifetime",
            value: "90",
            choices: [
              { value: "30", words: "30 days" },
              { value: "90", words: "90 days" },
              { value: "365", words: "a year" },
              { value: "", words: "ever, until it is revoked" },
            ],
          },
          scopeField,
        ]}
        words="Create the key"
        tone="main"
        then={{ show: { key: "Key" } }}
      />
    </Foldout>
  );
}

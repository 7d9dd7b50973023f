/** API keys with their scopes, expiry and actions. */
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import {
  type ApiKeyView,
  revokeApiKeyEndpoint,
  rotateApiKeyEndpoint,
} from "#areas/api-keys/contract.ts";
import { ActForm } from "#console/act-form.tsx";
import { overlapField } from "#console/overlap-field.ts";
import { ActButton, Foldout, Table, Time } from "#console/parts.tsx";
import { may, mayForOthers, type Reader, tenantName, tenantsOf } from "#console/reader.ts";

type Key = z.output<typeof ApiKeyView>;

export function KeyTable(shown: { keys: readonly Key[]; reader: Reader }): JSX.Element {
  const { keys, reader } = shown;
  return (
    <Table
      columns={["Key", "May", "Last used", "Expires", "Change"]}
      rows={keys.map((key) => [
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
  );
}

/** The tenant of a key, if the reader has several, and its creator, if known. */
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

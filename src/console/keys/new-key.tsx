import type { JSX } from "hono/jsx/jsx-runtime";
import { createApiKeyEndpoint } from "#areas/api-keys/contract.ts";
import { ActForm } from "#console/act-form.tsx";
import { Foldout } from "#console/parts.tsx";
import { mayAnywhere, type Reader } from "#console/reader.ts";
import { tenantField } from "#console/tenant-field.ts";
import { scopeField } from "./scope-field.ts";

/** The form for a key, if the reader may create one. */
export function NewKey({ reader }: { reader: Reader }): JSX.Element {
  if (!mayAnywhere(reader, createApiKeyEndpoint)) return <></>;
  return (
    <Foldout words="Create a key">
      <p>
        Programs send it as the header <code>authorization: Bearer</code>. It never has more rights
        than you have yourself, now and later.
      </p>
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

/** The settings of an instance: its name, labels, approval mode and expiry, and its destroy. */
import type { JSX } from "hono/jsx/jsx-runtime";
import { destroyInstanceEndpoint } from "#areas/deployments/start-contract.ts";
import { deleteInstanceEndpoint, updateInstanceEndpoint } from "#areas/instances/contract.ts";
import { ActForm, type Field } from "#console/act-form.tsx";
import { ActButton } from "#console/parts.tsx";
import { may, type Reader } from "#console/reader.ts";
import type { Instance } from "./bindings.tsx";

const approvalModes = [
  { value: "", words: "the default: destructive in production, else auto" },
  { value: "auto", words: "auto: no plan waits" },
  { value: "destructive", words: "destructive: plans that replace or delete wait" },
  { value: "always", words: "always: every plan waits, for another person" },
];

export function Settings(shown: {
  instance: Instance;
  etag: string | undefined;
  reader: Reader;
}): JSX.Element {
  const { instance, etag, reader } = shown;
  const { id, name, state, tenantId } = instance;
  if (!may(reader, updateInstanceEndpoint, tenantId))
    return <p class="soft">Only developers of the tenant change these.</p>;
  const isEmpty = state === "DESTROYED" || state === "INITIALIZED";
  return (
    <>
      <ActForm
        method="PATCH"
        path={`/instances/${id}`}
        fields={fieldsOf(instance, reader)}
        words="Save the settings"
        tone="main"
        isPatch
        etag={etag}
        then="stay"
      />
      {isEmpty && may(reader, deleteInstanceEndpoint, tenantId) && (
        <p class="acts">
          <ActButton
            method="DELETE"
            path={`/instances/${id}`}
            words="Delete the instance"
            tone="danger"
            confirm={`Delete ${name}? It has no objects at the cloud. Its deployments stay readable.`}
            etag={etag}
            goTo="/instances"
          />
        </p>
      )}
    </>
  );
}

function fieldsOf(instance: Instance, reader: Reader): Field[] {
  const { name, labels, approvalMode, expiresAt, tenantId } = instance;
  return [
    { name: "name", words: "Name", value: name, isRequired: true, maxLength: 80 },
    {
      name: "labels",
      words: "Labels",
      kind: "pairs",
      value: Object.entries(labels).map(([key, value]) => `${key}=${value}`),
      before: labels,
      placeholder: "team=web",
      hint: "One a line, as key=value.",
    },
    {
      name: "approvalMode",
      words: "Plans wait for approval",
      kind: "choice",
      choices: approvalModes,
      value: approvalMode ?? "",
      empty: "null",
      hint: "To lower it takes an admin.",
    },
    // Setting an expiry takes the right to destroy.
    ...(may(reader, destroyInstanceEndpoint, tenantId)
      ? [
          {
            name: "expiresAt",
            words: "Destroyed automatically at, in UTC",
            kind: "time",
            value: expiresAt ?? "",
            empty: "null",
            hint: "Empty: never.",
          } satisfies Field,
        ]
      : []),
  ];
}

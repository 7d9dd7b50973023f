/** `/flags/{key}`: a feature flag, and the result of each of its rules. */
import type { JSX } from "hono/jsx/jsx-runtime";
import {
  deleteFeatureFlagEndpoint,
  getFeatureFlagEndpoint,
  putFeatureFlagEndpoint,
} from "#areas/feature-flags/contract.ts";
import { ActForm } from "#console/act-form.tsx";
import type { ConsolePage } from "#console/console-page.ts";
import { ActButton, ActNotes, Foldout, Table, Time } from "#console/parts.tsx";
import { may, tenantName, type Reader } from "#console/reader.ts";
import { type Flag, flagFields } from "./flag-fields.ts";

export const flagPage: ConsolePage = {
  path: "/flags/:key",
  load: async (api, { params }) => {
    const { answer: flag, etag } = await api.readTagged(getFeatureFlagEndpoint, params);
    const path = `/feature-flags/${encodeURIComponent(flag.key)}`;
    return (reader) => ({
      title: flag.key,
      scripts: ["console"],
      body: (
        <>
          <p class="crumbs">
            <a href="/flags">Feature flags</a>
          </p>
          <div class="row">
            <h1>{flag.key}</h1>
            <span class={`tag ${flag.enabled ? "good" : ""}`}>{flag.enabled ? "on" : "off"}</span>
          </div>
          <p class="soft">
            Of type {flag.type}, changed at <Time at={flag.updatedAt} />.
            {!flag.enabled && " It is off: everybody gets the default variant."}
          </p>
          <ActNotes />
          {may(reader, putFeatureFlagEndpoint, null) && (
            <Foldout words="Edit">
              <ActForm
                method="PUT"
                path={path}
                fields={flagFields(flag)}
                etag={etag}
                words="Save"
                tone="main"
                then="stay"
              />
            </Foldout>
          )}
          {may(reader, deleteFeatureFlagEndpoint, null) && (
            <ActButton
              method="DELETE"
              path={path}
              goTo="/flags"
              etag={etag}
              words="Delete"
              tone="danger"
              typed={flag.key}
              confirm="Programs that ask for it then get their own default."
            />
          )}
          <h2>Variants</h2>
          <Table
            columns={["Variant", "Value"]}
            rows={Object.entries(flag.variants).map(([name, value]) => [
              <>
                {name} {name === flag.defaultVariant && <span class="tag">default</span>}
              </>,
              <code>{JSON.stringify(value)}</code>,
            ])}
          />
          <h2>Rules</h2>
          <Rules flag={flag} reader={reader} />
        </>
      ),
    });
  },
};

function Rules({ flag: { rules }, reader }: { flag: Flag; reader: Reader }): JSX.Element {
  if (rules.length === 0) return <p class="soft">There are none: everybody gets the default.</p>;
  return (
    <Table
      columns={["Rule", "For", "Share", "Gives"]}
      rows={rules.map(({ tenantIds, percentage, variant }, at) => [
        at + 1,
        tenantIds === undefined
          ? "all tenants"
          : tenantIds.map((id) => tenantName(reader, id) ?? id).join(", ") || "no tenant",
        `${percentage ?? 100} %`,
        variant,
      ])}
    />
  );
}

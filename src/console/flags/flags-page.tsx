/** `/flags`: the feature flags of the installation, for operators. */
import { listFeatureFlagsEndpoint, putFeatureFlagEndpoint } from "#areas/feature-flags/contract.ts";
import { ActForm } from "#console/act-form.tsx";
import type { ConsolePage } from "#console/console-page.ts";
import { ActNotes, Foldout, NextPage, Table, Time } from "#console/parts.tsx";
import { mayAnywhere } from "#console/reader.ts";
import { flagFields } from "./flag-fields.ts";

export const flagsPage: ConsolePage = {
  path: "/flags",
  load: async (api, { query }) => {
    const { data, nextCursor } = await api.read(
      listFeatureFlagsEndpoint,
      {},
      { cursor: query.get("cursor") ?? undefined },
    );
    return (reader) => ({
      title: "Feature flags",
      scripts: ["console"],
      body: (
        <>
          <h1>Feature flags</h1>
          {data.length === 0 ? (
            <p class="note">
              There is no flag yet. Programs ask for its value by the OpenFeature remote protocol:{" "}
              <a href="/docs/settings">how they do</a>.
            </p>
          ) : (
            <Table
              columns={["Flag", "Type", "Enabled", "Default", "Rules", "Changed"]}
              rows={data.map(({ key, type, enabled, defaultVariant, rules, updatedAt }) => [
                <a href={`/flags/${encodeURIComponent(key)}`}>{key}</a>,
                type,
                enabled ? <span class="tag good">on</span> : <span class="tag">off</span>,
                defaultVariant,
                rules.length,
                <Time at={updatedAt} />,
              ])}
            />
          )}
          <NextPage path="/flags" query={query} cursor={nextCursor} />
          <ActNotes />
          {mayAnywhere(reader, putFeatureFlagEndpoint) && (
            <Foldout words="Create a flag" isOpen={data.length === 0}>
              <ActForm
                method="PUT"
                path="/feature-flags/{key}"
                fields={[
                  {
                    name: "key",
                    words: "Key",
                    hint: "Programs ask by it; it cannot be changed.",
                    isRequired: true,
                    maxLength: 128,
                  },
                  ...flagFields(),
                ]}
                etag="new"
                words="Create the flag"
                tone="main"
                then={{ goTo: "/flags/{key}" }}
              />
            </Foldout>
          )}
        </>
      ),
    });
  },
};

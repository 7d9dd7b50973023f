/** `/targets/new?provider=`: the form for a target at this provider. */
import { createTargetEndpoint, listProvidersEndpoint } from "#areas/cloud-targets/contract.ts";
import { ActForm } from "#console/act-form.tsx";
import type { ConsolePage } from "#console/console-page.ts";
import { ActNotes } from "#console/parts.tsx";
import { mayAnywhere } from "#console/reader.ts";
import { tenantField } from "#console/tenant-field.ts";
import { ProviderSelect } from "./provider-select.tsx";
import { providerWord } from "./provider-words.ts";
import { targetFields } from "./target-fields.ts";

export const newTargetPage: ConsolePage = {
  path: "/targets/new",
  load: async (api, { query }) => {
    const { data } = await api.read(listProvidersEndpoint);
    const provider = data.find(({ name }) => name === query.get("provider"));
    return (reader) => {
      const isAllowed = mayAnywhere(reader, createTargetEndpoint);
      const owner = reader.tenants.length === 1 && !reader.operator ? reader.tenants[0] : undefined;
      const title =
        provider === undefined
          ? "Register a target"
          : `Register a target at ${providerWord(provider.name)}`;
      return {
        title,
        scripts: ["console"],
        body: (
          <>
            <p class="crumbs">
              <a href="/targets">Targets</a>
            </p>
            <h1>{title}</h1>
            {!isAllowed && (
              <p class="note">Targets are registered by admins and owners of a tenant.</p>
            )}
            {isAllowed && provider === undefined && <ProviderSelect />}
            {isAllowed && provider !== undefined && (
              <>
                {!provider.available && (
                  <p class="note">
                    This installation cannot deploy to this provider yet; the target is kept for
                    later.
                  </p>
                )}
                <ActNotes />
                <ActForm
                  method="POST"
                  path="/cloud/targets"
                  body={{ provider: provider.name, config: {} }}
                  fields={[
                    ...tenantField(reader, createTargetEndpoint, "Every tenant may deploy to it."),
                    ...targetFields(provider, undefined, owner?.tenantId),
                  ]}
                  words="Register the target"
                  tone="main"
                  then={{ goTo: "/targets/{id}" }}
                />
              </>
            )}
          </>
        ),
      };
    };
  },
};

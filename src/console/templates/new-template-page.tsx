/** `/templates/new`: a name and a first source. */
import { createTemplateEndpoint } from "#areas/templates/contract.ts";
import { ActForm, type Field } from "#console/act-form.tsx";
import type { ConsolePage } from "#console/console-page.ts";
import { ActNotes } from "#console/parts.tsx";
import { mayAnywhere, type Reader } from "#console/reader.ts";
import { fieldNames } from "#console/shared/form-data.ts";
import { tenantField } from "#console/tenant-field.ts";
import { SourceResources } from "./source-resources.tsx";
import { SourceSection } from "./source-section.tsx";

const firstLines = `config:

resources:

outputs:
`;

export const newTemplatePage: ConsolePage = {
  path: "/templates/new",
  load: () =>
    Promise.resolve((reader) => ({
      title: "New template",
      scripts: ["console", "template", "graph"],
      body: (
        <>
          <p class="crumbs">
            <a href="/templates">Templates</a>
          </p>
          <h1>New template</h1>
          {mayAnywhere(reader, createTemplateEndpoint) ? (
            <>
              <ActNotes />
              <p class="soft">
                <a href="/docs/language">The template language</a> has the syntax of Pulumi YAML and
                the providers' own properties. <a href="/docs/examples">Examples</a> to start from
                deploy as they are.
              </p>
              <SourceSection
                source={firstLines}
                diagnostics={undefined}
                form={
                  <ActForm
                    method="POST"
                    path="/templates"
                    words="Create the template"
                    tone="main"
                    then={{ goTo: "/templates/{id}" }}
                    fields={fieldsFor(reader)}
                  />
                }
              />
              <SourceResources resources={[]} />
            </>
          ) : (
            <p class="note">
              You may not make templates: ask an admin of your tenant for the role.
            </p>
          )}
        </>
      ),
    })),
};

function fieldsFor(reader: Reader): Field[] {
  return [
    { name: "name", words: "Name", isRequired: true, maxLength: 80 },
    { name: "description", words: "Description", maxLength: 2000 },
    ...tenantField(reader, createTemplateEndpoint, "Every tenant may make instances of it."),
    { name: fieldNames.source, words: "Source", kind: "source" },
  ];
}

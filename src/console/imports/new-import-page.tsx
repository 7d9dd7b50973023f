/** `/imports/new`: chooses files in the browser, shows the selection, and sends it. */
import type { JSX } from "hono/jsx/jsx-runtime";
import { createImportEndpoint, importLimits } from "#areas/imports/contract.ts";
import { FieldInput } from "#console/act-form.tsx";
import type { ConsolePage } from "#console/console-page.ts";
import { ActNotes } from "#console/parts.tsx";
import { mayAnywhere, type Reader } from "#console/reader.ts";
import { data, ids } from "#console/shared/page-names.ts";
import { tenantField } from "#console/tenant-field.ts";

export const newImportPage: ConsolePage = {
  path: "/imports/new",
  load: async () => (reader) => {
    return {
      title: "Import code",
      scripts: ["console", "import"],
      body: (
        <>
          <p class="crumbs">
            <a href="/imports">Imports</a>
          </p>
          <h1>Import code</h1>
          {!mayAnywhere(reader, createImportEndpoint) ? (
            <p class="note">
              Importing needs the role developer in a tenant. Ask an admin of yours for it.
            </p>
          ) : (
            <>
              <p>
                Reads a folder of Terraform, OpenTofu, CloudFormation, ARM, Pulumi YAML, Kubernetes
                or Compose, says what it has, and drafts a template of what can be deployed. Nothing
                is deployed. The files are read and dropped: none is stored.{" "}
                <a href="/docs/imports">More of it</a>
              </p>
              <ImportForm reader={reader} />
              <ActNotes />
              <div id={ids.result}></div>
            </>
          )}
        </>
      ),
    };
  },
};

function ImportForm({ reader }: { reader: Reader }): JSX.Element {
  return (
    <form
      id={ids.import}
      class="fields"
      {...data({
        "max-files": importLimits.files,
        "max-file-bytes": importLimits.fileBytes,
        "max-total-bytes": importLimits.totalBytes,
      })}
      hidden
    >
      <fieldset class="drop">
        <legend>Drop a folder or files here, or choose them</legend>
        <label>
          <span>Folder</span>
          <input type="file" id={ids.folder} webkitdirectory multiple />
        </label>
        <label>
          <span>Files</span>
          <input type="file" id={ids.files} multiple />
        </label>
        <label class="flag">
          <input type="checkbox" id={ids.everyKind} />
          <span>Send files of every kind</span>
          <span class="soft">
            Else only those whose names some format has: .tf, .tofu, .tfvars, .tfstate, .json,
            .yaml, .template and the like.
          </span>
        </label>
      </fieldset>
      <p id={ids.status} role="status"></p>
      <div id={ids.chosen}></div>
      <label>
        <span>Report of another tool</span>
        <input type="file" id={ids.report} accept=".json,.sarif,application/json" />
        <span class="soft">
          JSON: a plan or a state of Terraform or OpenTofu (show -json), Checkov, driftctl or SARIF
          2.1. Of a plan or a state, no value but ids is kept.
        </span>
      </label>
      <label class="flag">
        <input type="checkbox" id={ids.adopt} />
        <span>Adopt what exists</span>
        <span class="soft">
          Where a state or a plan tells the id of an object, the first deployment takes it over and
          makes no second one. What exists and has no such id is left out of the draft.
        </span>
      </label>
      {tenantField(reader, createImportEndpoint, "The import is for operators.").map((field) => (
        <FieldInput field={field} />
      ))}
      <p class="acts">
        <button class="button main" type="submit">
          Import
        </button>
        <button class="button" type="button" id={ids.dryRun}>
          Dry run
        </button>
      </p>
    </form>
  );
}

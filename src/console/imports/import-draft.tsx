/** The draft of a root module: its coverage of the source, its gaps with their places, and its template. */
import type { JSX } from "hono/jsx/jsx-runtime";
import { createTemplateOfImportEndpoint } from "#areas/imports/contract.ts";
import { ActForm } from "#console/act-form.tsx";
import { ActNotes, Table } from "#console/parts.tsx";
import { may, type Reader } from "#console/reader.ts";
import { counted } from "#console/shared/counted.ts";
import { type Import, mappedWords, Place } from "./import-lists.tsx";

type Draft = NonNullable<Import["draft"]>;
type Gap = Draft["unsupported"][number];

/** The maximum number of listed gaps. The API has all. */
const MAX_GAPS = 500;

export function ImportDraft(shown: { path: string; found: Import; reader: Reader }): JSX.Element {
  const { path, found, reader } = shown;
  const { draft, drafts, counts } = found;
  return (
    <>
      {counts.drafts > 1 && <Choice path={path} drafts={drafts} chosen={draft?.module} />}
      {draft === null ? (
        <p class="note">
          There is no draft: nothing in it can be converted.{" "}
          <a href={`${path}?part=coverage`}>Coverage</a> and{" "}
          <a href={`${path}?part=warnings`}>warnings</a> say why.
        </p>
      ) : (
        <>
          <p>
            The draft{counts.drafts > 1 && ` of ${draft.module}`} has of its resources:{" "}
            {mappedWords(draft.mapped, draft.partlyMapped, draft.notMapped)}.
          </p>
          <Make path={path} found={found} draft={draft} reader={reader} />
          <h2>Not carried over</h2>
          <Gaps gaps={draft.unsupported} />
          <h2>To be given by the deployment</h2>
          <Unresolved draft={draft} />
          <h2 id="source-title">Source</h2>
          <pre class="draft-source" tabindex={0} aria-labelledby="source-title">
            <code>{draft.source}</code>
          </pre>
        </>
      )}
    </>
  );
}

function Choice(shown: {
  path: string;
  drafts: Import["drafts"];
  chosen: string | undefined;
}): JSX.Element {
  return (
    <Table
      columns={["Root module", "Format", "Resources"]}
      rows={shown.drafts.map(({ module, format, mapped, partlyMapped, notMapped }) => [
        module === shown.chosen || mapped + partlyMapped === 0 ? (
          <strong>{module}</strong>
        ) : (
          <a href={`${shown.path}?${new URLSearchParams({ module }).toString()}`}>{module}</a>
        ),
        format,
        mappedWords(mapped, partlyMapped, notMapped),
      ])}
    />
  );
}

function Make(shown: { path: string; found: Import; draft: Draft; reader: Reader }): JSX.Element {
  const { path, found, draft, reader } = shown;
  if (!may(reader, createTemplateOfImportEndpoint, found.tenantId)) return <></>;
  return (
    <>
      <ActForm
        method="POST"
        path={`${path}/template`}
        body={{ module: draft.module }}
        words="Make a template of it"
        tone="main"
        then={{ goTo: "/templates/{id}" }}
        fields={[
          { name: "name", words: "Name of the template", isRequired: true, maxLength: 80 },
          { name: "description", words: "Description", maxLength: 2_000 },
        ]}
      />
      <ActNotes />
    </>
  );
}

function Gaps({ gaps }: { gaps: readonly Gap[] }): JSX.Element {
  if (gaps.length === 0) return <p class="soft">Everything was carried over.</p>;
  const files = new Map<string, Gap[]>();
  for (const gap of gaps.slice(0, MAX_GAPS))
    files.set(gap.file, [...(files.get(gap.file) ?? []), gap]);
  return (
    <>
      {[...files].map(([file, ofFile]) => (
        <details open={gaps.length <= 40}>
          <summary>
            <Place file={file} /> <span class="soft">{counted(ofFile.length, "gap")}</span>
          </summary>
          <Table
            columns={["Where", "What", "Why"]}
            rows={ofFile.map(({ line, address, path, reason, code }) => [
              <span class="tag">Line {line}</span>,
              <>
                <strong>{address}</strong> {path !== null && <code>{path}</code>}
              </>,
              <>
                {reason} <code>{code}</code>
              </>,
            ])}
          />
        </details>
      ))}
      {gaps.length > MAX_GAPS && (
        <p class="soft">
          {gaps.length - MAX_GAPS} more are in <code>draft.unsupported</code> of the API's answer.
        </p>
      )}
    </>
  );
}

function Unresolved({ draft: { unresolved } }: { draft: Draft }): JSX.Element {
  if (unresolved.length === 0)
    return <p class="soft">Nothing but the variables that the source has.</p>;
  return (
    <Table
      columns={["Config value", "Stands for", "Place", "Why"]}
      rows={unresolved.map(({ config, address, file, line, reason }) => [
        <strong>{config}</strong>,
        address,
        <Place file={file} line={line} />,
        reason,
      ])}
    />
  );
}

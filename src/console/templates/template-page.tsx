/** `/templates/{id}`: the source of a version, its resources and instances, and a form for a new instance. */
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import { listTargetsEndpoint } from "#areas/cloud-targets/contract.ts";
import { createInstanceEndpoint, listInstancesEndpoint } from "#areas/instances/contract.ts";
import {
  addTemplateVersionEndpoint,
  deleteTemplateEndpoint,
  deprecateTemplateVersionEndpoint,
  getTemplateEndpoint,
  getTemplateVersionEndpoint,
  listTemplateVersionsEndpoint,
  type TemplateView,
  type TemplateVersionWithSource,
  updateTemplateEndpoint,
  validateTemplateSourceEndpoint,
} from "#areas/templates/contract.ts";
import { ActForm } from "#console/act-form.tsx";
import type { ConsolePage } from "#console/console-page.ts";
import { type PageApi, PageProblem } from "#console/page-api.ts";
import {
  ActButton,
  ActNotes,
  Foldout,
  NextPage,
  Owner,
  StateTag,
  Table,
  Time,
} from "#console/parts.tsx";
import { may, mayAnywhere, type Reader } from "#console/reader.ts";
import { fieldNames } from "#console/shared/form-data.ts";
import { data } from "#console/shared/page-names.ts";
import type { Diagnostic } from "#console/shared/source-words.ts";
import { InstanceForm } from "./instance-form.tsx";
import { SourceResources } from "./source-resources.tsx";
import { SourceSection } from "./source-section.tsx";
import { ownerOf } from "./templates-page.tsx";

type Template = z.output<typeof TemplateView>;
type Version = z.output<typeof TemplateVersionWithSource>;
type Versions = z.output<NonNullable<typeof listTemplateVersionsEndpoint.answer.schema>>["data"];
type Instances = z.output<NonNullable<typeof listInstancesEndpoint.answer.schema>>["data"];

export const templatePage: ConsolePage = {
  path: "/templates/:id",
  load: async (api, { params, query }) => {
    const [{ answer: template, etag }, versions, chosen, instances, targets] = await Promise.all([
      api.readTagged(getTemplateEndpoint, params),
      api.read(listTemplateVersionsEndpoint, params, { cursor: query.get("cursor") ?? undefined }),
      chosenVersion(api, params, query.get("version")),
      api.readIfAny(
        listInstancesEndpoint,
        {},
        { templateId: params["id"], include: "target", sort: "-updatedAt" },
      ),
      api.readIfAny(listTargetsEndpoint, {}, { limit: "100", sort: "name" }),
    ]);
    const { id, tenantId, name } = template;
    const { version, diagnostics } = chosen;
    return (reader) => ({
      title: name,
      scripts: ["console", "template", "graph"],
      body: (
        <>
          <p class="crumbs">
            <Owner reader={reader} tenantId={tenantId} /> <a href="/templates">Templates</a>
          </p>
          <div class="row">
            <h1>{name}</h1>
            <span class="soft">
              of {ownerOf(reader, tenantId)}, changed <Time at={template.updatedAt} />
            </span>
          </div>
          {template.description !== "" && <p class="quote">{template.description}</p>}
          <p class="soft">
            See its <a href={`/instances?templateId=${id}`}>instances</a> and{" "}
            <a href={`/deployments?templateId=${id}`}>deployments</a>.
          </p>
          <ActNotes />
          <p class="acts">
            {version !== null && mayMake(reader, tenantId) && (
              <a class="button" href="#make" {...data({ scripted: true })} hidden>
                Make an instance
              </a>
            )}
            {may(reader, deleteTemplateEndpoint, tenantId) && (
              <ActButton
                method="DELETE"
                path={`/templates/${id}`}
                words="Delete"
                tone="danger"
                typed={name}
                confirm={`${name} and all its versions are deleted. This is refused while an instance uses it.`}
                goTo="/templates"
              />
            )}
          </p>
          {may(reader, updateTemplateEndpoint, tenantId) && (
            <Foldout words="Change name and description">
              <ActForm
                method="PATCH"
                path={`/templates/${id}`}
                words="Save"
                etag={etag}
                then="stay"
                fields={[
                  { name: "name", words: "Name", value: name, isRequired: true, maxLength: 80 },
                  {
                    name: "description",
                    words: "Description",
                    kind: "multiline",
                    value: template.description,
                    empty: "text",
                    maxLength: 2000,
                  },
                ]}
              />
            </Foldout>
          )}
          <Source reader={reader} template={template} version={version} found={diagnostics} />
          <SourceResources resources={version?.resources ?? []} />
          {version !== null && (
            <p class="soft">
              {version.outputs.length === 0
                ? "It has no outputs."
                : `Outputs: ${version.outputs.join(", ")}.`}
            </p>
          )}
          <h2>Versions</h2>
          <Versions template={template} versions={versions.data} shown={version} reader={reader} />
          <NextPage path={`/templates/${id}`} query={query} cursor={versions.nextCursor} />
          <h2>Instances</h2>
          <Users instances={instances?.data ?? []} hasMore={Boolean(instances?.nextCursor)} />
          {version !== null && mayMake(reader, tenantId) && (
            <section {...data({ scripted: true })} hidden>
              <h2 id="make">Make an instance of version {version.version}</h2>
              <InstanceForm
                reader={reader}
                version={version}
                targets={targets?.data ?? []}
                hasMoreTargets={Boolean(targets?.nextCursor)}
              />
            </section>
          )}
        </>
      ),
    });
  },
};

/** The version in the address, else the newest that is not deprecated, else the newest; with its content. */
async function chosenVersion(
  api: PageApi,
  params: Readonly<Record<string, string>>,
  named: string | null,
): Promise<{ version: Version | null; diagnostics: readonly Diagnostic[] | undefined }> {
  const read = (version: string) => ({ ...params, version });
  const version =
    named === null
      ? ((await api.readIfAny(getTemplateVersionEndpoint, read("latest"))) ??
        (await newest(api, params)))
      : await api.read(getTemplateVersionEndpoint, read(named));
  if (version === null) return { version, diagnostics: undefined };
  return { version, diagnostics: await check(api, version) };
}

/** Undefined: the reader may not check, or the check failed. The version is shown without it. */
async function check(
  api: PageApi,
  { source, tenantId }: Version,
): Promise<readonly Diagnostic[] | undefined> {
  const body = { source, ...(tenantId !== null && { tenantId }) };
  try {
    return (await api.read(validateTemplateSourceEndpoint, {}, {}, body)).diagnostics;
  } catch (error) {
    if (error instanceof PageProblem) return undefined;
    throw error;
  }
}

/** The newest version of a template with deprecated versions only. */
async function newest(
  api: PageApi,
  params: Readonly<Record<string, string>>,
): Promise<Version | null> {
  const versions = await api.readIfAny(listTemplateVersionsEndpoint, params, { limit: "1" });
  const [last] = versions?.data ?? [];
  if (last === undefined) return null;
  return api.read(getTemplateVersionEndpoint, { ...params, version: String(last.version) });
}

/**
 * Whether the reader may create an instance. An instance of a platform's template belongs to the tenant that creates
 * it.
 */
function mayMake(reader: Reader, tenantId: string | null): boolean {
  return tenantId === null
    ? mayAnywhere(reader, createInstanceEndpoint)
    : may(reader, createInstanceEndpoint, tenantId);
}

function Source(shown: {
  reader: Reader;
  template: Template;
  version: Version | null;
  found: readonly Diagnostic[] | undefined;
}): JSX.Element {
  const { reader, template, version, found } = shown;
  const { id, tenantId, latestVersion } = template;
  const next = (latestVersion ?? 0) + 1;
  const mayChange = may(reader, addTemplateVersionEndpoint, tenantId);
  return (
    <>
      <div class="row">
        <h2>{version === null ? "Source" : `Source of version ${version.version}`}</h2>
        {version?.deprecatedAt != null && <span class="tag wait">deprecated</span>}
      </div>
      {version === null && !mayChange && <p class="soft">It has no version yet.</p>}
      {version !== null && version.version !== latestVersion && (
        <p class="soft">
          This is not the newest:{" "}
          <a href={`/templates/${id}?version=${latestVersion}`}>version {latestVersion}</a>.
        </p>
      )}
      {(version !== null || mayChange) && (
        <SourceSection
          source={version?.source ?? "resources:\n"}
          diagnostics={found}
          tenantId={tenantId}
          known={{ templateId: id, latestVersion }}
          form={
            mayChange ? (
              <ActForm
                method="POST"
                path={`/templates/${id}/versions`}
                words={`Save as version ${next}`}
                tone="main"
                fields={[{ name: fieldNames.source, words: "Source", kind: "source" }]}
                then={{ goTo: "/templates/{templateId}?version={version}" }}
              />
            ) : undefined
          }
        />
      )}
    </>
  );
}

function Versions(shown: {
  template: Template;
  versions: Versions;
  shown: Version | null;
  reader: Reader;
}): JSX.Element {
  const { template, versions, reader } = shown;
  if (versions.length === 0) return <p class="soft">It has none yet.</p>;
  const mayDeprecate = may(reader, deprecateTemplateVersionEndpoint, template.tenantId);
  return (
    <Table
      columns={["Version", "Made", "Deprecated", ...(mayDeprecate ? ["Actions"] : [])]}
      rows={versions.map(({ version, createdAt, deprecatedAt }) => [
        <a
          href={`/templates/${template.id}?version=${version}`}
          aria-current={version === shown.shown?.version ? "true" : undefined}
        >
          Version {version}
        </a>,
        <Time at={createdAt} />,
        deprecatedAt === null ? "" : <Time at={deprecatedAt} />,
        ...(mayDeprecate
          ? [
              deprecatedAt === null && (
                <ActButton
                  method="POST"
                  path={`/templates/${template.id}/versions/${version}/deprecate`}
                  words={`Deprecate version ${version}`}
                  confirm={`Deprecate version ${version}? New instances skip it; those that use it stay as they are. It cannot be undone.`}
                />
              ),
            ]
          : []),
      ])}
    />
  );
}

function Users(shown: { instances: Instances; hasMore: boolean }): JSX.Element {
  if (shown.instances.length === 0) return <p class="soft">No instance uses it.</p>;
  return (
    <>
      <Table
        columns={["Instance", "Version", "State", "Target"]}
        rows={shown.instances.map((instance) => [
          <a href={`/instances/${instance.id}`}>{instance.name}</a>,
          instance.templateVersion,
          <StateTag state={instance.state} />,
          instance.target?.name ?? instance.targetId,
        ])}
      />
      {shown.hasMore && <p class="soft">These are those that changed last; there are more.</p>}
    </>
  );
}

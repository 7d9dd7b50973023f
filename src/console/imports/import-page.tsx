/** `/imports/{id}`: the results of an import, list by list, and its draft. */
import type { JSX } from "hono/jsx/jsx-runtime";
import { deleteImportEndpoint, getImportEndpoint } from "#areas/imports/contract.ts";
import type { ConsolePage } from "#console/console-page.ts";
import { PageProblem } from "#console/page-api.ts";
import { ActButton, NextPage, Owner, StateTag, Table, Time } from "#console/parts.tsx";
import { may } from "#console/reader.ts";
import { counted } from "#console/shared/counted.ts";
import { ImportDraft } from "./import-draft.tsx";
import { ImportGraph, readGraph } from "./import-graph.tsx";
import { type Import, ImportList, type ListedPart, lists, Place } from "./import-lists.tsx";

type Tab = "draft" | "graph" | "clouds" | ListedPart;

const tabs: ReadonlyMap<string, string> = new Map<Tab, string>([
  ["draft", "Draft"],
  ["coverage", "Coverage"],
  ["warnings", "Warnings"],
  ["resources", "Resources"],
  ["graph", "Graph"],
  ["files", "Files"],
  ["modules", "Modules"],
  ["clouds", "Clouds"],
  ["moduleCalls", "Module calls"],
  ["variables", "Variables"],
  ["outputs", "Outputs"],
  ["providers", "Providers"],
  ["findings", "Findings"],
]);

export const importPage: ConsolePage = {
  path: "/imports/:id",
  load: async (api, { params, query }) => {
    const tab = query.get("part") ?? "draft";
    if (!tabs.has(tab)) throw new PageProblem(404, "");
    const list = listOf(tab as Tab);
    const graph = tab === "graph" ? await readGraph(api, params) : undefined;
    const found =
      graph?.found ??
      (await api.read(getImportEndpoint, params, {
        part: list,
        cursor: query.get("cursor") ?? undefined,
        module: query.get("module") ?? undefined,
      }));
    const path = `/imports/${encodeURIComponent(params["id"] ?? "")}`;
    return (reader) => ({
      title: `${tabs.get(tab)} of an import`,
      scripts: graph === undefined ? ["console"] : ["console", "graph"],
      body: (
        <>
          <p class="crumbs">
            <Owner reader={reader} tenantId={found.tenantId} /> <a href="/imports">Imports</a>
          </p>
          <div class="row">
            <h1>
              Import of <Time at={found.createdAt} />
            </h1>
            <StateTag state={found.state} />
          </div>
          {may(reader, deleteImportEndpoint, found.tenantId) && (
            <p class="acts">
              <ActButton
                method="DELETE"
                path={path}
                goTo="/imports"
                words="Delete"
                tone="danger"
                confirm="Delete this import? Templates that were made of it stay."
              />
            </p>
          )}
          <Facts found={found} />
          <Tabs path={path} found={found} chosen={tab as Tab} />
          {tab === "draft" && <ImportDraft path={path} found={found} reader={reader} />}
          {tab === "clouds" && <Clouds found={found} />}
          {graph !== undefined && <ImportGraph {...graph} />}
          {tab === "findings" && <ReportSummary found={found} />}
          {Object.hasOwn(lists, tab) && <ImportList found={found} part={tab as ListedPart} />}
          {graph === undefined && (
            <NextPage path={path} query={query} cursor={found.nextCursors[list]} />
          )}
        </>
      ),
    });
  },
};

/** The API's list for a tab. The tab of clouds reads the shortest list, because every answer has the clouds. */
function listOf(tab: Tab): ListedPart | "drafts" {
  if (tab === "draft") return "drafts";
  return tab === "clouds" || tab === "graph" ? "modules" : tab;
}

function Facts({ found }: { found: Import }): JSX.Element {
  const { progress, counts, clouds, formats } = found;
  const { total, parsed, failed, skipped } = progress;
  return (
    <>
      <p>
        {counted(counts.resources, "resource")} in {counted(counts.modules, "module")}
        {clouds.length > 0 && <>, at {clouds.map(({ cloud }) => cloud).join(", ")}</>}.
      </p>
      <p class="soft">
        {counted(total, "file")}: {parsed} read, {failed} failed, {skipped} skipped
        {formats.length > 0 && <> ({formats.join(", ")})</>}. None of them is stored. The import is
        kept for 30 days.
      </p>
    </>
  );
}

function Tabs(shown: { path: string; found: Import; chosen: Tab }): JSX.Element {
  const { path, found, chosen } = shown;
  return (
    <nav class="tabs" aria-label="Parts of the import">
      {[...tabs].flatMap(([tab, words]) => {
        const count = countOf(found, tab as Tab);
        if (count === 0 && tab !== chosen) return [];
        return (
          <a
            href={tab === "draft" ? path : `${path}?part=${tab}`}
            aria-current={tab === chosen ? "page" : undefined}
          >
            {words} {tab !== "draft" && <span class="soft">{count}</span>}
          </a>
        );
      })}
    </nav>
  );
}

function countOf({ counts, clouds, report }: Import, tab: Tab): number {
  if (tab === "draft") return 1;
  if (tab === "clouds") return clouds.length;
  if (tab === "graph") return counts.nodes;
  // The tab of a report without findings is shown too.
  if (tab === "findings" && report !== null) return Math.max(counts.findings, 1);
  return counts[tab];
}

function Clouds({ found }: { found: Import }): JSX.Element {
  if (found.clouds.length === 0) return <p class="soft">Nothing in it names a cloud.</p>;
  return (
    <Table
      columns={["Cloud", "Resources", "Regions"]}
      rows={found.clouds.map(({ cloud, resources, regions }) => [
        <strong>{cloud}</strong>,
        resources,
        <ul>
          {regions.map(({ name, from, file, line }) => (
            <li>
              {name} <span class="soft">by {fromWords[from]}</span>{" "}
              <Place file={file} line={line} />
            </li>
          ))}
        </ul>,
      ])}
    />
  );
}

const fromWords = {
  resource: "a resource",
  provider: "the provider",
  default: "a variable's default",
} as const;

function ReportSummary({ found: { report } }: { found: Import }): JSX.Element {
  if (report === null) return <></>;
  const counts = Object.entries(report.summary).map(
    ([what, count]) => `${what} ${JSON.stringify(count)}`,
  );
  return (
    <p>
      Of the report ({report.kind}): {counts.join(", ")}.
    </p>
  );
}

/** A plan, as the changes of each resource. */
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import type { PlanView } from "#areas/deployments/contract.ts";
import { partOfAddress, ResourceGraph } from "#console/resource-graph.tsx";
import type { GraphMark, GraphNode, Tone } from "#console/shared/graph-node.ts";
import { data, rowId } from "#console/shared/page-names.ts";
import type { Json } from "#platform/json.ts";
import { firstNames } from "#platform/text/first-names.ts";
import { riskiestFirst } from "#schema/lists/deployment-words.ts";
import { type Dependencies, expandDependencies } from "./expand-dependencies.ts";

export type Plan = z.output<typeof PlanView>;
type Change = Plan["changes"][number];

/** The length at which values are cut, in characters. The API has them whole. */
const MAX_VALUE = 2_000;
/** A folded row names so many properties. */
const MAX_DIGEST = 3;

/** What is only planned is never green. */
const actionTones: Readonly<Record<Change["action"], Tone | undefined>> = {
  create: undefined,
  update: "wait",
  replace: "bad",
  delete: "bad",
  unchanged: undefined,
  read: undefined,
};

/** What a deploy would do about drift. A check itself changes nothing. */
const driftWords: Readonly<Record<Change["action"], string>> = {
  create: "gone",
  update: "differs",
  replace: "differs",
  delete: "differs",
  unchanged: "differs",
  read: "differs",
};
const remedies: Readonly<Record<Change["action"], string>> = {
  create: "A deploy creates it again.",
  update: "A deploy restores it.",
  replace: "A deploy replaces it, because this cannot be changed in place.",
  delete: "A deploy deletes it.",
  unchanged: "A deploy leaves it, because this cannot be changed back in place.",
  read: "A deploy changes nothing.",
};

/** `plan`: null if there is none; `empty` then has the reason. `isDriftCheck`: the plan says what differs. */
export function PlanChanges(shown: {
  plan: Plan | null;
  empty: string;
  dependencies: Dependencies;
  isDriftCheck?: boolean;
}): JSX.Element {
  const { plan, empty, dependencies, isDriftCheck = false } = shown;
  // The ids follow the order of the plan: dependencies name the first of a name.
  const rows = riskiestFirst(rowsOf(plan?.changes ?? []), ([, { action }]) => action);
  const expanded = expandDependencies(
    rows.map(([, { resource }]) => resource),
    dependencies,
  );
  return (
    <ResourceGraph
      label="What the plan does to each resource, and what each depends on"
      liveId="plan-graph"
      nodes={rows.map(([id, { resource, type, action }]): GraphNode => ({
        id,
        name: resource,
        type,
        part: partOfAddress(resource),
        mark: isDriftCheck ? driftMark(action) : { words: action, tone: actionTones[action] },
        dependsOn: expanded.get(resource) ?? [],
      }))}
    >
      <div id="plan-rows" {...data({ live: true })}>
        {plan === null ? (
          <p class="soft">{empty}</p>
        ) : isDriftCheck ? (
          <DriftRows rows={rows} />
        ) : (
          <Rows rows={rows} />
        )}
      </div>
    </ResourceGraph>
  );
}

type Row = readonly [id: string, change: Change];

/** Gives each change a unique id. A pending delete has the name of its replacement. */
function rowsOf(changes: Plan["changes"]): Row[] {
  const taken = new Set<string>();
  return changes.map((change) => {
    const { resource, id = "" } = change;
    const key = taken.has(resource) ? `${resource} ${id}` : resource;
    taken.add(key);
    return [key, change];
  });
}

/** What differs at the cloud, and what a deploy would do about it. */
function DriftRows({ rows }: { rows: readonly Row[] }): JSX.Element {
  const differing = rows.filter(
    ([, { action, changes }]) => action !== "unchanged" || changes.length > 0,
  );
  const same = rows.length - differing.length;
  return (
    <>
      {differing.length === 0 ? (
        <p>The cloud has what was deployed.</p>
      ) : (
        <ul class="changes">
          {differing.map(([key, { resource, type, action, id, changes }]) => (
            <li id={rowId(key)}>
              <p>
                <span class="tag bad">{driftWords[action]}</span> <strong>{resource}</strong>{" "}
                <span class="soft">{type}</span> {id !== undefined && <code>{id}</code>}
              </p>
              <p>{remedies[action]}</p>
              {changes.length > 0 && (
                <dl class="paths">
                  {changes.map(({ path, before, after }) => (
                    <div>
                      <dt>
                        <code>{path}</code>
                      </dt>
                      <dd>
                        now <Value of={before} />, deployed as <Value of={after} />
                      </dd>
                    </div>
                  ))}
                </dl>
              )}
            </li>
          ))}
        </ul>
      )}
      {same > 0 && differing.length > 0 && (
        <p class="soft">{same === 1 ? "1 other is" : `${same} others are`} as deployed.</p>
      )}
    </>
  );
}

function driftMark(action: Change["action"]): GraphMark {
  return action === "unchanged"
    ? { words: "as deployed", tone: "good" }
    : { words: driftWords[action], tone: "bad" };
}

function Rows({ rows }: { rows: readonly Row[] }): JSX.Element {
  const moving = rows.filter(([, { action }]) => action !== "unchanged");
  const still = rows.filter(([, { action }]) => action === "unchanged");
  return (
    <>
      {moving.length === 0 ? (
        <p>The plan changes nothing.</p>
      ) : (
        <ul class="changes">
          {partsOf(moving).map(([part, inPart]) =>
            part === undefined ? (
              inPart.map((row) => <ResourceChange row={row} />)
            ) : (
              <PartChanges part={part} rows={inPart} />
            ),
          )}
        </ul>
      )}
      {still.length > 0 && (
        <details>
          <summary class="soft">
            {still.length === 1 ? "1 resource stays" : `${still.length} resources stay`} unchanged.
          </summary>
          <ul class="list">
            {still.map(([id, { resource, type }]) => (
              <li id={rowId(id)}>
                {resource} <span class="soft">{type}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** The rows by loop or component, in the order of their first rows; single resources for themselves. */
function partsOf(rows: readonly Row[]): [part: string | undefined, rows: Row[]][] {
  const groups = Map.groupBy(rows, ([id, { resource }]) => partOfAddress(resource) ?? `${id} `);
  return [...groups.values()].map((group) => {
    const [, { resource = "" } = {}] = group[0] ?? [];
    return [partOfAddress(resource), group];
  });
}

/** The changes of a loop or component: folded, their number by action. */
function PartChanges({ part, rows }: { part: string; rows: readonly Row[] }): JSX.Element {
  const actions = Map.groupBy(rows, ([, { action }]) => action);
  return (
    <li class="part" {...data({ part })}>
      <details open={actions.has("replace") || actions.has("delete")}>
        <summary>
          {[...actions].map(([action, { length }]) => (
            <>
              <span class={`tag ${actionTones[action] ?? ""}`}>
                {length} {action}
              </span>{" "}
            </>
          ))}
          <strong>{part}</strong>{" "}
          <span class="soft">{rows.length === 1 ? "1 resource" : `${rows.length} resources`}</span>
        </summary>
        <ul class="changes">
          {rows.map((row) => (
            <ResourceChange row={row} />
          ))}
        </ul>
      </details>
    </li>
  );
}

function ResourceChange({ row }: { row: Row }): JSX.Element {
  const [rowKey, change] = row;
  const { resource, type, action, tentative, id, changes, movedFrom, leaves, reason } = change;
  return (
    <li id={rowId(rowKey)} {...data({ resource, action })}>
      <details>
        <summary>
          <span class={`tag ${actionTones[action] ?? ""}`}>{action}</span>{" "}
          <strong>{resource}</strong> <span class="soft">{type}</span>
          {tentative && (
            <>
              {" "}
              <span class="tag">perhaps</span>
            </>
          )}{" "}
          <span class="soft">{digestOf(changes)}</span>
        </summary>
        {tentative && (
          <p class="soft">Needed only if a value that is not known yet turns out to differ.</p>
        )}
        {id !== undefined && (
          <p class="soft">
            Its id is <code>{id}</code>.
          </p>
        )}
        {movedFrom !== undefined && <p class="soft">It was called {movedFrom} before.</p>}
        {reason !== undefined && <p class="reason">{sentenceOf(action, reason)}</p>}
        {leaves !== undefined && <p class="reason">What stays: {leaves}</p>}
        {changes.length > 0 && (
          <dl class="paths">
            {changes.map(({ path, before, after, replaces }) => (
              <div>
                <dt>
                  <code>{path}</code>
                  {replaces && <span class="tag bad">replaces the object</span>}
                </dt>
                <dd>
                  <Value of={before} /> <span aria-label="becomes">→</span> <Value of={after} />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </details>
    </li>
  );
}

/** The changed properties by name, those that replace the object first. */
function digestOf(changes: Change["changes"]): string {
  const paths = changes.toSorted((a, b) => Number(b.replaces) - Number(a.replaces));
  return firstNames(
    paths.map(({ path }) => path),
    MAX_DIGEST,
  );
}

/** The reason of a change as a sentence: `It is replaced: cidr cannot be changed in place.` */
function sentenceOf(action: Change["action"], reason: string): string {
  if (action === "replace") return `It is replaced: ${reason}.`;
  if (action === "delete") return `It is deleted: ${reason}.`;
  return reason;
}

function Value({ of }: { of: Json }): JSX.Element {
  const text = typeof of === "string" ? of : JSON.stringify(of, null, 1);
  if (of === null) return <span class="soft">nothing</span>;
  return (
    <code>{text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…`.toWellFormed() : text}</code>
  );
}

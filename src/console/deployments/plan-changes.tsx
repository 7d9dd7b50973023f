/** A plan, as the changes of each resource. */
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import type { PlanView } from "#areas/deployments/contract.ts";
import type { Json } from "#platform/json.ts";

export type Plan = z.output<typeof PlanView>;
type Change = Plan["changes"][number];

/** Longer values are cut: the API has them whole. */
const MAX_VALUE = 2_000;

const actionTones: Readonly<Record<Change["action"], string>> = {
  create: "good",
  update: "busy",
  replace: "bad",
  delete: "bad",
  unchanged: "",
  read: "",
};

export function PlanChanges({ plan }: { plan: Plan }): JSX.Element {
  const moving = plan.changes.filter(({ action }) => action !== "unchanged");
  const still = plan.changes.length - moving.length;
  return (
    <>
      {moving.length === 0 ? (
        <p>The plan changes nothing.</p>
      ) : (
        <ul class="changes">
          {moving.map((change) => (
            <ResourceChange change={change} />
          ))}
        </ul>
      )}
      {still > 0 && (
        <p class="soft">
          {still === 1 ? "1 resource stays" : `${still} resources stay`} unchanged.
        </p>
      )}
    </>
  );
}

function ResourceChange({ change }: { change: Change }): JSX.Element {
  const { resource, type, action, tentative, id, changes, movedFrom, reason } = change;
  return (
    <li data-resource={resource}>
      <details open={action === "replace" || action === "delete"}>
        <summary>
          <span class={`tag ${actionTones[action]}`}>{action}</span> <strong>{resource}</strong>{" "}
          <span class="soft">{type}</span>
          {tentative && <span class="tag">perhaps</span>}
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
        {reason !== undefined && <p>{reason}</p>}
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

function Value({ of }: { of: Json }): JSX.Element {
  const text = typeof of === "string" ? of : JSON.stringify(of, null, 1);
  if (of === null) return <span class="soft">nothing</span>;
  return (
    <code>{text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…`.toWellFormed() : text}</code>
  );
}

/** The log of a deployment. The script of the page adds lines of the same shape. */
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import type { LogEntryView } from "#areas/deployments/contract.ts";

export type LogEntry = z.output<typeof LogEntryView>;

export function LogLines(shown: {
  deploymentId: string;
  entries: readonly LogEntry[];
  pruned: boolean;
  isOpen: boolean;
}): JSX.Element {
  const { deploymentId, entries, pruned, isOpen } = shown;
  return (
    <>
      <div class="row">
        <h2 id="log-title">Log</h2>
        <span class="soft" id="live" role="status"></span>
      </div>
      <p class="acts" id="log-tools" hidden>
        <label>
          Search the log <input type="search" id="log-search" autocomplete="off" />
        </label>
        <label>
          Show{" "}
          <select id="log-level">
            <option value="">everything</option>
            <option value="warn">warnings and errors</option>
            <option value="error">errors</option>
          </select>
        </label>
        <button class="button" type="button" id="log-save">
          Download
        </button>
      </p>
      {pruned && <p class="soft">Older lines were deleted when their time ended.</p>}
      <ol
        class="log"
        id="log"
        tabindex={0}
        aria-labelledby="log-title"
        data-deployment={deploymentId}
        data-after={entries.at(-1)?.seq ?? 0}
        data-open={isOpen}
      >
        {entries.map(({ seq, at, level, message, resource, elapsedMs }) => (
          <li
            data-level={level}
            data-resource={resource}
            data-done={elapsedMs === undefined ? undefined : true}
            value={seq}
          >
            <time datetime={at}>{at.slice(11, 19)}</time> <span>{message}</span>
          </li>
        ))}
      </ol>
      <noscript>
        <p class="note">
          The lines after these, and new ones, need JavaScript, or{" "}
          <code>GET /api/v1/deployments/{deploymentId}/log</code>.
        </p>
      </noscript>
    </>
  );
}

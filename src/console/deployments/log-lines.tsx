/** The log of a deployment. The script of the page adds lines of the same shape. */
import type { JSX } from "hono/jsx/jsx-runtime";
import { type LogLine, timeOfDay } from "#console/shared/log-line.ts";
import { data, ids } from "#console/shared/page-names.ts";

export function LogLines(shown: {
  deploymentId: string;
  entries: readonly LogLine[];
  pruned: boolean;
  isOpen: boolean;
}): JSX.Element {
  const { deploymentId, entries, pruned, isOpen } = shown;
  return (
    <>
      <div class="row">
        <h2 id="log-title">Log</h2>
        <span class="soft" id={ids.live} role="status"></span>
      </div>
      <p class="acts" id={ids.logTools} hidden>
        <label>
          Search the log <input type="search" id={ids.logSearch} autocomplete="off" />
        </label>
        <label>
          Show{" "}
          <select id={ids.logLevel}>
            <option value="">everything</option>
            <option value="warn">warnings and errors</option>
            <option value="error">errors</option>
          </select>
        </label>
        <button class="button" type="button" id={ids.logSave}>
          Download
        </button>
      </p>
      {pruned && <p class="soft">Older lines were deleted when their time ended.</p>}
      <ol
        class="log"
        id={ids.log}
        tabindex={0}
        aria-labelledby="log-title"
        {...data({ deployment: deploymentId, after: entries.at(-1)?.seq ?? 0, open: isOpen })}
      >
        {entries.map(({ seq, at, level, message, resource, elapsedMs }) => (
          <li {...data({ level, resource, done: elapsedMs !== undefined })} value={seq}>
            <time datetime={at}>{timeOfDay(at)}</time> <span>{message}</span>
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

/**
 * A template's source: numbered lines with their diagnostics, and an editor. The page's script takes the lines and the
 * diagnostics from here.
 */
import type { JSX } from "hono/jsx/jsx-runtime";
import { data, ids, lineId } from "#console/shared/page-names.ts";
import {
  countWords,
  type Diagnostic,
  diagnosticWords,
  placeWords,
  severityTone,
} from "#console/shared/source-words.ts";

/**
 * `diagnostics`: undefined if unchecked. `tenantId`: the tenant for the script's checks. `form`: the form whose input
 * `source` is edited; without it the source is read-only.
 */
export function SourceSection(shown: {
  source: string;
  diagnostics: readonly Diagnostic[] | undefined;
  tenantId?: string | null;
  /** The newest version that the page knew. The reader is asked before saving over a newer one. */
  known?: { templateId: string; latestVersion: number | null };
  form: JSX.Element | undefined;
}): JSX.Element {
  const { source, diagnostics, tenantId, known, form } = shown;
  return (
    <div
      id={ids.source}
      {...data({
        tenant: tenantId ?? undefined,
        template: known?.templateId,
        latest: known?.latestVersion ?? undefined,
      })}
    >
      {form !== undefined && (
        <p class="soft" id={ids.sourceKeys} hidden>
          Ctrl+Space completes. F8 goes to the next problem. Tab indents; press Escape, then Tab, to
          leave the editor. Ctrl+S saves.
        </p>
      )}
      <ol class="source" id={ids.sourceLines} tabindex={0} aria-label="Source">
        {source.split(/\r\n|\r|\n/).map((line, at) => (
          <li id={lineId(at + 1)}>
            <code>{line}</code>
            {diagnostics
              ?.filter((one) => one.line === at + 1)
              .map((one) => (
                <span class="fault">{diagnosticWords(one)}</span>
              ))}
          </li>
        ))}
      </ol>
      {form}
      <p id={ids.sourceStatus} role="status">
        {diagnostics && countWords(diagnostics)}
      </p>
      <ol
        class="list"
        id={ids.diagnostics}
        aria-label="What was found in the source"
        {...data({ diagnostics })}
      >
        {diagnostics?.map((one) => (
          <li>
            <span>
              <span class={`tag ${severityTone(one)}`}>{one.severity}</span>{" "}
              {one.line > 0 && <a href={`#${lineId(one.line)}`}>{placeWords(one)}</a>}{" "}
              <span class="words">{diagnosticWords(one)}</span> <code class="soft">{one.code}</code>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

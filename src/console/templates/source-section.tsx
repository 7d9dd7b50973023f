/**
 * A template's source: numbered lines with their diagnostics, and an editor. The page's script takes the lines and the
 * diagnostics from here.
 */
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import type { TemplateValidationView } from "#areas/templates/contract.ts";

export type Diagnostic = z.output<typeof TemplateValidationView>["diagnostics"][number];

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
      id="source"
      data-tenant={tenantId ?? undefined}
      data-template={known?.templateId}
      data-latest={known?.latestVersion ?? undefined}
    >
      {form !== undefined && (
        <p class="soft" id="source-keys" hidden>
          Ctrl+Space completes. F8 goes to the next problem. Tab indents; press Escape, then Tab, to
          leave the editor. Ctrl+S saves.
        </p>
      )}
      <ol class="source" id="source-lines" tabindex={0} aria-label="Source">
        {source.split(/\r\n|\r|\n/).map((line, at) => (
          <li id={`line-${at + 1}`}>
            <code>{line}</code>
            {diagnostics
              ?.filter((one) => one.line === at + 1)
              .map(({ message, hint }) => (
                <span class="fault">{withHint(message, hint)}</span>
              ))}
          </li>
        ))}
      </ol>
      {form}
      <p id="source-status" role="status">
        {diagnostics && countWords(diagnostics)}
      </p>
      <ol class="list" id="diagnostics" aria-label="What was found in the source">
        {diagnostics?.map(({ severity, line, column, endLine, endColumn, message, hint, code }) => (
          <li
            data-severity={severity}
            data-line={line}
            data-column={column}
            data-end-line={endLine}
            data-end-column={endColumn}
          >
            <span>
              <span class={`tag ${severity === "error" ? "bad" : "wait"}`}>{severity}</span>{" "}
              {line > 0 && (
                <a href={`#line-${line}`}>
                  Line {line}, column {column}
                </a>
              )}{" "}
              <span class="words">{withHint(message, hint)}</span> <code class="soft">{code}</code>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function withHint(message: string, hint: string | undefined): string {
  return hint === undefined ? message : `${message} ${hint}`;
}

function countWords(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const warnings = diagnostics.length - errors;
  if (diagnostics.length === 0) return "Nothing is wrong with the source.";
  return `${counted(errors, "error")}, ${counted(warnings, "warning")}.`;
}

function counted(count: number, word: string): string {
  return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}

/** Parts that several pages share. */
import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { type Reader, tenantName, tenantsOf } from "./reader.ts";
import type { PageOfAnswer } from "./shared/form-data.ts";
import type { Tone } from "./shared/graph-node.ts";
import { data, ids } from "./shared/page-names.ts";
import { exactTime, relativeTime } from "./shared/time-words.ts";

/** The colour of each state on all pages. */
const tones: Readonly<Record<string, Tone>> = {
  READY: "good",
  SUCCEEDED: "good",
  NO_CHANGES: "good",
  IN_SYNC: "good",
  FAILED: "bad",
  DESTROY_FAILED: "bad",
  DRIFTED: "bad",
  TAINTED: "bad",
  LOST: "bad",
  UNREADY: "bad",
  ACTIVE: "good",
  DEGRADED: "bad",
  PROVISIONING: "busy",
  UPDATING: "busy",
  DESTROYING: "busy",
  PLANNING: "busy",
  APPLYING: "busy",
  CANCELING: "busy",
  QUEUED: "wait",
  AWAITING_APPROVAL: "wait",
  EXPIRED: "wait",
  ENABLED: "good",
  PENDING: "wait",
  RETRYING: "wait",
  EXHAUSTED: "bad",
  CIRCUIT_OPEN: "bad",
  CIRCUIT_PROBING: "wait",
  VERIFIED: "good",
  UNVERIFIED: "wait",
  INVESTIGATING: "bad",
  IDENTIFIED: "wait",
  MONITORING: "busy",
  RESOLVED: "good",
  OPERATIONAL: "good",
  PARTIAL_OUTAGE: "bad",
  MAJOR_OUTAGE: "bad",
  MAINTENANCE: "busy",
  COMPLETED: "good",
  COMPLETED_WITH_WARNINGS: "wait",
  PARSED: "good",
};

export function toneOf(state: string): Tone | undefined {
  return tones[state];
}

/** A state in words: `AWAITING_APPROVAL` becomes `awaiting approval`. */
export function wordsOf(state: string): string {
  if (state === "PENDING_DELETE") return "pending delete";
  return state.toLowerCase().replaceAll("_", " ");
}

export function StateTag({ state }: { state: string }): JSX.Element {
  return <span class={`tag ${toneOf(state) ?? ""}`}>{wordsOf(state)}</span>;
}

/** The placeholder of a secret value. */
export function Secret(): JSX.Element {
  return <span class="tag">secret</span>;
}

/** `5 min ago`, with the exact time on hover. The page's script keeps it true and adds the reader's own time. */
export function Time({ at }: { at: string }): JSX.Element {
  return (
    <time datetime={at} title={exactTime(at)} {...data({ relative: true })}>
      {relativeTime(at, Date.now())}
    </time>
  );
}

/** A table on wide screens, a list on narrow ones. In the list each cell has the name of its column. */
export function Table({
  columns,
  rows,
}: {
  columns: readonly string[];
  rows: readonly (readonly Child[])[];
}): JSX.Element {
  return (
    <table>
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col">{column}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr>
            {cells.map((cell, at) => (
              <td {...data({ column: columns[at] })}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The owner of an object: the platform, or a tenant that the reader sees. */
export function Owner({
  reader,
  tenantId,
}: {
  reader: Reader;
  tenantId: string | null;
}): JSX.Element {
  const name = tenantId === null ? "Platform" : tenantName(reader, tenantId);
  return name === undefined ? <></> : <span>{name}</span>;
}

/** The owner of a row, in lists of several tenants or of the platform. */
export function RowOwner(shown: { reader: Reader; tenantId: string | null }): JSX.Element {
  const { reader, tenantId } = shown;
  if (tenantId === null) return <span class="tag">platform</span>;
  if (tenantsOf(reader).length < 2) return <></>;
  return <span class="soft">{tenantName(reader, tenantId)}</span>;
}

/** The link to the next page of a list, with the current filters. */
export function NextPage(shown: {
  path: string;
  query: URLSearchParams;
  cursor: string | null;
}): JSX.Element {
  const { path, query, cursor } = shown;
  if (cursor === null) return <></>;
  const next = new URLSearchParams(query);
  next.set("cursor", cursor);
  return (
    <p>
      <a class="button" href={`${path}?${next.toString()}`}>
        Next page
      </a>
    </p>
  );
}

/** Folds a form or a table. It appears only with the page's script, which its content needs. */
export function Foldout(shown: { words: string; isOpen?: boolean; children: Child }): JSX.Element {
  return (
    <details class="foldout" open={shown.isOpen} {...data({ scripted: true })} hidden>
      <summary class="button">{shown.words}</summary>
      {shown.children}
    </details>
  );
}

/**
 * A button that sends a request to the API. The page's script sends the request and shows the button. `confirm`: a
 * question before the request. `typed`: a text that the reader must type before. `label`: the full label, if the
 * button's words do not name its object. `etag`: as for a form. `goTo`: the page after success. Default: this page
 * again.
 */
export function ActButton(shown: {
  method: "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  words: string;
  tone?: "main" | "danger";
  body?: object;
  confirm?: string;
  typed?: string;
  label?: string;
  etag?: string | undefined;
  goTo?: PageOfAnswer;
}): JSX.Element {
  const { method, path, words, tone = "", body, confirm, typed, label, etag, goTo } = shown;
  return (
    <button
      class={`button ${tone}`}
      type="button"
      {...data({ act: method, path, body, confirm, typed, etag, to: goTo })}
      aria-label={label}
      hidden
    >
      {words}
    </button>
  );
}

/** The places for error messages of the script, and for a note without a script. */
export function ActNotes(): JSX.Element {
  return (
    <>
      <p class="note bad" id={ids.problem} role="alert" hidden></p>
      <noscript>
        <p class="note">Changing something here needs JavaScript; programs use the API.</p>
      </noscript>
    </>
  );
}

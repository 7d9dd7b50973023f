/** What several pages show in the same way. */
import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { minuteText } from "#http/pages/minute-text.ts";
import { type Reader, tenantName, tenantsOf } from "./reader.ts";

export type Tone = "good" | "bad" | "busy" | "wait";

/** The colour that a state has everywhere. */
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

/** `AWAITING_APPROVAL` as people read it: `awaiting approval`. */
export function wordsOf(state: string): string {
  // docs/glossary.md
  if (state === "PENDING_DELETE") return "pending delete";
  return state.toLowerCase().replaceAll("_", " ");
}

export function StateTag({ state }: { state: string }): JSX.Element {
  return <span class={`tag ${toneOf(state) ?? ""}`}>{wordsOf(state)}</span>;
}

/** In place of a value that nobody reads again. */
export function Secret(): JSX.Element {
  return <span class="tag">secret</span>;
}

/** A time to the minute, in UTC; the page's script adds the reader's own time. */
export function Time({ at }: { at: string }): JSX.Element {
  return <time datetime={at}>{minuteText(Date.parse(at))}</time>;
}

/** A table on a desk, a list on a phone: each cell has its column's name there. */
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
              <td data-column={columns[at]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Whose something is, as far as the reader knows; the platform is nobody's. */
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

/** Whose a row of a list is, where rows may be of several tenants or the platform's. */
export function RowOwner(shown: { reader: Reader; tenantId: string | null }): JSX.Element {
  const { reader, tenantId } = shown;
  if (tenantId === null) return <span class="tag">platform</span>;
  if (tenantsOf(reader).length < 2) return <></>;
  return <span class="soft">{tenantName(reader, tenantId)}</span>;
}

/** For the filters of a list that shows several tenants; nothing for whoever has one. */
export function TenantSelect({
  reader,
  chosen,
}: {
  reader: Reader;
  chosen: string | null;
}): JSX.Element {
  if (tenantsOf(reader).length < 2) return <></>;
  return (
    <label>
      Tenant
      <select name="tenantId">
        <option value="">all</option>
        {tenantsOf(reader).map(({ tenantId, name }) => (
          <option value={tenantId} selected={tenantId === chosen}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The link to the next page of a list, with the filters of this one. */
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

/** What a form or a table is folded into until it is asked for. It needs a script inside, so the script shows it. */
export function Foldout(shown: { words: string; isOpen?: boolean; children: Child }): JSX.Element {
  return (
    <details class="foldout" open={shown.isOpen} data-scripted hidden>
      <summary class="button">{shown.words}</summary>
      {shown.children}
    </details>
  );
}

/**
 * A button that sends a request to the API by the page's script, which also shows it. `confirm`: a question to ask
 * before. `typed`: what one has to type before. `label`: the words in full, where the button alone does not say what it
 * is about. `etag`: as for a form. `goTo`: the page after success. Default: where the answer leads.
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
  goTo?: string;
}): JSX.Element {
  const { method, path, words, tone = "", body, confirm, typed, label, etag, goTo } = shown;
  return (
    <button
      class={`button ${tone}`}
      type="button"
      data-act={method}
      data-path={path}
      data-body={body && JSON.stringify(body)}
      data-confirm={confirm}
      data-typed={typed}
      data-etag={etag}
      data-to={goTo}
      aria-label={label}
      hidden
    >
      {words}
    </button>
  );
}

/** Where the script says why a request failed, and what says that there is no script. */
export function ActNotes(): JSX.Element {
  return (
    <>
      <p class="note bad" id="problem" role="alert" hidden></p>
      <noscript>
        <p class="note">Changing something here needs JavaScript; programs use the API.</p>
      </noscript>
    </>
  );
}

/** Forms that the page's script sends to the API as JSON. A page only lists the fields. */
import type { JSX } from "hono/jsx/jsx-runtime";
import { type ControlKind, type Empty, owners, type Then } from "./shared/form-data.ts";
import { data } from "./shared/page-names.ts";

export interface Choice {
  value: string;
  words: string;
  /** The group of a choice in `checks`. Groups are folded. */
  group?: string;
}

/** The kinds with an input of their own. */
type FieldKind = ControlKind | "jsonChoice" | "secretJson";

/** An input, and the member of the request's body that it sets. */
export interface Field {
  /**
   * The path of the member, with dots: `config.region`. A name in braces in the form's path is inserted there. A name
   * in braces in another field's name becomes a part of that: `bindings.{variable}.output`.
   */
  name: string;
  words: string;
  hint?: string;
  /**
   * The conversion of the input to JSON:
   * - `multiline`, `comment`: a text of several lines,
   * - `lines`, `checks`: an array of texts,
   * - `pairs`: a map of texts,
   * - `json`: any value; `secretJson`: the same, hidden while typing,
   * - `jsonChoice`: one of several values,
   * - `flag`: a boolean,
   * - `time`: an instant, typed in UTC,
   * - `lifetime`: a number of days from now,
   * - `source`: the text unchanged,
   * - `owner`: a tenant's id, or nothing for the whole platform.
   * Default: `text`.
   */
  kind?: FieldKind;
  choices?: readonly Choice[];
  /** Buttons that choose exactly these values of `checks`. */
  presets?: readonly { words: string; values: readonly string[] }[];
  /** Suggested texts. Others are allowed. */
  suggestions?: readonly Choice[];
  value?: string | readonly string[] | boolean;
  isRequired?: boolean;
  maxLength?: number;
  /** Default: `nothing`. */
  empty?: Empty;
  /** The current map. A patch sends null for removed members. */
  before?: object | undefined;
  placeholder?: string | undefined;
}

/**
 * `etag`: the version on the page; the API refuses the change if it is outdated. With the value `new` it refuses the
 * change if the object exists. `isPatch`: send only changed members.
 */
export function ActForm(shown: {
  method: "POST" | "PUT" | "PATCH";
  path: string;
  fields: readonly Field[];
  words: string;
  tone?: "main" | "danger";
  /** Members without an input. */
  body?: object;
  confirm?: string;
  /** The full label, if the button's words do not name its object. */
  label?: string;
  etag?: string | undefined;
  isPatch?: boolean;
  then: Then;
}): JSX.Element {
  const { method, path, fields, words, tone = "", body, then } = shown;
  return (
    <form
      class="fields"
      {...data({
        form: method,
        path,
        body,
        confirm: shown.confirm,
        etag: shown.etag,
        patch: shown.isPatch,
        next: then,
      })}
      hidden
    >
      {fields.map((field) => (
        <FieldInput field={field} />
      ))}
      <button class={`button ${tone}`} type="submit" aria-label={shown.label}>
        {words}
      </button>
    </form>
  );
}

export function FieldInput({ field }: { field: Field }): JSX.Element {
  const { words, hint, kind = "text" } = field;
  if (kind === "checks") return <Checks field={field} />;
  if (kind === "owner") return <Owner field={field} />;
  return (
    <label class={kind === "flag" ? "flag" : undefined}>
      {kind === "flag" && <Input field={field} />}
      <span>{words}</span>
      {kind !== "flag" && <Input field={field} />}
      {hint !== undefined && <span class="soft">{hint}</span>}
    </label>
  );
}

function Checks({ field }: { field: Field }): JSX.Element {
  const { name, words, hint, choices = [], presets = [], value } = field;
  const groups = Map.groupBy(choices, ({ group }) => group);
  const boxes = (of: readonly Choice[]) => (
    <div class="checks">
      {of.map((choice) => (
        <label class="flag">
          <input type="checkbox" value={choice.value} checked={isChosen(choice.value, value)} />
          <span>{choice.words}</span>
        </label>
      ))}
    </div>
  );
  return (
    <fieldset name={name} {...controlData("checks")}>
      <legend>{words}</legend>
      {hint !== undefined && <span class="soft">{hint}</span>}
      {presets.length > 0 && (
        <p class="acts inner">
          {presets.map((preset) => (
            <button class="button" type="button" {...data({ preset: preset.values })}>
              {preset.words}
            </button>
          ))}
        </p>
      )}
      {[...groups].map(([group, of]) =>
        group === undefined ? (
          boxes(of)
        ) : (
          <details open={of.some((choice) => isChosen(choice.value, value))}>
            <summary>
              {group} <span class="soft" {...data({ chosen: true })}></span>
            </summary>
            {boxes(of)}
          </details>
        ),
      )}
    </fieldset>
  );
}

/** The future owner. An empty input must never choose the platform. */
function Owner({ field }: { field: Field }): JSX.Element {
  const { name, words, hint, suggestions = [] } = field;
  const choice = (value: keyof typeof owners, said: string, more?: string) => (
    <label class="flag">
      <input type="radio" name={`${name}-owner`} value={owners[value]} required />
      <span>{said}</span>
      {more !== undefined && <span class="soft">{more}</span>}
    </label>
  );
  return (
    <fieldset name={name} {...controlData("owner")}>
      <legend>{words}</legend>
      {choice("tenant", "one tenant")}
      <label>
        <span>Tenant</span>
        <input {...data({ tenant: true })} autocomplete="off" list={`${name}-suggestions`} />
        <Suggestions id={`${name}-suggestions`} of={suggestions} />
        <span class="soft">Choose one, or type its id.</span>
      </label>
      {choice("platform", "the whole platform", hint)}
    </fieldset>
  );
}

function Input({ field }: { field: Field }): JSX.Element {
  const { name, kind = "text", choices = [], value, isRequired, maxLength, empty } = field;
  const { before, placeholder, suggestions } = field;
  const same = {
    name,
    ...controlData(controlKind(kind), { empty, before }),
    required: isRequired,
    placeholder,
  };
  const text = typeof value === "string" ? value : undefined;
  switch (kind) {
    case "flag":
      return <input type="checkbox" {...same} checked={value === true} />;
    case "choice":
    case "lifetime":
    case "jsonChoice":
    case "choices":
      return (
        <select {...same} multiple={kind === "choices"}>
          {choices.map((choice) => (
            <option value={choice.value} selected={isChosen(choice.value, value)}>
              {choice.words}
            </option>
          ))}
        </select>
      );
    case "multiline":
    case "comment":
    case "source":
    case "lines":
    case "pairs":
    case "json":
      return (
        <textarea {...same} maxlength={maxLength} rows={rows[kind]} spellcheck={kind !== "source"}>
          {Array.isArray(value) ? value.join("\n") : text}
        </textarea>
      );
    case "text":
    case "secret":
    case "secretJson":
    case "number":
    case "time":
      return (
        <>
          <input
            {...same}
            type={inputTypes[kind]}
            step={kind === "number" ? "any" : undefined}
            value={kind === "time" ? text?.slice(0, 16) : text}
            maxlength={maxLength}
            autocomplete={inputTypes[kind] === "password" ? "new-password" : "off"}
            list={suggestions && `${name}-suggestions`}
          />
          {suggestions && <Suggestions id={`${name}-suggestions`} of={suggestions} />}
        </>
      );
    case "checks":
    case "owner":
      return <></>;
  }
}

function Suggestions({ id, of }: { id: string; of: readonly Choice[] }): JSX.Element {
  return (
    <datalist id={id}>
      {of.map(({ value, words }) => (
        <option value={value}>{words}</option>
      ))}
    </datalist>
  );
}

/** The script's kind: it parses choices of JSON and secret JSON as JSON. */
function controlKind(kind: FieldKind): ControlKind {
  return kind === "jsonChoice" || kind === "secretJson" ? "json" : kind;
}

function controlData(
  kind: ControlKind,
  more: { empty?: Empty | undefined; before?: object | undefined } = {},
): ReturnType<typeof data> {
  return data({ kind, ...more });
}

const rows = { multiline: 6, comment: 2, source: 20, lines: 3, pairs: 3, json: 3 } as const;
const inputTypes = {
  text: "text",
  secret: "password",
  secretJson: "password",
  number: "number",
  time: "datetime-local",
} as const;

function isChosen(one: string, value: Field["value"]): boolean {
  return Array.isArray(value) ? value.includes(one) : one === value;
}

/** Forms that the page's script sends to the API as JSON, so that each page only lists its fields. */
import type { JSX } from "hono/jsx/jsx-runtime";

export interface Choice {
  value: string;
  words: string;
}

/** One input, and the member of the request's body that it sets. */
export interface Field {
  /** The path of the member, with dots: `config.region`. One that stands in braces in the form's path goes there. */
  name: string;
  words: string;
  hint?: string;
  /** How the input becomes JSON: `lines` an array of texts, `json` any value, `flag` a boolean. Default: `text`. */
  kind?:
    | "text"
    | "secret"
    | "multiline"
    | "number"
    | "flag"
    | "lines"
    | "json"
    | "choice"
    | "choices";
  choices?: readonly Choice[];
  value?: string | readonly string[] | boolean;
  isRequired?: boolean;
  maxLength?: number;
  /** What an empty input sends: nothing, or null, which removes a value. Default: nothing. */
  empty?: "nothing" | "null";
}

/**
 * `then`: after success, go where the answer's Location leads (`follow`), load this page again (`stay`), or show these
 * members of the answer, which nobody can read again, until the reader goes on.
 */
export function ActForm(shown: {
  method: "POST" | "PUT" | "PATCH";
  path: string;
  fields: readonly Field[];
  words: string;
  tone?: "main" | "danger";
  /** Members that no input changes. */
  body?: object;
  confirm?: string;
  then?: "follow" | "stay" | { show: readonly string[] };
}): JSX.Element {
  const { method, path, fields, words, tone = "", body, confirm, then = "follow" } = shown;
  return (
    <form
      class="fields"
      data-form={method}
      data-path={path}
      data-body={body && JSON.stringify(body)}
      data-confirm={confirm}
      data-then={typeof then === "string" ? then : "show"}
      data-show={typeof then === "string" ? undefined : then.show.join(" ")}
      hidden
    >
      {fields.map((field) => (
        <FieldInput field={field} />
      ))}
      <button class={`button ${tone}`} type="submit">
        {words}
      </button>
    </form>
  );
}

function FieldInput({ field }: { field: Field }): JSX.Element {
  const { words, hint, kind = "text" } = field;
  return (
    <label class={kind === "flag" ? "flag" : undefined}>
      {kind === "flag" && <Input field={field} />}
      <span>{words}</span>
      {kind !== "flag" && <Input field={field} />}
      {hint !== undefined && <span class="soft">{hint}</span>}
    </label>
  );
}

function Input({ field }: { field: Field }): JSX.Element {
  const { name, kind = "text", choices = [], value, isRequired, maxLength, empty } = field;
  const same = { name, "data-kind": kind, "data-empty": empty, required: isRequired };
  const text = typeof value === "string" ? value : undefined;
  switch (kind) {
    case "flag":
      return <input type="checkbox" {...same} checked={value === true} />;
    case "choice":
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
    case "lines":
    case "json":
      return (
        <textarea {...same} maxlength={maxLength} rows={kind === "multiline" ? 6 : 3}>
          {Array.isArray(value) ? value.join("\n") : text}
        </textarea>
      );
    case "text":
    case "secret":
    case "number":
      return (
        <input
          {...same}
          type={{ text: "text", secret: "password", number: "number" }[kind]}
          value={text}
          maxlength={maxLength}
          autocomplete={kind === "secret" ? "new-password" : "off"}
        />
      );
  }
}

function isChosen(one: string, value: Field["value"]): boolean {
  return Array.isArray(value) ? value.includes(one) : one === value;
}

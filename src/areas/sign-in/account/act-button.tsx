import type { JSX } from "hono/jsx/jsx-runtime";

/**
 * A button of the account page that changes something through the API. The account's script shows it and sends the
 * request. `then`: removes the entry of the list, or loads the page again. `confirm`: a question to ask before.
 */
export function ActButton(shown: {
  method: "POST" | "DELETE";
  path: string;
  label: string;
  words: string;
  then: "remove" | "reload";
  body?: object;
  confirm?: string;
}): JSX.Element {
  const { method, path, label, words, then, body, confirm } = shown;
  return (
    <button
      class="button"
      type="button"
      data-method={method}
      data-path={path}
      data-then={then}
      data-body={body && JSON.stringify(body)}
      data-confirm={confirm}
      aria-label={label}
      hidden
    >
      {words}
    </button>
  );
}

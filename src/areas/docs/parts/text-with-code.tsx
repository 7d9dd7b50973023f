import type { JSX } from "hono/jsx/jsx-runtime";

/** A line of the document: code between backticks, everything else is text. */
export function TextWithCode({ text }: { text: string }): JSX.Element {
  return <>{text.split("`").map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))}</>;
}

import type { JSX } from "hono/jsx/jsx-runtime";
import { TextWithCode } from "./text-with-code.tsx";

/** A description of the document: paragraphs with code between backticks. */
export function Paragraphs({ text }: { text: string }): JSX.Element {
  const parts = text.split(/\n{2,}/).filter((part) => part.trim() !== "");
  return (
    <>
      {parts.map((part) => (
        <p>
          <TextWithCode text={part} />
        </p>
      ))}
    </>
  );
}

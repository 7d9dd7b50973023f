import type { JSX } from "hono/jsx/jsx-runtime";

export function SampleBlock({ title, text }: { title: string; text: string }): JSX.Element {
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <pre tabindex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}

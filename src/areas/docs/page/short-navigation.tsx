import type { JSX } from "hono/jsx/jsx-runtime";
import type { DocumentArea } from "#areas/docs/document/document-areas.ts";

/** On a narrow screen in place of the side navigation. */
export function ShortNavigation({ areas }: { areas: readonly DocumentArea[] }): JSX.Element {
  return (
    <nav class="chips" aria-label="Areas">
      {areas.map(({ name, anchor }) => (
        <a href={`#${anchor}`}>{name}</a>
      ))}
      <a href="#events">Events</a>
      <a href="#errors">Error codes</a>
    </nav>
  );
}

import type { JSX } from "hono/jsx/jsx-runtime";
import type { DocumentArea } from "#areas/docs/document/document-areas.ts";
import { navigationEntries } from "./navigation-entries.ts";

/** On a narrow screen in place of the side navigation. */
export function ShortNavigation(shown: {
  areas: readonly DocumentArea[];
  current: string;
}): JSX.Element {
  return (
    <nav class="chips" aria-label="Pages">
      {navigationEntries(shown.areas).map(({ title, path }) => (
        <a href={path} aria-current={path === shown.current ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}

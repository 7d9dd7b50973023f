import type { JSX } from "hono/jsx/jsx-runtime";
import type { GuidePage } from "#areas/docs/content/guide-page.ts";
import type { DocumentArea } from "#areas/docs/document/document-areas.ts";
import { MethodBadge } from "#areas/docs/parts/method-badge.tsx";
import { TextWithCode } from "#areas/docs/parts/text-with-code.tsx";
import { navigationEntries } from "./navigation-entries.ts";

/** All pages, and the places of the current one. */
export function SideNavigation(shown: {
  areas: readonly DocumentArea[];
  guides: readonly GuidePage[];
  current: string;
}): JSX.Element {
  return (
    <nav class="side" aria-label="Reference">
      {navigationEntries(shown.areas, shown.guides).map(({ title, path, places }) => {
        const isCurrent = path === shown.current;
        return (
          <>
            <a class="page" href={path} aria-current={isCurrent ? "page" : undefined}>
              {title}
            </a>
            {isCurrent && places.length > 0 && (
              <ul>
                {places.map(({ id, title: place, method }) => (
                  <li>
                    <a href={`#${id}`}>
                      {method !== undefined && <MethodBadge method={method} />}{" "}
                      <TextWithCode text={place} />
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </>
        );
      })}
    </nav>
  );
}

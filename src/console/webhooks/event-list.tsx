import type { JSX } from "hono/jsx/jsx-runtime";

const SHOWN = 4;

/** The first of a webhook's events, and the number of others. */
export function EventList({ events }: { events: readonly string[] }): JSX.Element {
  const others = events.length - SHOWN;
  return (
    <>
      {events.slice(0, SHOWN).map((kind) => (
        <>
          <code>{kind === "*" ? "everything" : kind}</code>{" "}
        </>
      ))}
      {others > 0 && <span class="soft">and {others} more</span>}
    </>
  );
}

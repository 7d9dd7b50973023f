import type { JSX } from "hono/jsx/jsx-runtime";
import { minuteText } from "#http/pages/minute-text.ts";
import { Minute } from "#http/pages/minute.tsx";
import { browserName } from "./browser-name.ts";
import type { Session } from "./session-store.ts";

/** A session of the account's list. The account's script shows the button and ends the session by it. */
export function SessionItem(shown: { session: Session; isCurrent: boolean }): JSX.Element {
  const { id, userAgent, createdAtMs, lastSeenAtMs } = shown.session;
  const name = browserName(userAgent);
  return (
    <li>
      <span>
        {name} {shown.isCurrent && <span class="tag">this browser</span>}
        <br />
        <span class="soft">
          since <Minute ms={createdAtMs} />, last seen <Minute ms={lastSeenAtMs} />
        </span>
      </span>
      {!shown.isCurrent && (
        <button
          class="button"
          type="button"
          data-session={id}
          aria-label={`End the session of ${name}, since ${minuteText(createdAtMs)}`}
          hidden
        >
          End
        </button>
      )}
    </li>
  );
}

import type { JSX } from "hono/jsx/jsx-runtime";
import type { Session } from "#areas/sign-in/session-store.ts";
import { minuteText } from "#http/pages/minute-text.ts";
import { Minute } from "#http/pages/minute.tsx";
import { ActButton } from "./act-button.tsx";
import { browserName } from "./browser-name.ts";

/** A session of the account's list. */
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
        <ActButton
          method="DELETE"
          path={`/auth/sessions/${id}`}
          label={`End the session of ${name}, since ${minuteText(createdAtMs)}`}
          words="End"
          then="remove"
        />
      )}
    </li>
  );
}

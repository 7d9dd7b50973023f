import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import type { SessionView } from "#areas/sign-in/contract.ts";
import { ActButton, Time } from "#console/parts.tsx";
import { minuteText } from "#http/pages/minute-text.ts";
import { browserName } from "./browser-name.ts";

type Session = z.output<typeof SessionView>;

/** Lists this browser's session first, even if others are newer. */
export function SessionList(shown: {
  current: Session;
  sessions: readonly Session[];
}): JSX.Element {
  const { current, sessions } = shown;
  const others = sessions.filter(({ id }) => id !== current.id);
  return (
    <ul class="list" id="sessions">
      {[current, ...others].map((session) => (
        <SessionItem session={session} isCurrent={session === current} />
      ))}
    </ul>
  );
}

function SessionItem(shown: { session: Session; isCurrent: boolean }): JSX.Element {
  const { id, userAgent, createdAt, lastSeenAt } = shown.session;
  const name = browserName(userAgent);
  return (
    <li>
      <span>
        {name} {shown.isCurrent && <span class="tag">this browser</span>}
        <br />
        <span class="soft">
          since <Time at={createdAt} />, last seen <Time at={lastSeenAt} />
        </span>
      </span>
      {!shown.isCurrent && (
        <ActButton
          method="DELETE"
          path={`/auth/sessions/${id}`}
          words="End"
          label={`End the session of ${name}, since ${minuteText(Date.parse(createdAt))}`}
        />
      )}
    </li>
  );
}

import type { JSX } from "hono/jsx/jsx-runtime";
import { Minute } from "#http/pages/minute.tsx";
import { ActButton } from "./act-button.tsx";
import type { Account } from "./read-account.ts";

/** The keys that the person created, without their secrets. */
export function KeyList({ keys }: Account): JSX.Element | null {
  if (keys.length === 0) return null;
  return (
    <ul class="list" id="keys">
      {keys.map(({ id, name, prefix, tenantName, scopes, lastUsedAtMs, expiresAtMs }) => (
        <li>
          <span>
            {name} <code>{prefix}…</code> <span class="tag">{tenantName ?? "operators"}</span>
            <br />
            <span class="soft">
              may {scopeWords(scopes)};{" "}
              {lastUsedAtMs === null ? (
                "never used"
              ) : (
                <>
                  last used <Minute ms={lastUsedAtMs} />
                </>
              )}
              ;{" "}
              {expiresAtMs === null ? (
                "does not expire"
              ) : (
                <>
                  expires <Minute ms={expiresAtMs} />
                </>
              )}
            </span>
          </span>
          <ActButton
            method="DELETE"
            path={`/api-keys/${id}`}
            label={`Revoke the key ${name}, ${prefix}`}
            words="Revoke"
            then="remove"
            confirm={`Revoke the key ${name}? What uses it stops working at once.`}
          />
        </li>
      ))}
    </ul>
  );
}

function scopeWords(scopes: string): string {
  const list = JSON.parse(scopes) as readonly string[];
  return list.includes("*") ? "everything that you may" : list.join(", ");
}

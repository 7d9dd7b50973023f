import { tenantRoles } from "#schema/lists/roles.ts";
import type { Shown } from "./console-page.ts";
import { roleWord } from "./role-word.ts";

/** The page for a failed answer of the API. `detail`: its message. */
export function problemPage(status: number, detail: string): Shown {
  const title = status === 404 ? "Not found" : "This page cannot be shown";
  return {
    title,
    body: (
      <>
        <h1>{title}</h1>
        <p class="note bad" role="alert">
          {status === 404
            ? "There is nothing at this address, or it belongs to a tenant that you are no member of."
            : inWords(detail)}
        </p>
        <p>
          <a href="/">To the overview</a>
        </p>
      </>
    ),
  };
}

/** The API names roles as programs read them. */
function inWords(detail: string): string {
  return tenantRoles.reduce(
    (text, role) => text.replaceAll(`the role ${role}`, `the role of ${aWord(roleWord(role))}`),
    detail,
  );
}

function aWord(word: string): string {
  return `${/^[aeiou]/.test(word) ? "an" : "a"} ${word} of the tenant`;
}

import type { FailureMeaning } from "#providers/provider.ts";
import type { Answered } from "#providers/rest/definition.ts";

/** The code of an answer that says of an id alone that it is wrong: the object may be gone. */
export const WRONG_ID = "wrong_id";

/** The patterns take time that grows with the square of a text's length. */
const MAX_READ = 2_000;

/** Vultr's errors are a sentence and a status. */
const says = {
  exists:
    /already (exists|in use|taken|been taken|defined|attached)|duplicate|(must be|not) unique/i,
  quota:
    /\blimit\b.*\b(reached|exceeded)|\b(reached|exceeds?|exceeded)\b.*\blimit\b|maximum (number|monthly)|insufficient (funds|credit|balance)/i,
  busy: /is (currently )?locked|in progress|is currently (being|in)|not (yet )?(active|ready|online|running)\b|still (attached|in use|has|being)/i,
  /** Something that uses the object still has to go. */
  used: /\bin use\b|\bused by\b|\battached\b|\blinked\b/i,
  wrongId: /^(invalid|not a valid) .*\b(id|uuid|subscription)\b|\bnot found\b/i,
};

interface Said {
  means?: FailureMeaning;
  code?: string;
}

/** What an answer means where its status does not say it. `isVultrs`: it is Vultr's own, not of what is before it. */
export function meaningOf(
  status: number,
  text: string,
  { verb, type }: Answered,
  isVultrs: boolean,
): Said {
  const changes = verb === "create" || verb === "update";
  const words = text.slice(0, MAX_READ);
  if (status === 404 && !isVultrs) return { means: "denied" };
  // A create names what may be wrong, and makes nothing where it is.
  if (status === 404 && verb === "create") return { means: "invalid" };
  if (![400, 403, 409, 412, 422].includes(status)) return {};
  if (says.quota.test(words)) return { means: "quota" };
  if (changes && says.exists.test(words)) return { means: "exists" };
  if (status === 403) return {};
  if (says.busy.test(words)) return { means: "busy" };
  // A replica is made of a backup. A new database gets its first one by itself.
  if (type === "vultr:DatabaseReplica" && verb === "create" && /\bbackup/i.test(words))
    return { means: "busy" };
  if (verb === "delete" && says.used.test(words)) return { means: "busy" };
  if (status === 400 && !changes && says.wrongId.test(words))
    return { means: "denied", code: WRONG_ID };
  // Nothing here is sent with a condition on what is stored.
  return status === 409 || status === 412 ? { means: "invalid" } : {};
}

import type { FailureMeaning } from "#providers/provider.ts";
import type { Answered } from "#providers/rest/definition.ts";

/** What DigitalOcean says in the text alone: its codes are the status in words. */
const says = {
  exists:
    /already (exists|in use|taken|been taken)|not unique|must be unique|name is not available/i,
  quota:
    /\blimit (was |has been )?(reached|exceeded)|exceeds? your .*limit|\b(droplet|volume|registry|cluster|database|app) limit\b|OverRegistryLimit/i,
  busy: /pending event|is locked|in progress|still (attached|in use|has)|has members|with (members|resources)|not (yet )?(online|ready)|not in a running state|currently (being|in)|processes previous actions/i,
  /** Something that uses the object still has to go. */
  used: /\bin use\b|\bused by\b|\battached to\b/i,
};

const inDatabases = /^digitalocean:Database./;

/** Answers that no waiting mends, although they are like those that wait. */
const never = /default vpc/i;

/**
 * What an answer means where its status does not say it; `undefined`: what the status says. A conflict that is with no
 * name is with a change under way.
 */
export function meaningOf(
  status: number,
  message: string,
  { verb, type }: Answered,
): FailureMeaning | undefined {
  if (status === 423) return "busy";
  const changes = verb === "create" || verb === "update";
  if (status === 409 && changes && says.exists.test(message) && !says.busy.test(message))
    return "exists";
  if (status === 409) return verb === "create" && !says.busy.test(message) ? "exists" : "busy";
  if (![400, 403, 412, 422].includes(status)) return undefined;
  if (never.test(message)) return "invalid";
  if (says.quota.test(message)) return "quota";
  if (changes && says.exists.test(message)) return "exists";
  if (says.busy.test(message)) return "busy";
  if (verb === "delete" && says.used.test(message)) return "busy";
  // A new database takes a while to take what is made in it. The answer has no words of its own.
  if (status === 412 && verb === "create" && inDatabases.test(type ?? "")) return "busy";
  // Nothing here is sent with a condition on what is stored.
  return status === 412 ? "invalid" : undefined;
}

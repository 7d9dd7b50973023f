/** Every event must match the document's schema of its kind, because receivers are written against it. */
import { env } from "cloudflare:workers";
import { eventPayloads } from "#areas/docs/event-payloads.ts";
import { answerProblems } from "#http/answer-check.ts";

/** The schema errors of events stored since then (epoch milliseconds), once per kind. */
export async function undeclaredEvents(sinceMs: number): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "SELECT type, payload FROM events WHERE created_at_ms >= ?",
  )
    .bind(sinceMs)
    .all<{ type: string; payload: string }>();
  const wrong = new Map<string, string>();
  for (const { type, payload } of results) {
    const schema = Object.hasOwn(eventPayloads, type) ? eventPayloads[type] : undefined;
    const problem = schema === undefined ? "no such kind" : answerProblems(schema, payload);
    if (problem !== undefined) wrong.set(type, `${type}: ${problem}`);
  }
  return [...wrong.values()];
}

/** What triggers started, and that nothing they should have started is missing. */
import type { DeploymentRow, Facts } from "./facts.ts";
import { parsed } from "./stored.ts";

const MINUTE_MS = 60_000;
/** The schedules of ground.ts. */
const SCHEDULE_MS = 20 * MINUTE_MS;
const DRIFT_MS = 30 * MINUTE_MS;
/** Reasons that leave a trigger unfired although an output has another value. */
const reasons = new Set([
  "instance_busy",
  "approval",
  "instance_destroyed",
  "destroy_failed",
  "not_deployed_yet",
  "output_missing",
  "upstream_failed",
  "upstream_destroyed",
  "invalid_state",
]);

interface Reads {
  reads?: { upstream?: { hash: string | null } };
}

export function checkTriggers(facts: Facts): void {
  const started = facts.rows.filter(({ trigger }) => trigger !== "manual");
  facts.problem(started.length > 0 && !facts.model.world.bound, "A deployment that nobody started");
  const count = (kind: string, operation: string) =>
    started.filter((row) => row.trigger === kind && row.operation === operation).length;
  const { time, startMs } = facts.real;
  const times = (everyMs: number) => Math.ceil((time.nowMs - startMs) / everyMs) + 1;
  const { hookCalls } = facts.model;
  for (const [what, found, most] of [
    ["the hook", count("inbound_webhook", "deploy"), hookCalls],
    ["the schedule", count("schedule", "deploy"), times(SCHEDULE_MS)],
    ["drift checks", count("drift", "drift_check"), times(DRIFT_MS)],
  ] as const)
    facts.problem(found > most, `${found} deployments by ${what}, at most ${most} were due`);
  if (facts.model.world.bound) readsAreFollowed(facts);
}

function hashOf({ inputs }: DeploymentRow): string | null | undefined {
  return (inputs as Reads).reads?.upstream?.hash;
}

/** A changed output deploys its reader, once. */
function readsAreFollowed(facts: Facts): void {
  const reading = facts.rows.filter(
    ({ id, operation, timestamps }) =>
      facts.asked(id)?.instance === 1 &&
      (operation === "deploy" || operation === "rollback") &&
      "PLANNING" in timestamps,
  );
  for (const [at, row] of reading.entries()) {
    const before = reading[at - 1];
    if (row.trigger !== "upstream_output" || before === undefined) continue;
    facts.problem(
      before.state === "SUCCEEDED" && hashOf(before) === hashOf(row) && !facts.isRestored(before),
      `${row.id} was started for an output that ${before.id} had read`,
    );
  }
  const [upstream] = facts.real.d1.rows(
    "SELECT state, output_hashes AS hashes FROM instances WHERE id = ?",
    [facts.real.instanceIds[0]],
  );
  const [trigger] = facts.real.d1.rows(
    "SELECT next_fire_at_ms AS dueMs, suppressed_reason AS reason, updated_at_ms AS updatedAtMs FROM triggers WHERE instance_id = ? AND kind = 'upstream_output'",
    [facts.real.instanceIds[1]],
  );
  const last = reading.at(-1);
  if (
    last === undefined ||
    hashOf(last) === undefined ||
    trigger?.["dueMs"] !== null ||
    upstream?.["hashes"] === null
  )
    return;
  const current = parsed(upstream?.["hashes"])["mark"];
  const isBehind = upstream?.["state"] === "ACTIVE" && current !== hashOf(last);
  if (!isBehind || facts.isRestored(last)) return;
  // The output has changed since the reader was queued, which must have woken the trigger since.
  const isWoken =
    facts.model.world.clocks || Number(trigger["updatedAtMs"]) > (last.timestamps["QUEUED"] ?? 0);
  facts.problem(
    !isWoken || !reasons.has(String(trigger["reason"])),
    `${last.id} reads ${hashOf(last)}, the output is ${String(current)}, and the trigger rests (${String(trigger["reason"])})`,
  );
}

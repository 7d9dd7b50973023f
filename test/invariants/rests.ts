/** States in which a deployment may stay: it has ended, or it waits for a person. */
const restingStates: ReadonlySet<string> = new Set([
  "AWAITING_APPROVAL",
  "SUCCEEDED",
  "NO_CHANGES",
  "FAILED",
  "CANCELED",
  "DISCARDED",
  "EXPIRED",
  "SUPERSEDED",
]);

/**
 * Problems of a deployment at rest: it is still open, or its runner has it in another phase. `phase`: undefined if the
 * runner does not know it. `states`: the states with a time.
 */
export function restProblems(
  { id, state, states }: { id: string; state: string; states: readonly string[] },
  phase: string | undefined,
): string[] {
  const problems = restingStates.has(state) ? [] : [`the deployment ${id} rests in ${state}`];
  // If a request ended the deployment before its run began, the runner need not know of the end.
  const isUnknown = phase === undefined || (phase === "waiting" && !states.includes("PLANNING"));
  if (!isUnknown && phase !== (state === "AWAITING_APPROVAL" ? "parked" : "closed"))
    problems.push(`the deployment ${id} is ${state}, and its runner has it as ${phase}`);
  return problems;
}

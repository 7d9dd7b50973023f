/**
 * Problems of an instance's claims at the gate: it must have one for each of its objects, and no other. `unclear`:
 * objects that may be claimed or not, because a run died between its claim and its commit.
 */
export function claimProblems(
  instance: string,
  claimed: readonly string[],
  objects: readonly string[],
  unclear: ReadonlySet<string> = new Set(),
): string[] {
  const lacking = objects.filter((id) => !claimed.includes(id));
  const surplus = claimed.filter((id) => !objects.includes(id) && !unclear.has(id));
  return [
    ...lacking.map((id) => `the instance ${instance} has no claim of ${id}`),
    ...surplus.map((id) => `the instance ${instance} claims ${id}, which it does not have`),
  ];
}

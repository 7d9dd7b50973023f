/** What is at the clouds, and what the instances know of it, at one moment of rest. */
export interface Holdings {
  objects: readonly CloudObject[];
  known: readonly KnownObject[];
}

export interface CloudObject {
  id: string;
  /** By which an instance may know it without its id. */
  marks: readonly string[];
  /** For a sentence. */
  called: string;
}

export interface KnownObject {
  /** Undefined: a create was not answered, or an object was let go. One object with the mark may exist. */
  id: string | undefined;
  mark?: string;
  /** A delete of it may have taken effect. */
  mayBeGone?: boolean;
  /** The instance that has it. */
  holder: string;
  called: string;
}

/** What is at a cloud and in no state, in two, or in a state and not at the cloud. */
export function holdingProblems({ objects, known }: Holdings): string[] {
  const holders = Map.groupBy(
    known.filter(({ id }) => id !== undefined),
    ({ id }) => id,
  );
  const excuses = known.flatMap(({ id, mark }) => (id === undefined ? (mark ?? []) : []));
  const problems: string[] = [];
  for (const { id, marks, called } of objects) {
    const found = holders.get(id) ?? [];
    if (found.length > 1)
      problems.push(
        `${called} is in the states of ${found.map(({ holder }) => holder).join(" and ")}`,
      );
    if (found.length > 0) continue;
    const excuse = excuses.findIndex((mark) => marks.includes(mark));
    if (excuse >= 0) excuses.splice(excuse, 1);
    else problems.push(`${called} is in no state`);
  }
  const there = new Set(objects.map(({ id }) => id));
  for (const { id, mayBeGone, holder, called } of known)
    if (id !== undefined && !there.has(id) && mayBeGone !== true)
      problems.push(`${called} of the instance ${holder} is not at the cloud`);
  return problems;
}

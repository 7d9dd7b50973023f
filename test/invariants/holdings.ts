/** The objects at the clouds and in the states of the instances, at one moment of rest. */
export interface Holdings {
  objects: readonly CloudObject[];
  known: readonly KnownObject[];
}

export interface CloudObject {
  id: string;
  /** The marks by which an instance may know it without its id. */
  marks: readonly string[];
  /** The object's name in a sentence. */
  called: string;
}

export interface KnownObject {
  /** Undefined: a create was not answered, or the object was given up. One object with the mark may exist. */
  id: string | undefined;
  mark?: string;
  /** A delete of it may have taken effect. */
  mayBeGone?: boolean;
  /** The instance with this object. */
  holder: string;
  called: string;
}

/** Objects at a cloud and in no state or in two, and objects in a state and not at the cloud. */
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

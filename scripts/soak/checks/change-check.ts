import type { Check } from "../evidence.ts";

/** Every answered change has exactly one event. `changes`: by instance. */
export function changesHaveEvents(changes: ReadonlyMap<string, number>): Check {
  return {
    name: "an event for each change",
    count: () => [...changes.values()].reduce((sum, one) => sum + one, 0),
    problems: ({ events }) => {
      const told = new Map<string, number>();
      for (const { type, resourceId } of events)
        if (type === "instance.updated") told.set(resourceId, (told.get(resourceId) ?? 0) + 1);
      return [...changes]
        .filter(([id, times]) => told.get(id) !== times)
        .map(
          ([id, times]) =>
            `the instance ${id} was changed ${times} times and has ${told.get(id) ?? 0} events`,
        );
    },
  };
}

/** The runs that have or wait for a slot of a target, as its gate has stored them. */

export interface StoredPlace {
  id: string;
  /** 1: a slot; 0: a place in the queue. */
  holds: 0 | 1;
  untilMs: number;
}

/** The runs with a slot, then the waiting runs in their order. `rows`: a query on the gate's storage. */
export function storedPlaces(rows: (query: string) => readonly unknown[]): StoredPlace[] {
  const placesIn = (table: string, holds: 0 | 1, order: string): StoredPlace[] => {
    const exists = `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '${table}'`;
    if (rows(exists).length === 0) return [];
    return rows(
      `SELECT deployment_id AS id, ${holds} AS holds, lease_until_ms AS untilMs FROM ${table} ORDER BY ${order}`,
    ) as StoredPlace[];
  };
  return [...placesIn("slots", 1, "lease_until_ms"), ...placesIn("queue", 0, "ticket")];
}

/** As `storedPlaces`, of a Durable Object's storage. */
export function placesAt({ sql }: DurableObjectStorage): StoredPlace[] {
  return storedPlaces((query) => sql.exec(query).toArray());
}

/** Only their deployments. */
export function placedAt(storage: DurableObjectStorage): { id: string }[] {
  return placesAt(storage).map(({ id }) => ({ id }));
}

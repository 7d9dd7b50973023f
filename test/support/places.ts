/** Who has a slot of a target and who waits for one, as its gate has stored it. */

export interface StoredPlace {
  id: string;
  /** 1: a slot; 0: a place in the queue. */
  holds: 0 | 1;
  untilMs: number;
}

/** Those with a slot first, then those that wait, in their order. `rows`: a query on the gate's storage. */
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

/** Their deployments alone. */
export function placedAt(storage: DurableObjectStorage): { id: string }[] {
  return placesAt(storage).map(({ id }) => ({ id }));
}

/** A resource's labels: the tenant's own keys with short values, for filtering lists. */
export type Labels = { [key: string]: string };

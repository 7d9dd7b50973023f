/** A resource's labels: own keys with short values, by which lists are filtered. */
export type Labels = { [key: string]: string };

/** Labels that add nothing to the type. */
const plainLabels: ReadonlySet<string> = new Set(["this", "main", "default"]);

/** `module.database.digitalocean_database_cluster.this` becomes `database cluster`. `around`: the modules' labels. */
export function nameInDraft(
  { type, name }: { type: string; name: string },
  around: string,
): string {
  const label = plainLabels.has(name) ? "" : name;
  return wordsOf(`${around}_${type.replace(/^[a-z0-9]+_/, "")}_${label}`);
}

/** The words of a name, without repeated neighbours. */
export function wordsOf(name: string): string {
  const words = name.split(/[ ._]+/);
  return words.filter((word, at) => word !== words[at - 1]).join(" ");
}

const MAX_LENGTH = 60;

/** The names of an import's drafts: two modules must not become templates of one name. */
export class DocumentNames {
  readonly #taken = new Set<string>();

  /** A free name like the module's path: `modules/net` becomes `modules-net`, a second one `modules-net-2`. */
  take(path: string): string {
    const words = path
      .replace(/\.[A-Za-z.]{1,10}$/, "")
      .replace(/[^A-Za-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(-MAX_LENGTH);
    const base = words === "" ? "imported" : words;
    let name = base;
    for (let count = 2; this.#taken.has(name); count += 1) name = `${base}-${count}`;
    this.#taken.add(name);
    return name;
  }
}

/** Who acted, of the audit log's actor: `member:<id>`, `key:<id>`, `operator:<id>`, `system:<part>`. */
export function actorWords(actor: string, names: ReadonlyMap<string, string>): string {
  const [kind = "", id = ""] = actor.split(":");
  const name = names.get(id);
  if (name !== undefined) return name;
  switch (kind) {
    case "member":
      return "a person who left";
    case "key":
      return "an API key";
    case "operator":
      return "an operator";
    default:
      return `the service (${id.replaceAll("_", " ")})`;
  }
}

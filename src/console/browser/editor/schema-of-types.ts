/** The schema of templates with the properties of the types that a template names. */
import { answerOf, readJson } from "#console/browser/page/request.ts";
import { describedTypes, typesToAsk } from "./completions.ts";
import type { RootSchema } from "./schema.ts";

const SCHEMA = "/api/v1/templates/schema";
/** The most types that the API adds to a schema at once. */
const MAX_TYPES = 50;

export class SchemaOfTypes {
  #schema: RootSchema | undefined;
  /** The types that were asked for: known ones once, unknown ones never again. */
  readonly #asked = new Set<string>();

  /** Undefined: it cannot be read now. `before`: the line up to the cursor. */
  async for(lines: readonly string[], before: string): Promise<RootSchema | undefined> {
    this.#schema ??= await readJson<RootSchema>(SCHEMA);
    // A type that is being typed is not complete.
    if (/\btype\s*:\s*\S*$/.test(before)) return this.#schema;
    while (this.#schema !== undefined && (await this.#add(this.#schema, lines)));
    return this.#schema;
  }

  /** Asks for the new types of the template. The API refuses all because of a single unknown one. True: ask again. */
  async #add(schema: RootSchema, lines: readonly string[]): Promise<boolean> {
    const fresh = typesToAsk(schema, lines).filter((type) => !this.#asked.has(type));
    if (fresh.length === 0) return false;
    const types = [...fresh, ...describedTypes(schema, lines)].slice(0, MAX_TYPES);
    const path = `${SCHEMA}?types=${types.map(encodeURIComponent).join(",")}`;
    const response = await fetch(path).catch(() => undefined);
    if (response?.ok === true) {
      const answer = await answerOf<RootSchema>(response).catch(() => undefined);
      if (answer === undefined) return false;
      this.#schema = answer;
      for (const type of types) this.#asked.add(type);
      return true;
    }
    const problem = response && (await answerOf<SchemaProblem>(response).catch(() => undefined));
    const refused = types.filter((type) => isNamedIn(problem, type));
    for (const type of refused) this.#asked.add(type);
    return refused.length > 0;
  }
}

interface SchemaProblem {
  errors?: readonly { detail: string }[];
}

function isNamedIn(problem: SchemaProblem | undefined, type: string): boolean {
  return problem?.errors?.some(({ detail }) => detail.includes(JSON.stringify(type))) === true;
}

/** Puts the declarations that a service extends before its own. A base may extend another one. */
import type { ImportLog } from "#importers/import-log.ts";
import { lineOf, type DataNode } from "#importers/text/data-node.ts";
import { spendRepeated } from "#importers/text/value-budget.ts";
import { valuesIn } from "#importers/text/values-in.ts";
import type { ComposeProjects, ServiceDeclaration } from "./compose-project.ts";

/** The maximum length of a chain, and of the declarations that one service takes. Real services have a few. */
const MAX_DEPTH = 50;
const MAX_BASES = 100;

export class ExtendedServices {
  readonly #projects: ComposeProjects;
  readonly #services: ReadonlyMap<string, readonly ServiceDeclaration[]>;
  readonly #log: ImportLog;
  /** Each declaration with its bases before it. */
  readonly #known = new Map<DataNode, readonly ServiceDeclaration[]>();
  readonly #onTheWay = new Set<DataNode>();

  /** `services`: the declarations of the project by name. */
  constructor(
    projects: ComposeProjects,
    services: ReadonlyMap<string, readonly ServiceDeclaration[]>,
    log: ImportLog,
  ) {
    this.#projects = projects;
    this.#services = services;
    this.#log = log;
  }

  /** The declarations of a service, each with its bases. A base is read again for each service, so the import pays. */
  withBases(said: readonly ServiceDeclaration[]): ServiceDeclaration[] {
    const own = new Set(said.map(({ node }) => node));
    return said.flatMap((one) => {
      const chain = this.#chainOf(one, 0);
      let values = 0;
      for (const { node } of chain) if (!own.has(node)) values += valuesIn(node);
      if (values === 0 || spendRepeated(values, this.#log)) return chain;
      this.#warn("too_many_values", tooMany, one);
      return [one];
    });
  }

  #chainOf(one: ServiceDeclaration, depth: number): readonly ServiceDeclaration[] {
    const { node, file } = one;
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    if (this.#onTheWay.has(node)) {
      this.#warn("extends_in_circle", inCircle, one);
      return [];
    }
    if (depth > MAX_DEPTH) {
      this.#warn("too_many_values", tooMany, one);
      return [];
    }
    this.#onTheWay.add(node);
    const chain: ServiceDeclaration[] = [];
    for (const base of this.#projects.extended(node, file, this.#services)) {
      if (chain.length >= MAX_BASES) {
        this.#warn("too_many_values", tooMany, one);
        break;
      }
      for (const other of this.#chainOf(base, depth + 1)) chain.push(other);
    }
    this.#onTheWay.delete(node);
    chain.push(one);
    // Also a part of a circle, or else many services would follow it again.
    this.#known.set(node, chain);
    return chain;
  }

  #warn(code: string, message: string, { node, file }: ServiceDeclaration): void {
    this.#log.add("warning", code, message, { file, line: lineOf(node) });
  }
}

const inCircle =
  "The service extends itself, directly or through others, which Compose refuses: the circle was left out.";
const tooMany =
  "The service extends more declarations than an import reads again: some were left out.";

import { withoutSecretTexts, type DataLanguage } from "#importers/data-expression.ts";
import { literal, textOf, type Expression } from "#importers/expression.ts";
import { hidden, isSecretSetting, withoutLiterals } from "#importers/hidden-values.ts";
import { isSecretName } from "#importers/secrets/secret-name.ts";
import type { SourceVariable } from "#importers/source-module.ts";
import { interpolated, type UsedVariable } from "./compose-interpolation.ts";

/** The variables that a Compose file takes from its environment, collected from its texts. */
export class ComposeVariables {
  readonly #file: string;
  readonly #found = new Map<string, SourceVariable>();

  constructor(file: string) {
    this.#file = file;
  }

  /** The expressions of a Compose file: variables in texts, and settings as `NAME=value` in lists. */
  readonly language: DataLanguage = {
    text: (text, line) => {
      const assigned = /^-{0,2}([A-Za-z_][\w.-]{0,255})=/.exec(text);
      if (assigned === null || !isSecretSetting(assigned[1] ?? ""))
        return this.#interpolated(text, line);
      const [start] = assigned;
      const value = this.#interpolated(text.slice(start.length), line);
      return textOf([literal(start), withoutLiterals(value, line)]);
    },
  };

  all(): readonly SourceVariable[] {
    return [...this.#found.values()];
  }

  /** Records a variable. The first default counts. */
  use({ name, line, default: given, isSecret = false }: UsedVariable): void {
    const before = this.#found.get(name);
    const sensitive = isSecret || before?.sensitive === true || isSecretName(name);
    if (before !== undefined && sensitive !== before.sensitive)
      this.#found.set(name, { ...before, sensitive, default: before.default && hidden(line) });
    if (before?.default !== undefined || (before !== undefined && given === undefined)) return;
    this.#found.set(name, {
      name,
      type: null,
      description: null,
      default:
        given === undefined
          ? undefined
          : sensitive
            ? hidden(line)
            : withoutSecretTexts(given, line),
      sensitive,
      file: this.#file,
      line: before?.line ?? line,
    });
  }

  #interpolated(text: string, line: number): Expression {
    return interpolated(text, line, (variable) => this.use(variable));
  }
}

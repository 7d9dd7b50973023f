/** How much of YAML one import may still parse. */
export interface YamlBudget {
  steps: number;
}

/** Lexemes in one file. */
export const MAX_YAML_STEPS = 600_000;
/** Lexemes in all files of an import. */
const MAX_STEPS_OF_AN_IMPORT = 2_000_000;

/** The budget that all YAML files of one import share. */
export function yamlBudget(): YamlBudget {
  return { steps: MAX_STEPS_OF_AN_IMPORT };
}

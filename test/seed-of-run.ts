/**
 * The number by which a run of the tests chooses its cases: `TEST_SEED`, else one that is drawn. Vitest evaluates the
 * configuration once for itself and once for each project, so the first draw is kept in the environment.
 */
export function seedOfRun(env: NodeJS.ProcessEnv): number {
  const given = (env["TEST_SEED"] ??= String(Math.floor(Math.random() * 2 ** 31)));
  if (!/^\d{1,10}$/.test(given)) throw new Error(`TEST_SEED=${given} is not a number of digits`);
  return Number(given);
}

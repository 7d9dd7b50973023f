/** The settings without which nothing works. */
import { SealingKeysError, sealerFrom } from "#platform/crypto/seal.ts";
import { readProviderEndpoints } from "./provider-endpoints.ts";

type Setting = "SEALING_KEYS" | "STALL_SECONDS" | "PROVIDER_ENDPOINTS";
type Settings = Readonly<Partial<Record<Setting, string | undefined>>>;

const problems: Readonly<Record<Setting, (value: string | undefined) => string | undefined>> = {
  SEALING_KEYS: sealingProblem,
  STALL_SECONDS: (value) =>
    Number.isFinite(Number(value)) && Number(value) > 0
      ? undefined
      : "STALL_SECONDS must be a number of seconds above 0: no interrupted deployment continues.",
  PROVIDER_ENDPOINTS: (value) => {
    const read = readProviderEndpoints(value);
    return read.ok ? undefined : read.problem;
  },
};

function sealingProblem(ring: string | undefined): string | undefined {
  try {
    sealerFrom(ring);
    return undefined;
  } catch (error) {
    if (!(error instanceof SealingKeysError)) throw error;
    return sealingKeysAdvice(error);
  }
}

export function sealingKeysAdvice(error: SealingKeysError): string {
  return `${error.message}. Set it with \`npx wrangler secret put SEALING_KEYS --config wrangler.installation.json\`, or in \`.dev.vars\` for a service on this machine; docs/settings.md has the format.`;
}

/** What is wrong with the settings, by name: what they must be, never their values. */
export function settingProblems(settings: Settings): Partial<Record<Setting, string>> {
  return problemsOf(Object.keys(problems) as Setting[], settings);
}

/** The same of those alone that are there: the others have defaults. */
export function givenSettingProblems(settings: Settings): Partial<Record<Setting, string>> {
  const given = (Object.keys(problems) as Setting[]).filter((name) => settings[name] !== undefined);
  return problemsOf(given, settings);
}

function problemsOf(
  names: readonly Setting[],
  settings: Settings,
): Partial<Record<Setting, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const problem = problems[name](settings[name]);
      return problem === undefined ? [] : [[name, problem]];
    }),
  );
}

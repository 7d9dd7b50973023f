/**
 * Hides what the environments of all modules write out, and what they read by names: an environment is where programs get
 * their secrets, under any name.
 */
import {
  asEnvironment,
  environmentsIn,
  isEnvironment,
  withoutEnvironmentAt,
  withoutEnvironments,
} from "./environment-values.ts";
import type { Expression, Member, ObjectExpression } from "./expression.ts";
import { type Reading, withoutNamedSecrets } from "./named-secrets.ts";
import type { SourceModule, SourceResource } from "./source-module.ts";

/** The same modules without the values of environments, but for those that say nothing. */
export function withoutEnvironmentSecrets(
  modules: readonly SourceModule[],
): readonly SourceModule[] {
  const written = modules.map(withoutWritten);
  return withoutNamedSecrets(written, reading);
}

const reading: Reading = {
  readIn: ({ resources, moduleCalls }) => [
    ...resources.flatMap(({ type, name, settings, address }) => [
      ...environmentsIn(settings).map((value) => ({ value, address })),
      ...settings.members
        .filter((one) => isEnvironmentOf(one.name, type, name))
        .map(({ value }) => ({ value, address })),
    ]),
    ...moduleCalls.flatMap(({ name, settings }) =>
      environmentsIn(settings).map((value) => ({ value, address: `module.${name}` })),
    ),
  ],
  without: withoutEnvironmentAt,
};

function withoutWritten(module: SourceModule): SourceModule {
  return {
    ...module,
    resources: module.resources.map((one) => ({ ...one, settings: settingsOf(one) })),
    variables: module.variables.map((one) => {
      // Compose has defaults in the environment itself: `${NAME:-…}`.
      const left =
        one.default &&
        (module.format === "compose"
          ? asEnvironment(one.default, one.name, one.line)
          : ofNamed(one.name, one.default, one.line));
      return left === one.default
        ? one
        : { ...one, default: left, sensitive: true, allowed: undefined };
    }),
    locals: module.locals.map((one) => ({ ...one, value: ofNamed(one.name, one.value, one.line) })),
    outputs: module.outputs.map((one) => ({
      ...one,
      value: ofNamed(one.name, one.value, one.line),
    })),
    moduleCalls: module.moduleCalls.map((one) => ({
      ...one,
      settings: {
        kind: "object",
        members: one.settings.members.map((member) => ({
          ...member,
          value: ofNamed(member.name, member.value, member.line),
        })),
      },
    })),
  };
}

function settingsOf({ settings, type, name }: SourceResource): ObjectExpression {
  return {
    kind: "object",
    members: settings.members.map((member): Member => {
      const { name: of, value, line } = member;
      const left = isEnvironmentOf(of, type, name)
        ? asEnvironment(value, keyOf(settings), line)
        : withoutEnvironments(value, of, line);
      return left === value ? member : { ...member, value: left };
    }),
  };
}

/** The name that one entry of an environment has as a resource of its own. */
function keyOf({ members }: ObjectExpression): string {
  const named = members.find(({ name }) => name === "key" || name === "name")?.value;
  return named?.kind === "literal" ? String(named.value) : "";
}

/** Whether a setting of a resource is an environment for what the resource is. */
function isEnvironmentOf(setting: string, type: string, name: string): boolean {
  if (/(?:^|\/)ConfigMap$|config_map/i.test(type)) return /^(?:binary_?)?data$/i.test(setting);
  if (/environment_?variables?(?:$|_|@)/i.test(type)) return /^(?:value|variables)$/i.test(setting);
  return (
    /^Microsoft\.Web\/sites\/(?:slots\/)?config@/i.test(type) &&
    /(?:app_?settings|connection_?strings)\W*$/i.test(name) &&
    setting === "properties"
  );
}

/** People keep other things under such names too: sizes by environment, as `environments = { dev = { … } }`. */
function ofNamed(name: string, value: Expression, line: number): Expression {
  const isByEnvironment =
    isEnvironment(name) &&
    value.kind === "object" &&
    value.members.every((one) => one.value.kind === "object");
  return withoutEnvironments(value, isByEnvironment ? "" : name, line);
}

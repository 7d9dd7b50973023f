/**
 * Hides the values in the environments of all modules, and the named values that environments refer to. Programs get
 * their secrets from environments, under any name.
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
import {
  localsOfScripts,
  readByScripts,
  scriptEnvironments,
  withScriptEnvironments,
} from "./secrets/script-loops.ts";
import type { SourceModule, SourceResource } from "./source-module.ts";

/** Returns the modules without the values of environments, except plain ones. */
export function withoutEnvironmentSecrets(
  modules: readonly SourceModule[],
): readonly SourceModule[] {
  const written = modules.map(withoutWritten);
  return withoutNamedSecrets(written, reading);
}

const reading: Reading = {
  readIn: ({ resources, moduleCalls, locals, outputs }) => [
    ...[...scriptsNamed({ resources, moduleCalls, locals }), ...outputs].flatMap(
      ({ name, value }) => readInScripts(value, name).map((read) => ({ value: read })),
    ),
    ...resources.flatMap(({ type, name, settings, address }) => [
      ...[...environmentsIn(settings), ...readInScripts(settings, "")].map((value) => ({
        value,
        address,
      })),
      ...settings.members
        .filter((one) => isEnvironmentOf(one.name, type, name))
        .map(({ value }) => ({ value, address })),
    ]),
    ...moduleCalls.flatMap(({ name, settings }) =>
      [...environmentsIn(settings), ...readInScripts(settings, "")].map((value) => ({
        value,
        address: `module.${name}`,
      })),
    ),
  ],
  without: withoutEnvironmentAt,
};

/** The locals of a module; one that a script reads has the name of a script. */
function scriptsNamed({
  resources,
  moduleCalls,
  locals,
}: Pick<SourceModule, "resources" | "moduleCalls" | "locals">): {
  name: string;
  value: Expression;
}[] {
  const settings = [...resources, ...moduleCalls].map((one) => one.settings);
  const scripts = localsOfScripts(settings, locals);
  return locals.map(({ name, value }) => ({ name: scripts.has(name) ? "script" : name, value }));
}

function readInScripts(from: Expression, name: string): Expression[] {
  return readByScripts(scriptEnvironments(from, name, isEnvironment));
}

/** Hides the environments in a value with this name, and those that scripts in it set from collections. */
function withoutSet(value: Expression, name: string, line: number): Expression {
  return withoutEnvironments(withoutLoops(value, name, line), name, line);
}

function withoutLoops(value: Expression, name: string, line: number): Expression {
  return withScriptEnvironments(
    value,
    scriptEnvironments(value, name, isEnvironment),
    (part, path) => withoutEnvironmentAt(part, path, line, ""),
  );
}

function withoutWritten(module: SourceModule): SourceModule {
  const named = scriptsNamed(module);
  return {
    ...module,
    resources: module.resources.map((one) => ({ ...one, settings: settingsOf(one) })),
    variables: module.variables.map((one) => {
      // Compose writes defaults in the environment itself: `${NAME:-…}`.
      const left =
        one.default &&
        (module.format === "compose"
          ? asEnvironment(one.default, one.name, one.line)
          : ofNamed(one.name, one.default, one.line));
      return left === one.default
        ? one
        : { ...one, default: left, sensitive: true, allowed: undefined };
    }),
    locals: module.locals.map((one, at) => {
      const value = withoutLoops(one.value, named[at]?.name ?? one.name, one.line);
      return { ...one, value: ofNamed(one.name, value, one.line) };
    }),
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
        : withoutSet(value, of, line);
      return left === value ? member : { ...member, value: left };
    }),
  };
}

/** The name in the environment of an entry that is a resource of its own. */
function keyOf({ members }: ObjectExpression): string {
  const named = members.find(({ name }) => name === "key" || name === "name")?.value;
  return named?.kind === "literal" ? String(named.value) : "";
}

/** Whether the type or name of a resource makes this setting an environment. */
function isEnvironmentOf(setting: string, type: string, name: string): boolean {
  if (/(?:^|\/)ConfigMap$|config_map/i.test(type)) return /^(?:binary_?)?data$/i.test(setting);
  if (/environment_?variables?(?:$|_|@)/i.test(type)) return /^(?:value|variables)$/i.test(setting);
  return (
    /^Microsoft\.Web\/sites\/(?:slots\/)?config@/i.test(type) &&
    /(?:app_?settings|connection_?strings)\W*$/i.test(name) &&
    setting === "properties"
  );
}

/**
 * Hides environments in a named value. A map of maps is not an environment: people write sizes per environment as
 * `environments = { dev = { … } }`.
 */
function ofNamed(name: string, value: Expression, line: number): Expression {
  const isByEnvironment =
    isEnvironment(name) &&
    value.kind === "object" &&
    value.members.every((one) => one.value.kind === "object");
  return withoutSet(value, isByEnvironment ? "" : name, line);
}

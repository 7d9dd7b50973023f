/** The options of a drafted resource: the source's own where a draft has them, and gaps for the others. */
import { asText, asTruth } from "#importers/evaluate/decided.ts";
import type { Decided } from "#importers/evaluate/scope.ts";
import type { Expression } from "#importers/expression.ts";
import type { ExistingIds } from "#importers/reports/existing-ids.ts";
import type { SourceOption } from "#importers/source-option.ts";
import type { JsonMap } from "#platform/json.ts";
import { existingOf, importIdOf } from "./existing-objects.ts";
import { formerNames } from "./former-names.ts";
import { type OurPath, ourPathOf } from "./option-paths.ts";
import { referenceTo } from "./values/converted.ts";
import type { DraftGap } from "./values/draft.ts";
import { addressOf, type DraftedResource } from "./values/drafted-resource.ts";

export interface DraftedOptions {
  options: JsonMap;
  gaps: DraftGap[];
}

/** `waitsFor`: names of resources in the draft. `existing`: objects to adopt, by address. */
export function draftedOptions(
  made: DraftedResource,
  waitsFor: readonly string[],
  existing: ExistingIds,
): DraftedOptions {
  const { source, scope, mapped } = made;
  const options: JsonMap = {};
  const gaps: DraftGap[] = [];
  const names = new Set(waitsFor);
  for (const own of [made, ...made.beside]) names.delete(own.name);
  if (names.size > 0) options["dependsOn"] = [...names].map((name) => referenceTo(name, []));
  for (const option of source.options ?? []) {
    const reason = option.kind === "left out" ? option.reason : take(option, made, options);
    // An object beside another one of the same resource would repeat its gaps.
    if (reason !== undefined && made.path === undefined) gaps.push(gapOf(option, made, reason));
  }
  const guard = made.path === undefined ? guardOf(made) : undefined;
  if (guard !== undefined) options["protect"] = true;
  if (guard?.kind === "computed") gaps.push(gapOf(guard, made, computedGuard));
  for (const part of made.parts)
    for (const option of part.source.options ?? [])
      gaps.push(gapOf(option, part, option.kind === "left out" ? option.reason : ofPart));
  const former = made.path === undefined ? formerNames(made) : [];
  if (former.length > 0)
    options["aliases"] = [...((options["aliases"] as string[] | undefined) ?? []), ...former];
  const object = existingOf(made, existing);
  // A Pulumi program states the id that it adopts.
  const own = scope.module.format === "pulumi" && made.path === undefined ? source.id : undefined;
  const id = object === undefined ? own : importIdOf(object, mapped);
  if (id !== undefined) options["import"] = id;
  return { options, gaps };
}

type Guard = { kind: "set" } | ({ kind: "computed" } & Named);

type Named = Pick<SourceOption, "name" | "line">;

/** The protection that the source's own tool gives to the object; undefined: none. */
function guardOf({ source, scope, mapped }: DraftedResource): Guard | undefined {
  const name = mapped.protectedBy;
  if (name === undefined) return undefined;
  const given = source.settings.members.find((member) => member.name === name);
  if (given === undefined) return { kind: "set" };
  const made = scope.decided.decide(scope.decided.bound(given.value, scope));
  if (made?.kind === "literal") return made.value === false ? undefined : { kind: "set" };
  return { kind: "computed", name, line: given.line };
}

const computedGuard = "It is computed, and an option is constant: the draft protects the object.";

const computedFlag = "It is computed, and an option is constant: the draft sets it.";
const computedTime = "The time is computed, and an option is constant.";

function decided(given: Expression, { scope }: DraftedResource): Decided | undefined {
  return scope.decided.decide(scope.decided.bound(given, scope));
}

function isNull(given: Expression | undefined, made: DraftedResource): boolean {
  const value = given && decided(given, made);
  return value?.kind === "literal" && value.value === null;
}

const ofPart = "In the draft, it is a part of another object, and options belong to whole objects.";

function gapOf({ name, line }: Named, made: DraftedResource, reason: string): DraftGap {
  const { file } = made.source;
  return { address: addressOf(made), file, line, path: name, code: "not_expressible", reason };
}

/** Returns the reason why an option, or a part of it, is left out. */
function take(
  option: Exclude<SourceOption, { kind: "left out" }>,
  made: DraftedResource,
  options: JsonMap,
): string | undefined {
  switch (option.kind) {
    case "protect":
    case "retainOnDelete":
    case "deleteBeforeReplace": {
      const holds = option.when === undefined ? true : asTruth(decided(option.when, made));
      if (holds === false || isNull(option.when, made)) return undefined;
      options[option.kind] = true;
      return holds === undefined ? computedFlag : undefined;
    }
    case "customTimeouts": {
      const all = Object.entries(option.timeouts).filter(([, time]) => !isNull(time, made));
      const timeouts = Object.fromEntries(
        all.flatMap(([operation, time]): [string, string][] => {
          const text = asText(decided(time, made));
          return text === undefined ? [] : [[operation, text]];
        }),
      );
      const lost = all.map(([operation]) => operation).filter((one) => timeouts[one] === undefined);
      if (Object.keys(timeouts).length > 0) options[option.kind] = timeouts;
      return lost.length === 0
        ? undefined
        : `${computedTime} It is left out of: ${lost.join(", ")}.`;
    }
    case "aliases":
      options[option.kind] = [...option.names];
      return undefined;
    case "additionalSecretOutputs": {
      const { outputs } = made.mapped;
      const known = option.names.map((name) =>
        outputs.has(name) ? outputs.get(name) : (foundIn(ourPathOf(name, made)) ?? name),
      );
      options[option.kind] = known.filter((name) => typeof name === "string");
      return known.includes(null) ? "Our type has no such output." : undefined;
    }
    case "ignoreChanges":
    case "replaceOnChanges": {
      const paths = option.paths.map((path) => ({ path, ours: ourPathOf(path, made) }));
      const known = paths.flatMap(({ ours }) => foundIn(ours) ?? []);
      if (known.length > 0) options[option.kind] = [...new Set(known)];
      return whyLost(paths);
    }
  }
}

function foundIn(ours: OurPath): string | undefined {
  return ours.kind === "found" ? ours.path : undefined;
}

const lossOf = {
  "no property": (paths: string) => `Our type has no property for ${paths}.`,
  pairs: (paths: string) =>
    `Our type has a list of keys and values in place of the map, and a path cannot name a key in it: ${paths}.`,
  "other form": (paths: string) => `Our type has another form for ${paths}.`,
} as const;

function whyLost(paths: readonly { path: string; ours: OurPath }[]): string | undefined {
  const lost = (["no property", "pairs", "other form"] as const).flatMap((kind) => {
    const of = paths.filter(({ ours }) => ours.kind === kind).map(({ path }) => path);
    return of.length === 0 ? [] : [lossOf[kind](of.join(", "))];
  });
  return lost.length === 0 ? undefined : lost.join(" ");
}

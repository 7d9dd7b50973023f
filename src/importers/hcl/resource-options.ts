import { type Expression, literal, type Member } from "#importers/expression.ts";
import type { SourceOption } from "#importers/source-option.ts";
import { formatPropertyPath } from "#platform/property-path.ts";
import { each, type HclBlock, isFalse, isTrue, memberIn, textValue, valueOf } from "./hcl-block.ts";

const reasons: Readonly<Record<string, string>> = {
  replace_triggered_by:
    "A draft replaces an object for its own properties only, with `replaceOnChanges`.",
  precondition:
    "A draft has no checks of its own: a config value's schema can check what is given.",
  postcondition: "A draft does not check an object after it is made.",
  action_trigger: "A draft runs no actions.",
};

/** The options of a resource. `create_before_destroy` is none: a deployment replaces in this order by default. */
export function optionsOf(block: HclBlock): SourceOption[] {
  return [
    ...lifecycleOf(block.members.get("lifecycle")),
    ...timeoutsOf(block.members.get("timeouts")),
    ...["provisioner", "connection"].flatMap((name) => accessOf(block.members.get(name))),
  ];
}

function lifecycleOf(member: Member | undefined): SourceOption[] {
  const members = each(member?.value).flatMap((one) => (one.kind === "object" ? one.members : []));
  return members.flatMap((one): SourceOption[] => {
    const at = { name: `lifecycle.${one.name}`, line: one.line };
    switch (one.name) {
      case "create_before_destroy":
      // The resource's condition.
      case "enabled":
        return [];
      case "prevent_destroy":
        return flag(one.value, { ...at, kind: "protect" });
      case "destroy":
        return flag(negated(one), { ...at, kind: "retainOnDelete" });
      case "ignore_changes":
        return ignored(one, at);
      default:
        return [{ ...at, kind: "left out", reason: reasons[one.name] ?? unknown }];
    }
  });
}

const unknown = "A draft has nothing for it.";

/** None for a value that is false or not set. */
function flag(
  value: Expression,
  option: Extract<SourceOption, { when?: Expression }>,
): SourceOption[] {
  if (isTrue(value)) return [option];
  return value.kind === "literal" ? [] : [{ ...option, when: value }];
}

function negated({ value, line }: Member): Expression {
  if (value.kind === "literal") return literal(isFalse(value));
  return { kind: "call", name: "!", args: [value], line };
}

/** The condition of the object, which OpenTofu has in its lifecycle. */
export function enabledIn(block: HclBlock): Expression | undefined {
  const found = each(valueOf(block, "lifecycle")).map((one) => memberIn(one, "enabled"));
  const value = found.find((one) => one !== undefined);
  return value?.kind === "literal" && !isFalse(value) ? undefined : value;
}

/** Gaps for the checks of a data source or an output. */
export function checksOf(block: HclBlock): { name: string; line: number; reason: string }[] {
  const inside = each(valueOf(block, "lifecycle")).flatMap((one) =>
    one.kind === "object" ? one.members : [],
  );
  const all = [
    ...inside.map(({ name, line }) => ({ name: `lifecycle.${name}`, line, check: name })),
    ...[...block.members.values()].map(({ name, line }) => ({ name, line, check: name })),
  ];
  return all
    .filter(({ check }) => check === "precondition" || check === "postcondition")
    .map(({ name, line, check }) => ({ name, line, reason: reasons[check] ?? unknown }));
}

function ignored({ value }: Member, at: Pick<SourceOption, "name" | "line">): SourceOption[] {
  const paths = each(value).map(writtenPath);
  if (paths.length === 0) return [];
  return [{ ...at, kind: "ignoreChanges", paths: paths.includes("all") ? ["*"] : paths }];
}

/** A path as the source writes it, without quotes around it. */
function writtenPath(value: Expression): string {
  if (value.kind === "opaque") return value.text;
  if (value.kind !== "reference") return textValue(value) ?? "";
  const { target, path } = value;
  const root = target.kind === "resource" ? target.address : "name" in target ? target.name : "";
  // `labels["a.b"]` looks as the resource `b` of a type would: the first dot divides them.
  return formatPropertyPath([...(/^([^.]*)\.(.*)$/s.exec(root)?.slice(1) ?? [root]), ...path]);
}

const operations: ReadonlySet<string> = new Set(["create", "update", "delete"]);
const untimed = "A draft limits the time for creating, updating and deleting.";
const computedTimes = "Its blocks are computed, and an option is constant.";

function timeoutsOf(member: Member | undefined): SourceOption[] {
  const found: SourceOption[] = [];
  for (const one of each(member?.value)) {
    const at = { name: "timeouts", line: member?.line ?? 1 };
    if (one.kind !== "object") {
      found.push({ ...at, kind: "left out", reason: computedTimes });
      continue;
    }
    const timed = one.members.filter(({ name }) => operations.has(name));
    const timeouts = Object.fromEntries(timed.map(({ name, value }) => [name, value]));
    if (timed.length > 0) found.push({ ...at, kind: "customTimeouts", timeouts });
    for (const { name, line, value } of one.members)
      if (!operations.has(name) && textValue(value) !== null)
        found.push({ name: `timeouts.${name}`, line, kind: "left out", reason: untimed });
  }
  return found;
}

function accessOf(member: Member | undefined): SourceOption[] {
  if (member === undefined) return [];
  const { name, line } = member;
  const reason =
    name === "connection"
      ? "A draft does not log in to what it makes."
      : "A draft runs no commands: use the image or the user data of the machine.";
  return [{ name, line, kind: "left out", reason }];
}

import type { Expression, Member } from "#importers/expression.ts";
import type { SourceOption } from "#importers/source-option.ts";
import { each, type HclBlock, isTrue, memberIn, textValue } from "./hcl-block.ts";

const reasons: Readonly<Record<string, string>> = {
  replace_triggered_by:
    "A draft replaces an object for its own properties only, with `replaceOnChanges`.",
  precondition:
    "A draft has no checks of its own: a config value's schema can check what is given.",
  postcondition: "A draft does not check an object after it is made.",
  action_trigger: "A draft runs no actions.",
  destroy:
    "A draft leaves an object behind with `retainOnDelete`, which the source decides elsewhere.",
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
        return [];
      case "prevent_destroy":
        return isTrue(one.value) ? [{ ...at, kind: "protect" }] : [];
      case "ignore_changes":
        return ignored(one, at);
      default:
        return [{ ...at, kind: "left out", reason: reasons[one.name] ?? unknown }];
    }
  });
}

const unknown = "A draft has nothing for it.";

function ignored({ value }: Member, at: Pick<SourceOption, "name" | "line">): SourceOption[] {
  const paths = each(value).map(writtenPath);
  if (paths.length === 0) return [];
  if (!paths.includes("all")) return [{ ...at, kind: "ignoreChanges", paths }];
  const reason = "A draft ignores the changes of properties that it names, not of all.";
  return [{ ...at, kind: "left out", reason }];
}

/** A path as the source writes it, without quotes around it. */
function writtenPath(value: Expression): string {
  if (value.kind === "opaque") return value.text;
  if (value.kind !== "reference") return textValue(value) ?? "";
  const { target, path } = value;
  const root = target.kind === "resource" ? target.address : "name" in target ? target.name : "";
  return [root, ...path].join(".");
}

/** Only texts: a computed time is left out with the reason. */
function timeoutsOf(member: Member | undefined): SourceOption[] {
  if (member === undefined) return [];
  const at = { name: "timeouts", line: member.line };
  const timeouts: { [operation: string]: string } = {};
  for (const operation of ["create", "update", "delete"]) {
    const given = memberIn(member.value, operation);
    const text = textValue(given);
    if (text !== null) timeouts[operation] = text;
    else if (given !== undefined)
      return [
        { ...at, kind: "left out", reason: "The time is computed, and an option is constant." },
      ];
  }
  return Object.keys(timeouts).length === 0 ? [] : [{ ...at, kind: "customTimeouts", timeouts }];
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

import type { SourceOption } from "#importers/source-option.ts";
import { type DataNode, lineOf, memberOf, membersOf, textIn } from "#importers/text/data-node.ts";

/** The attributes of a resource that another part of the reader takes. */
const read = new Set(["Type", "Properties", "DependsOn", "Condition"]);

const reasons: Readonly<Record<string, string>> = {
  CreationPolicy: "A draft does not wait for signals: make the resource ready in another way.",
  UpdatePolicy:
    "A draft has no policy of updates: the type's own properties say how it rolls a change out.",
};

/** The parts of `Metadata` that a stack acts on. Tools and consoles read the others. */
const metadata: Readonly<Record<string, string>> = {
  "AWS::CloudFormation::Init":
    "The instance asks CloudFormation for its set-up: write it in the user data.",
  "AWS::CloudFormation::Authentication":
    "The instance asks CloudFormation for its credentials: give it a role.",
};

/** Cloud Control takes a final snapshot of these, whatever a template says. */
const takesSnapshots = new Set(["AWS::RDS::DBCluster", "AWS::RDS::DBInstance"]);

/** The options of a resource: its attributes other than its properties. */
export function optionsOf(resource: DataNode): SourceOption[] {
  if (resource.kind !== "map") return [];
  const options: SourceOption[] = [];
  const keeps = isKept(memberOf(resource, "DeletionPolicy"));
  for (const [name, node] of resource.members) {
    const at = { name, line: lineOf(node) };
    if (read.has(name)) continue;
    if (name === "DeletionPolicy" || name === "UpdateReplacePolicy") {
      const policy = textIn(node);
      if (policy === "Delete") continue;
      if (policy === "Snapshot" && takesSnapshots.has(textIn(memberOf(resource, "Type")) ?? ""))
        continue;
      // The option keeps the object at a replacement too.
      if (isKept(node) && name === "DeletionPolicy")
        options.push({ ...at, kind: "retainOnDelete" });
      else if (!isKept(node) || !keeps)
        options.push({ ...at, kind: "left out", reason: policyReason(name, policy) });
    } else if (name === "Metadata")
      for (const [part, inside] of membersOf(node)) {
        const reason = metadata[part];
        if (reason !== undefined)
          options.push({ name: `${name}.${part}`, line: lineOf(inside), kind: "left out", reason });
      }
    else options.push({ ...at, kind: "left out", reason: reasons[name] ?? unknown });
  }
  return options;
}

const unknown = "A draft has nothing for this attribute of a resource.";

function isKept(node: DataNode | undefined): boolean {
  const policy = textIn(node);
  return policy === "Retain" || policy === "RetainExceptOnCreate";
}

function policyReason(name: string, policy: string | undefined): string {
  if (policy === "Snapshot") return "A draft makes no snapshot of an object that it deletes.";
  return name === "UpdateReplacePolicy"
    ? "A draft keeps an object at a replacement only with `retainOnDelete`, which keeps it at a delete too."
    : "Only the source's own tool can compute the policy.";
}

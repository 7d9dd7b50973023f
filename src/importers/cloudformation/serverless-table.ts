/**
 * AWS SAM's table as the one resource that SAM makes of it. Its other types stand for several resources, or for code
 * beside the template.
 * https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-resource-simpletable.html
 */
import { type DataMap, type DataNode, memberOf, textIn } from "#importers/text/data-node.ts";
import { intrinsicOf } from "./intrinsic.ts";

const keyTypes: Readonly<Record<string, string>> = { String: "S", Number: "N", Binary: "B" };

/** The resource as CloudFormation knows it; undefined for another type, or for a table with computed parts. */
export function tableOf(resource: DataNode): DataNode | undefined {
  if (resource.kind !== "map" || textIn(memberOf(resource, "Type")) !== TABLE) return undefined;
  const settings = memberOf(resource, "Properties") ?? mapAt(resource, []);
  if (settings.kind !== "map" || intrinsicOf(settings) !== undefined) return undefined;
  const key = memberOf(settings, "PrimaryKey");
  const name = key === undefined ? textAt(resource, "id") : memberOf(key, "Name");
  const type = key === undefined ? "String" : textIn(memberOf(key, "Type"));
  const letter = type === undefined || !Object.hasOwn(keyTypes, type) ? undefined : keyTypes[type];
  const tags = memberOf(settings, "Tags");
  if (name === undefined || letter === undefined) return undefined;
  if (tags !== undefined && (tags.kind !== "map" || intrinsicOf(tags) !== undefined))
    return undefined;
  const made: [string, DataNode][] = [...settings.members].filter(
    ([one]) => one !== "PrimaryKey" && one !== "Tags",
  );
  const at = key ?? resource;
  made.push(
    ["AttributeDefinitions", listAt(at, [attribute(at, name, letter)])],
    ["KeySchema", listAt(at, [keyPair(at, name)])],
  );
  if (!settings.members.has("ProvisionedThroughput") && !settings.members.has("BillingMode"))
    made.push(["BillingMode", textAt(resource, "PAY_PER_REQUEST")]);
  if (tags?.kind === "map")
    made.push([
      "Tags",
      listAt(
        tags,
        [...tags.members].map(([one, value]) =>
          mapAt(tags, [
            ["Key", textAt(tags, one)],
            ["Value", value],
          ]),
        ),
      ),
    ]);
  const members = new Map(resource.members);
  members.set("Type", textAt(resource, "AWS::DynamoDB::Table"));
  members.set("Properties", mapAt(settings, made));
  return { ...resource, members };
}

const TABLE = "AWS::Serverless::SimpleTable";

function attribute(at: DataNode, name: DataNode, letter: string): DataMap {
  return mapAt(at, [
    ["AttributeName", name],
    ["AttributeType", textAt(at, letter)],
  ]);
}

function keyPair(at: DataNode, name: DataNode): DataMap {
  return mapAt(at, [
    ["AttributeName", name],
    ["KeyType", textAt(at, "HASH")],
  ]);
}

function textAt({ line, endLine }: DataNode, value: string): DataNode {
  return { kind: "scalar", value, line, endLine };
}

function listAt({ line, endLine }: DataNode, items: readonly DataNode[]): DataNode {
  return { kind: "list", items, line, endLine };
}

function mapAt(
  { line, endLine }: DataNode,
  members: readonly (readonly [string, DataNode])[],
): DataMap {
  return { kind: "map", members: new Map(members), line, endLine };
}

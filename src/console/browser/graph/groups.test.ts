import { describe, expect, it } from "vitest";
import type { GraphNode } from "#console/shared/graph-node.ts";
import { firstWay, groupsOf, shortType, waysOf } from "./groups.ts";

function node(id: string, type: string, more: Partial<GraphNode> = {}): GraphNode {
  return { id, type, dependsOn: [], ...more };
}

const nodes = [
  node("net", "aws:AWS::EC2::VPC"),
  node("sub", "aws:AWS::EC2::Subnet"),
  node("bucket", "aws:AWS::S3::Bucket"),
  node('web["a"]', "aws:AWS::EC2::Instance", { part: "web" }),
  node('web["b"]', "aws:AWS::EC2::Instance", { part: "web" }),
];
const many = Array.from({ length: 41 }, (_, at) => node(`n${at}`, at < 20 ? "a:A" : "a:B"));

describe("the groups of a graph", () => {
  it("are offered if they say something", () => {
    expect(waysOf(nodes).map(([way]) => way)).toEqual(["", "part", "service", "type"]);
    expect(waysOf(many).map(([way]) => way)).toEqual(["", "type"]);
    expect(waysOf([node("a", "t"), node("b", "t")])).toEqual([["", "nothing"]]);
  });

  it("begin with loops and components, or with types if there are many resources", () => {
    expect(firstWay(nodes)).toBe("part");
    expect(firstWay(nodes.slice(0, 3))).toBe("");
    expect(firstWay(many)).toBe("type");
  });

  it("leave resources outside of loops alone, in order", () => {
    const groups = groupsOf(nodes, "part").map(([name, of]) => [name, of.map(({ id }) => id)]);
    expect(groups).toEqual([
      ["", ["net"]],
      ["", ["sub"]],
      ["", ["bucket"]],
      ["web", ['web["a"]', 'web["b"]']],
    ]);
    expect(groupsOf(nodes, "service").map(([name]) => name)).toEqual([
      "aws:AWS::EC2",
      "aws:AWS::S3",
    ]);
  });

  it("name the last part of a type", () => {
    expect(
      ["aws:AWS::EC2::VPC", "azure:Microsoft.Network/vnets@2024-01-01", "mock:Server"].map(
        shortType,
      ),
    ).toEqual(["VPC", "vnets", "Server"]);
  });
});

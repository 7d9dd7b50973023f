import { describe, expect, it } from "vitest";
import type { Json, JsonMap } from "#platform/json.ts";
import { existingIds } from "./existing-ids.ts";

function idsOf(report: JsonMap): { [address: string]: string } {
  return Object.fromEntries([...existingIds(report)].map(([address, { id }]) => [address, id]));
}

function resource(name: string, values: JsonMap, more: JsonMap = {}): JsonMap {
  const address = `aws_vpc.${name}`;
  return { address, mode: "managed", type: "aws_vpc", name, values, ...more };
}

function state(...resources: JsonMap[]): JsonMap {
  return { format_version: "1.0", values: { root_module: { resources } } };
}

function raw(...resources: JsonMap[]): JsonMap {
  return { version: 4, resources };
}

function changed(name: string, actions: Json[], change: JsonMap, more: JsonMap = {}): JsonMap {
  const address = `aws_vpc.${name}`;
  return { address, mode: "managed", type: "aws_vpc", change: { actions, ...change }, ...more };
}

describe("the ids of existing objects", () => {
  it("are read of a state's JSON with its child modules", () => {
    const child = resource("b", { id: "vpc-2" }, { address: 'module.net["eu"].aws_vpc.b[0]' });
    expect(
      idsOf({
        format_version: "1.0",
        values: {
          root_module: {
            resources: [resource("a", { id: "vpc-1", secret: "x" })],
            child_modules: [{ address: 'module.net["eu"]', resources: [child] }],
          },
        },
      }),
    ).toEqual({ "aws_vpc.a": "vpc-1", 'module.net["eu"].aws_vpc.b[0]': "vpc-2" });
  });

  it("are read of a raw state for every instance but a deposed one", () => {
    const instances = [
      { index_key: 0, attributes: { id: "vpc-0" } },
      { index_key: 'a"${b}', attributes: { id: "vpc-a" } },
      { index_key: 1, attributes: { id: "vpc-old" }, deposed: "00aa" },
    ];
    expect(
      idsOf(
        raw(
          { module: "module.net", mode: "managed", type: "aws_vpc", name: "m", instances },
          { mode: "data", type: "aws_vpc", name: "d", instances: [{ attributes: { id: "no" } }] },
        ),
      ),
    ).toEqual({
      "module.net.aws_vpc.m[0]": "vpc-0",
      'module.net.aws_vpc.m["a\\"$${b}"]': "vpc-a",
    });
  });

  it("are read of a plan: of the prior state, and of changes before they are made", () => {
    const before = { id: "vpc-1" };
    expect(
      idsOf({
        format_version: "1.2",
        prior_state: {
          values: { root_module: { resources: [resource("prior", { id: "vpc-9" })] } },
        },
        planned_values: { root_module: { resources: [resource("new", { id: "planned" })] } },
        resource_changes: [
          changed("new", ["create"], { before }),
          changed("kept", ["no-op"], { before }),
          changed("gone", ["delete"], { before }),
          changed("replaced", ["create", "delete"], { before }),
          changed("nothing", ["update"], { before: null, after: { id: "after" } }),
          changed("read", ["read"], { before }, { mode: "data" }),
          changed("old", ["delete"], { before }, { deposed: "00aa" }),
          changed("marked", ["update"], { before, before_sensitive: { id: true } }),
          changed("hidden", ["update"], { before, before_sensitive: true }),
        ],
      }),
    ).toEqual({
      "aws_vpc.prior": "vpc-9",
      "aws_vpc.kept": "vpc-1",
      "aws_vpc.gone": "vpc-1",
      "aws_vpc.replaced": "vpc-1",
    });
  });

  it("are not taken where the id is the secret or is marked sensitive", () => {
    expect(
      idsOf(
        state(
          resource("a", { id: "hunter2" }, { type: "random_password" }),
          resource("b", { id: "x" }, { sensitive_values: { id: true } }),
          resource("c", { id: "x" }, { sensitive_values: true }),
          resource("d", { id: "-----BEGIN\nKEY" }),
          resource("e", { id: "postgres://user:word@host/db" }),
          resource("f", { id: "arn:aws:x:eu-west-1:1:y/z" }, { sensitive_values: { tags: {} } }),
        ),
      ),
    ).toEqual({ "aws_vpc.f": "arn:aws:x:eu-west-1:1:y/z" });
    const sensitive_attributes = [[{ type: "get_attr", value: "id" }]];
    const instances = [{ attributes: { id: "x" }, sensitive_attributes }];
    expect(idsOf(raw({ mode: "managed", type: "t", name: "n", instances }))).toEqual({});
  });

  it("are texts of 1 to 2,048 characters", () => {
    const longest = "x".repeat(2_048);
    expect(
      idsOf(
        state(
          resource("number", { id: 7 }),
          resource("empty", { id: "" }),
          resource("none", {}),
          resource("long", { id: `${longest}x` }),
          resource("longest", { id: longest }),
        ),
      ),
    ).toEqual({ "aws_vpc.longest": longest });
  });

  it("are empty for any other report", () => {
    expect(idsOf({ results: { failed_checks: [] }, values: {} })).toEqual({});
  });
});

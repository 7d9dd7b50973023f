import { describe, expect, it } from "vitest";
import type { InstanceState } from "#engine/state/state.ts";
import type { Expression, Template } from "#engine/template/template.ts";
import {
  deployed,
  emptyState,
  modelDependencies,
  modelFacts,
  modelOrder,
  type ModelProgram,
  modelTemplate,
} from "#test/support/model-instance.ts";
import { makePlan, type ObjectToRead } from "./plan.ts";

const literal: Expression = {
  kind: "literal",
  value: null,
  place: { path: "", line: 0, column: 0 },
};

/** Plans with all of `gets` read from the cloud. An absent object has no outputs. */
function planned(
  program: ModelProgram,
  gets: { readonly [name: string]: string },
  { state = emptyState, unread = [] }: { state?: InstanceState; unread?: readonly string[] } = {},
) {
  const asked: ObjectToRead[] = [];
  const template: Template = modelTemplate(program);
  for (const name of Object.keys(gets)) {
    const declaration = template.resources[name];
    if (declaration !== undefined) declaration.get = { id: literal };
  }
  const plan = makePlan({
    operation: "deploy",
    template,
    dependencies: modelDependencies(program),
    order: modelOrder(program),
    state,
    facts: modelFacts,
    resolve: (name) => ({ ...program[name]?.properties }) as Record<string, string>,
    idToRead: (name) => gets[name] ?? null,
    found: (object) => {
      asked.push(object);
      return unread.includes(object.resource) ? undefined : { id: object.id };
    },
  });
  const read = plan.changes.filter(({ action }) => action === "read");
  return { asked: asked.map(({ resource }) => resource), read };
}

const waits = "read after what it depends on";

describe("an object that is only read", () => {
  it("is read with the plan, alone or after another one that was read", () => {
    const program = { zone: {}, record: { options: { dependsOn: ["zone"] } } };
    const { asked, read } = planned(program, { zone: "z-1", record: "r-1" });
    expect(asked).toEqual(["zone", "record"]);
    expect(read).toMatchObject([{ id: "z-1" }, { id: "r-1" }]);
    for (const change of read) expect(change).not.toHaveProperty("reason");
  });

  it("waits for another that is not read yet", () => {
    const program = { zone: {}, record: { options: { dependsOn: ["zone"] } } };
    const { asked, read } = planned(program, { zone: "z-1", record: "r-1" }, { unread: ["zone"] });
    expect(asked).toEqual(["zone"]);
    expect(read.map(({ reason }) => reason)).toEqual([waits, waits]);
  });

  it("waits for changing objects, not for unchanged ones", () => {
    const program: ModelProgram = {
      net: { properties: { name: "net" } },
      record: { options: { dependsOn: ["net"] } },
    };
    const gets = { record: "r-1" };
    expect(planned(program, gets)).toMatchObject({ asked: [], read: [{ reason: waits }] });
    const { state } = deployed({ net: { properties: { name: "net" } } });
    const { asked, read } = planned(program, gets, { state });
    expect(asked).toEqual(["record"]);
    expect(read[0]).not.toHaveProperty("reason");
  });
});

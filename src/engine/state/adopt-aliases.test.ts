import { describe, expect, it } from "vitest";
import { ModelInstance, modelTemplate, reference } from "#test/support/model-instance.ts";
import { knownIn } from "#test/support/stored-resource.ts";
import { adoptAliases } from "./adopt-aliases.ts";

const before = (): ModelInstance => {
  const instance = new ModelInstance();
  instance.run({ net: {}, server: { properties: { net: reference("net") } } });
  return instance;
};

const renamed = (aliases: string[]) =>
  modelTemplate({ network: { options: { aliases } }, server: {} });

describe("adoptAliases", () => {
  it("renames a resource, also in its dependents", () => {
    const { state } = before();
    const old = knownIn(state, "net");
    const pendingDeletes = [{ ...old, id: "older" }];
    const adopted = adoptAliases({ ...state, pendingDeletes }, renamed(["lan", "net"]));
    expect([...adopted.current.keys()]).toEqual(["network", "server"]);
    expect(adopted.current.get("network")).toEqual({
      ...old,
      name: "network",
      formerNames: ["net"],
    });
    expect(adopted.current.get("server")?.dependsOn).toEqual(["network"]);
    expect(adopted.pendingDeletes[0]?.name).toBe("network");
    expect(adopted.serial).toBe(state.serial);
    expect(adoptAliases(adopted, renamed(["lan", "net"]))).toBe(adopted);
  });

  it("changes nothing without a template, as in a destroy", () => {
    const { state } = before();
    expect(adoptAliases(state, undefined)).toBe(state);
  });

  it("swaps two names once, with their dependents and pending deletes", () => {
    const instance = new ModelInstance();
    instance.run({ a: {}, b: {}, user: { properties: { link: reference("a") } } });
    const { state } = instance;
    const [a, b] = [knownIn(state, "a"), knownIn(state, "b")];
    const pendingDeletes = [{ ...a, id: "older", dependsOn: ["b"] }];
    const swapping = modelTemplate({
      a: { options: { aliases: ["b"] } },
      b: { options: { aliases: ["a"] } },
      user: {},
    });
    const swapped = adoptAliases({ ...state, pendingDeletes }, swapping);
    expect(swapped.current.get("b")).toMatchObject({ id: a.id, name: "b", formerNames: ["a"] });
    expect(swapped.current.get("a")).toMatchObject({ id: b.id, name: "a", formerNames: ["b"] });
    expect(swapped.current.get("user")?.dependsOn).toEqual(["b"]);
    expect(swapped.pendingDeletes).toMatchObject([{ name: "b", dependsOn: ["a"] }]);
    // Neither with the same aliases, nor without them, nor when they return.
    expect(adoptAliases(swapped, swapping)).toBe(swapped);
    const plain = modelTemplate({ a: {}, b: {}, user: {} });
    expect(adoptAliases(swapped, plain)).toBe(swapped);
    expect(adoptAliases(swapped, swapping)).toBe(swapped);
  });

  it("renames back to a former name and forward again", () => {
    const { state } = before();
    const forth = adoptAliases(state, renamed(["net"]));
    const old = modelTemplate({ net: {}, server: {} });
    const back = adoptAliases(forth, old);
    expect([...back.current.keys()]).toEqual(["net", "server"]);
    expect(back.current.get("server")?.dependsOn).toEqual(["net"]);
    expect(back.current.get("net")?.formerNames).toEqual(["network"]);
    expect(adoptAliases(back, old)).toBe(back);
    expect([...adoptAliases(back, renamed([])).current.keys()]).toEqual(["network", "server"]);
  });

  it("does not match a former name that is another resource or has another type", () => {
    const forth = adoptAliases(before().state, renamed(["net"]));
    for (const template of [
      modelTemplate({ net: {}, network: {}, server: {} }),
      modelTemplate({ net: { type: "model:Rigid" }, server: {} }),
      modelTemplate({ lan: {}, server: {} }),
    ])
      expect(adoptAliases(forth, template)).toBe(forth);
    // An alias takes precedence.
    const claimed = modelTemplate({ net: {}, lan: { options: { aliases: ["network"] } } });
    expect([...adoptAliases(forth, claimed).current.keys()]).toEqual(["lan", "server"]);
  });
});

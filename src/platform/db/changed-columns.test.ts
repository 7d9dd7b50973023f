import { expect, it } from "vitest";
import { changedColumns } from "./changed-columns.ts";

it("are those that differ, whatever their values", () => {
  const before = { id: "a", name: "n", labels: { x: "1" }, note: null, version: 1 };
  expect(changedColumns(before, { ...before, labels: { x: "1" } })).toEqual({});
  expect(changedColumns<object>(before, { ...before, labels: {}, note: "", version: 2 })).toEqual({
    labels: {},
    note: "",
    version: 2,
  });
});

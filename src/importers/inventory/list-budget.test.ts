import { expect, it } from "vitest";
import { ListBudget, MAX_CHARACTERS } from "./list-budget.ts";

const text = "x".repeat(100_000);
const rows = (length: number) => Array.from({ length }, () => ({ text, line: 1 }));
const held = MAX_CHARACTERS / text.length;

it("lists all of a small module after a large one, in every list", () => {
  const first = [rows(held), [{ text: "a", line: 1 }]];
  const second = [rows(held), [{ text: "b", line: 2 }]];
  const budget = new ListBudget(2, [first, second]);
  const listed = budget.spend(first);
  expect(listed.slice(-2)).toEqual([
    { text, line: 1 },
    { text: "a", line: 1 },
  ]);
  expect(listed).toHaveLength(held);
  expect(budget.spend(second)).toEqual([{ text: "b", line: 2 }]);
});

it("shares the rows of a list, and counts the texts of ids and of lists in rows", () => {
  const ids = [["aa", "ab", "ac"], ["b"]];
  const budget = new ListBudget(2, [ids]);
  expect(budget.spend(ids, 2)).toEqual(["aa", "b"]);
  const aliases = [[{ aliases: [...Array(held).keys()].map(() => text) }, { aliases: ["a"] }]];
  expect(new ListBudget(1, [aliases]).spend(aliases)).toHaveLength(1);
});

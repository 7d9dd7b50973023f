import { expect, it } from "vitest";
import { chosenFiles } from "./find-files.ts";

function file(path: string): File {
  return Object.assign(new File(["x"], path.split("/").at(-1) ?? ""), {
    webkitRelativePath: path,
  });
}

it("takes the files of a folder by their paths in it, without skipped folders", () => {
  const found = chosenFiles(
    ["shop/main.tf", "shop/.git/config", "shop/a/.terraform/x/y.tf", "shop/a/b.tf"].map(file),
  );
  expect(found.files.map(({ path }) => path)).toEqual(["main.tf", "a/b.tf"]);
  expect(found.folders).toEqual(["shop/.git", "shop/a/.terraform"]);
  expect(found.isCut).toBe(false);
});

it("keeps the names of files without a common folder, and stops at a limit", () => {
  expect(chosenFiles(["a/x.tf", "b/x.tf"].map(file)).files.map(({ path }) => path)).toEqual([
    "a/x.tf",
    "b/x.tf",
  ]);
  const many = chosenFiles(Array.from({ length: 20_001 }, (_, at) => file(`${at}.tf`)));
  expect([many.files.length, many.isCut]).toEqual([20_000, true]);
});

import { describe, expect, it } from "vitest";
import { acceptFiles } from "./accept-files.ts";

const MIB = 1024 * 1024;

async function accept(item: unknown) {
  const [file] = (await acceptFiles([item])).files;
  if (file === undefined) throw new Error("No verdict");
  return file;
}

describe("a file of an import", () => {
  it.for([
    ["main.tf", "main.tf"],
    ["./main.tf", "main.tf"],
    ["././a/b.tf", "a/b.tf"],
    ["a/b c/ü.tf", "a/b c/ü.tf"],
    [".hidden", ".hidden"],
    ["..a/b", "..a/b"],
    ["a".repeat(1024), "a".repeat(1024)],
    ["__proto__", "__proto__"],
  ] as const)("is accepted at the path %s", async ([given, path]) => {
    expect(await accept({ path: given, content: "x" })).toMatchObject({ ok: true, path });
  });

  it.for([
    "",
    ".",
    "..",
    "/etc/passwd",
    "a/../b",
    "../b",
    "a//b",
    "a/",
    "a/.",
    "./",
    "a\\b",
    "a\u0000b",
    "a\nb",
    "a".repeat(1025),
  ])("is rejected at the path %j", async (path) => {
    const file = await accept({ path, content: "x" });
    expect(file).toMatchObject({ ok: false, reason: "invalid_path" });
    expect(Array.from(file.path).every((char) => char >= " ")).toBe(true);
    expect(file.path).not.toBe("");
  });

  it.for([
    [null, "files[0]"],
    ["main.tf", "files[0]"],
    [[], "files[0]"],
    [{}, "files[0]"],
    [{ path: 1, content: "" }, "files[0]"],
    [{ path: "a" }, "a"],
    [{ path: "a", content: null }, "a"],
    [{ path: "a", content: ["x"] }, "a"],
  ] as const)("is rejected if it is %j", async ([item, path]) => {
    expect(await accept(item)).toMatchObject({ ok: false, path, reason: "invalid_file" });
  });

  it("can have `name` instead of `path`", async () => {
    expect(await accept({ name: "a", content: "" })).toMatchObject({
      ok: true,
      path: "a",
      bytes: 0,
    });
  });

  it("is measured and hashed as bytes, in every encoding", async () => {
    const plain = await accept({ path: "a", content: "hé" });
    expect(plain).toMatchObject({
      bytes: 3,
      sha256: "7dfbe0eab96510b11c9a2671d83019cd52953211294db5f917ffa0b7cc84f534",
    });
    const encoded = await accept({ path: "a", content: "aMOp", encoding: "base64" });
    expect(encoded).toEqual(plain);
    expect(await accept({ path: "a", content: "aM\nOp\n", encoding: "base64" })).toEqual(plain);
  });

  it.for([
    { content: "%%%", encoding: "base64" },
    { content: "/w==", encoding: "base64" },
    { content: "x", encoding: "latin1" },
    { content: "x", encoding: null },
  ])("is rejected for its encoding in %j", async (more) => {
    expect(await accept({ path: "a", ...more })).toMatchObject({
      ok: false,
      reason: "invalid_encoding",
    });
  });

  it("can have 1 MiB, and not a byte more", async () => {
    expect((await accept({ path: "a", content: "x".repeat(MIB) })).ok).toBe(true);
    expect(await accept({ path: "a", content: "x".repeat(MIB + 1) })).toMatchObject({
      ok: false,
      bytes: MIB + 1,
      reason: "file_too_large",
    });
    expect((await accept({ path: "a", content: "é".repeat(MIB / 2 + 1) })).ok).toBe(false);
  });

  it("is unique at its path: the first one is used", async () => {
    const { files } = await acceptFiles([
      { path: "a", content: "1" },
      { path: "./a", content: "2" },
      { path: "A", content: "3" },
    ]);
    expect(files.map((file) => (file.ok ? "taken" : file.reason))).toEqual([
      "taken",
      "duplicate_path",
      "taken",
    ]);
  });
});

describe("the files of an import together", () => {
  it.for([
    [
      ["a", "a/b"],
      ["taken", "invalid_path"],
    ],
    [
      ["a/b/c", "a/b"],
      ["taken", "invalid_path"],
    ],
    [
      ["a/b", "a-b", "a/c"],
      ["taken", "taken", "taken"],
    ],
  ] as const)("have no path that is a file and a folder: %j", async ([paths, results]) => {
    const { files } = await acceptFiles(paths.map((path) => ({ path, content: "" })));
    expect(files.map((file) => (file.ok ? "taken" : file.reason))).toEqual(results);
  });

  it("can have 10 MiB, and not a byte more", async () => {
    const full = Array.from({ length: 10 }, (_, at) => ({
      path: `f${at}`,
      content: "x".repeat(MIB),
    }));
    expect((await acceptFiles(full)).tooLarge).toBe(false);
    expect((await acceptFiles([...full, { path: "one", content: "x" }])).tooLarge).toBe(true);
  });
});

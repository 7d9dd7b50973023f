import { describe, expect, it } from "vitest";
import { failureCode } from "./failure-code.ts";
import { ImportLog } from "./import-log.ts";

describe("the code of a failure", () => {
  it("is the last error of the file", () => {
    const log = new ImportLog();
    log.add("error", "first", "x", { file: "a" });
    log.add("error", "last", "x", { file: "a" });
    log.add("warning", "later", "x", { file: "a" });
    log.add("error", "other", "x", { file: "b" });
    expect(failureCode(log, "a")).toBe("last");
    expect(failureCode(log, "c")).toBe("unreadable_file");
  });
});

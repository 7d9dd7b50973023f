import { describe, expect, it, vi } from "vitest";
import { auditPages } from "./audit-pages.ts";

const pages = {
  "/audit-events?limit=100&tenantId=t": { data: [{ sequence: 3 }], nextCursor: "a+b" },
  "/audit-events?limit=100&tenantId=t&cursor=a%2Bb": { data: [{ sequence: 2 }], nextCursor: null },
  "/audit-events?limit=100": { data: [], nextCursor: null },
} as Readonly<Record<string, unknown>>;

async function read(tenantId: string | undefined, refusals: unknown[] = []) {
  const get = vi.fn<(path: string) => Promise<never>>(async (path) => {
    const refusal = refusals.shift();
    if (refusal !== undefined) throw refusal;
    return pages[path] as never;
  });
  const pause = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const read: unknown[] = [];
  for await (const page of auditPages({ get }, tenantId, pause)) read.push(page);
  return { read, pauses: pause.mock.calls.length };
}

describe("the pages of an audit log", () => {
  const both = Object.values(pages).slice(0, 2);

  it("are read to the last one", async () => {
    expect(await read("t")).toEqual({ read: both, pauses: 0 });
    expect(await read(undefined)).toEqual({ read: [pages["/audit-events?limit=100"]], pauses: 0 });
  });

  it("wait and are all there when there were too many requests", async () => {
    const limited = Object.assign(new Error("answered 429"), { status: 429 });
    expect(await read("t", [limited, limited, undefined, limited])).toEqual({
      read: both,
      pauses: 3,
    });
  });

  it("end with what else the service refuses", async () => {
    const forbidden = Object.assign(new Error("answered 403"), { status: 403 });
    await expect(read("t", [undefined, forbidden])).rejects.toBe(forbidden);
  });
});

import { describe, expect, it } from "vitest";
import { chosenTenant, isForgotten, rememberTenant } from "./chosen-tenant.ts";
import type { Reader } from "./reader.ts";

const id = "01a220b9-fbe4-7361-abae-e1aba0c70335";
const other = "01a220b9-fbe4-7361-abae-e1aba0c70336";
const of = (query: string, cookie?: string) => chosenTenant(new URLSearchParams(query), cookie);

describe("the chosen tenant", () => {
  it.each([
    ["", undefined, undefined, "nowhere"],
    ["", `a=b; console_tenant=${id}; c=d`, id, "cookie"],
    ["", "console_tenant=; a=b", undefined, "nowhere"],
    ["", "console_tenant=x%0d%0aset-cookie:y", undefined, "nowhere"],
    ["", `xconsole_tenant=${id}`, undefined, "nowhere"],
    [`tenantId=${other}`, `console_tenant=${id}`, other, "address"],
    ["tenantId=", `console_tenant=${id}`, undefined, "address"],
  ])("of ?%s and the cookies %s is %s", (query, cookie, tenantId, from) => {
    expect(of(query, cookie)).toEqual({ tenantId, from });
  });

  it("is forgotten where the reader sees it no more, unless the address names it", () => {
    const reader = { operator: false, tenants: [{ tenantId: other }] } as unknown as Reader;
    expect(isForgotten(of("", `console_tenant=${id}`), reader)).toBe(true);
    expect(isForgotten(of("", `console_tenant=${other}`), reader)).toBe(false);
    expect(isForgotten(of(`tenantId=${id}`), reader)).toBe(false);
    const operatorOf = (count: number) =>
      ({
        operator: true,
        others: Array.from({ length: count }, () => ({ tenantId: other })),
      }) as unknown as Reader;
    expect(isForgotten(of("", `console_tenant=${id}`), operatorOf(99))).toBe(true);
    // One of the tenants beyond the first hundred.
    expect(isForgotten(of("", `console_tenant=${id}`), operatorOf(100))).toBe(false);
  });

  it("is remembered by a cookie, in which only an id stands", () => {
    const cookie = rememberTenant(id, "https://control.example.com/");
    expect(cookie).toBe(
      `console_tenant=${id}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure`,
    );
    for (const none of [undefined, "x; Domain=example.com"])
      expect(rememberTenant(none, "http://127.0.0.1/")).toBe(
        "console_tenant=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax",
      );
  });
});

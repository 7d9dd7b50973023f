import { describe, expect, it } from "vitest";
import { cookieName, cookieValues, sessionCookie, setCookie } from "./cookies.ts";

const [HOST, DEV] = ["__Host-control_session", "control_session_dev"];

describe("the name of the session's cookie", () => {
  it.each([
    ["https://control.example.com/x", "on", HOST],
    ["https://localhost/x", "on", HOST],
    ["http://control.example.com/x", "on", HOST],
    ["http://localhost:8787/x", "on", DEV],
    ["http://127.0.0.1:8787/x", "on", DEV],
    ["http://[::1]:8787/x", "on", DEV],
    ["http://localhost:8787/x", "off", HOST],
    ["http://localhost:8787/x", "", HOST],
    ["http://localhost.evil.example/x", "on", HOST],
    ["http://127.0.0.1.evil.example/x", "on", HOST],
  ])("at %s with DEV_COOKIES %j is %s", (url, DEV_COOKIES, name) => {
    expect(cookieName(sessionCookie, new URL(url), { DEV_COOKIES })).toBe(name);
  });
});

describe("setCookie", () => {
  const at = (url: string) => ({
    url: new URL(url),
    env: { DEV_COOKIES: "on" },
    maxAgeSeconds: 60,
  });

  it("limits the cookie to this host and TLS, and hides it from scripts", () => {
    expect(setCookie(sessionCookie, "abc", at("https://control.example.com/"))).toBe(
      `${HOST}=abc; HttpOnly; Max-Age=60; Path=/; SameSite=Lax; Secure`,
    );
  });

  it("does not require TLS in development", () => {
    expect(setCookie(sessionCookie, "abc", at("http://localhost:8787/"))).toBe(
      `${DEV}=abc; HttpOnly; Max-Age=60; Path=/; SameSite=Lax`,
    );
  });
});

describe("cookieValues", () => {
  it.each<[string | undefined, string[]]>([
    [undefined, []],
    ["", []],
    [`${HOST}=a`, ["a"]],
    [`x=1; ${HOST}=a; y=2`, ["a"]],
    [`x=1;${HOST}=a`, ["a"]],
    [`${HOST}=a; ${HOST}=b`, ["a", "b"]],
    [`${HOST}=a; ${HOST}=a`, ["a", "a"]],
    [HOST, []],
    [`${HOST}=`, [""]],
    [`${HOST}=a=b`, ["a=b"]],
    [`${HOST}="a"`, ['"a"']],
    [`${HOST.toLowerCase()}=a`, []],
    [`x${HOST}=a`, []],
    [`${encodeURIComponent(HOST)}=a`, ["a"]],
    ["%5F_Host-control_session=a", []],
    [`${HOST}=%61`, ["%61"]],
    [`${HOST}=%zz`, ["%zz"]],
  ])("of %j are %j", (header, values) => {
    expect(cookieValues(header, HOST)).toEqual(values);
  });
});

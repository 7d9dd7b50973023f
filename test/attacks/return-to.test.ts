/** Attacks on the return address: an open redirect would let our sign-in end on an attacker's page. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkReturnTo } from "#areas/sign-in/oidc/return-to.ts";
import { anyCharacter } from "#test/support/any-character.ts";
import { appWith } from "#test/support/app-with.ts";
import { Browser, person } from "#test/support/sign-in.ts";
import { authorized, begin, come, ORIGIN, settingsFor, useHostility } from "./attempt.ts";
import { HostileProvider } from "./hostile-provider.ts";

useHostility();

describe("returnTo", () => {
  const hostile = [
    "https://evil.test/",
    "//evil.test",
    "/\\evil.test",
    "\\/evil.test",
    "/\t/evil.test",
    "/\n//evil.test",
    "/\u0000//evil.test",
    "\u0000/evil.test",
    "/\u0085//evil.test",
    "https:evil.test",
    "https://user:password@control.test/",
    "https://user@control.test/",
    "https:/\\evil.test",
    "HTTPS://EVIL.TEST",
    "https://control.test:444/",
    "https://control.test\\@evil.test",
    "https://control.test%2eevil.test/",
    "https://evil.test#@control.test/",
    "https://evil.test?https://control.test/",
    "data:text/html,<script>alert(1)</script>",
    "javascript://control.test/%0aalert(1)",
    "blob:https://control.test/x",
    "/..//evil.test",
    "/.//evil.test",
    "/%2e%2e//evil.test",
    "/x/../..//evil.test",
    `/?${"a".repeat(2_000)}`,
    "https://[::1]/",
    "https://control。evil.test/",
    "ftp://control.test/",
    "..//evil.test",
    "@evil.test",
    "%2f%2fevil.test",
  ];

  it("never leads to another site, in any spelling, and no sign-in is started for it", async () => {
    const provider = new HostileProvider();
    const browser = new Browser(settingsFor([provider]));
    for (const returnTo of hostile) {
      const answer = await begin(browser, provider, { returnTo });
      expect([answer.status, answer.body?.errors[0].pointer], returnTo).toEqual([400, "returnTo"]);
      expect(answer.headers.get("location")).toBeNull();
    }
    const twice = await browser.get(
      `/auth/oidc/${provider.id}/login?returnTo=/&returnTo=https://evil.test`,
    );
    expect(twice.status).toBe(400);
    expect(provider.asked).toEqual([]);
  });

  it.each([
    "/%2f%2fevil.test",
    "/%5cevil.test",
    "/%09/evil.test",
    "/%0d%0aset-cookie:%20a=b",
    "/%2e%2e/%2e%2e/evil.test",
    "/／／evil.test",
    "/﹨evil.test",
    "/⁄evil.test",
    "/@evil.test",
    "/:evil.test",
    "/.evil.test",
    "/?next=https://evil.test".replace("//", "%2f%2f"),
    "/#@evil.test",
    "/;@evil.test",
    "/\u202Etset.live",
  ])("%j stays on this site", async (returnTo) => {
    const provider = new HostileProvider();
    const browser = new Browser(settingsFor([provider]));
    const begun = await begin(browser, provider, { returnTo });
    const callback = provider.authorize(begun.headers.get("location") ?? "", person());
    const location = (await browser.come(callback)).headers.get("location") ?? "";
    expect(location).toMatch(/^https:\/\/control\.test\/[\x21-\x7e]*$/);
    expect(new URL(location).origin).toBe(ORIGIN);
  });

  it("is always of our own origin or a listed one", () => {
    const trusted = { ownOrigin: ORIGIN, allowedOrigins: new Set(["https://console.test"]) };
    const piece = fc.constantFrom(
      ..."/ \\ // . .. : @ ? # % %2f %5c %2e evil.test control.test console.test https: http: javascript: data: a".split(
        " ",
      ),
      "\t",
      "\n",
      "\u0000",
      "／",
      "。",
    );
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.array(piece).map((parts) => parts.join("")),
    );
    const staysHere = fc.property(text, fc.boolean(), (rest, isPath) => {
      const place = checkReturnTo(isPath ? `/${rest}` : rest, trusted);
      if (place === undefined) return true;
      // As a browser reads a Location header: against the URL of the callback.
      const url = new URL(place, `${ORIGIN}/api/v1/auth/oidc/x/callback`);
      const isTrusted = url.origin === ORIGIN || trusted.allowedOrigins.has(url.origin);
      const isPlain = /^https:\/\/(control|console)\.test\/[\x21-\x7e]*$/.test(place);
      return isTrusted && isPlain && url.username + url.password === "";
    });
    expect(fc.check(staysHere, { numRuns: 1_000 })).toMatchObject({ counterexample: null });
  });

  it("cannot be changed in the callback", async () => {
    const provider = new HostileProvider();
    const browser = new Browser(settingsFor([provider]));
    const asked = await authorized(browser, provider);
    asked.searchParams.set("returnTo", "https://evil.test/");
    expect((await come(browser, asked, provider)).answer.headers.get("location")).toBe(
      `${ORIGIN}/after`,
    );
    const page = await appWith(settingsFor([provider]))(
      "GET",
      `/auth/oidc/${provider.id}/callback?state=x&error=https://evil.test&returnTo=//evil.test`,
      { headers: { accept: "text/html" }, redirect: "manual" },
    );
    expect(page.headers.get("location")).toBe("/login?error=parameters_invalid");
  });
});

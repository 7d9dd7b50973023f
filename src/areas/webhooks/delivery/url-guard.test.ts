import { describe, expect, it } from "vitest";
import { guardSettings, guardUrl } from "./url-guard.ts";

const strict = guardSettings(
  {
    WEBHOOK_ALLOW_INSECURE: "off",
    ALLOWED_ORIGINS: "https://console.example.com, https://Control.Example.com:8443",
  },
  new Set(["control.workers.example.com"]),
);
const loose = { ...strict, allowLoopback: true };

const admitted = [
  "https://example.com",
  "https://hooks.example.com/a/b?c=d",
  "https://example.com:443/",
  "https://example.com:8443/",
  "HTTPS://EXAMPLE.COM/",
  "https://example.com./",
  "https://xn--bcher-kva.example/",
  "https://bücher.example/",
  "https://1e100.net/",
  "https://mynip.io/",
  "https://mylvh.me/",
  "https://lan.example.com/",
  "https://atlan.example/",
  "https://example.homes/",
  "https://local.example.com/",
  "https://internal.example.com/",
  "https://127.0.0.1.example.com/",
  "https://other.console.example.com/",
];

const refused: readonly (readonly [url: string, reason: RegExp])[] = [
  ["", /parsed/],
  ["example.com", /parsed/],
  ["https://", /parsed/],
  ["https://exa mple.com/", /parsed/],
  ["https://example.com:99999/", /parsed/],
  ["https://[fe80::1%25eth0]/", /parsed/],
  ["http://example.com/", /https/],
  ["ftp://example.com/", /https/],
  ["ws://example.com/", /https/],
  ["file:///etc/passwd", /https/],
  ["javascript:alert(1)", /https/],
  ["data:text/plain,x", /https/],
  ["https://user@example.com/", /user name/],
  ["https://user:pass@example.com/", /user name/],
  ["https://:pass@example.com/", /user name/],
  ["https://example.com@127.0.0.1/", /user name/],
  ["https://example.com/#fragment", /fragment/],
  ["https://example.com/#", /fragment/],
  ["https://example.com:80/", /port/],
  ["https://example.com:0/", /port/],
  ["https://example.com:22/", /port/],
  ["https://example.com:8080/", /port/],
  ["https://127.0.0.1/", /IP address/],
  ["https://127.0.0.1./", /IP address/],
  ["https://127.1/", /IP address/],
  ["https://2130706433/", /IP address/],
  ["https://0x7f000001/", /IP address/],
  ["https://0x7f.0.0.1/", /IP address/],
  ["https://0177.0.0.1/", /IP address/],
  ["https://017700000001/", /IP address/],
  ["https://%31%32%37.0.0.1/", /IP address/],
  ["https://１２７.0.0.1/", /IP address/],
  ["https://①②⑦.⓪.⓪.①/", /IP address/],
  ["https://127。0。0。1/", /IP address/],
  ["https://10.0.0.1/", /IP address/],
  ["https://169.254.169.254/latest/meta-data", /IP address/],
  ["https://192.168.1.1/", /IP address/],
  ["https://8.8.8.8/", /IP address/],
  ["https://0/", /IP address/],
  ["https://0.0.0.0/", /IP address/],
  ["https://[::1]/", /IP address/],
  ["https://[::]/", /IP address/],
  ["https://[0:0:0:0:0:0:0:1]/", /IP address/],
  ["https://[::ffff:127.0.0.1]/", /IP address/],
  ["https://[64:ff9b::7f00:1]/", /IP address/],
  ["https://[fd00::1]/", /IP address/],
  ["https://[2606:4700::1111]/", /IP address/],
  ["https://localhost/", /dot/],
  ["https://localhost./", /dot/],
  ["https://LOCALHOST/", /dot/],
  ["https://ⓛocalhost/", /dot/],
  ["https://metadata/", /dot/],
  ["https://example..com/", /empty label/],
  ["https://127.0.0.1../", /empty label/],
  ["https://example.com../", /empty label/],
  ["https://app.localhost/", /private/],
  ["https://printer.local/", /private/],
  ["https://printer.local./", /private/],
  ["https://metadata.google.internal/", /private/],
  ["https://router.home.arpa/", /private/],
  ["https://home.arpa/", /private/],
  ["https://nas.lan/", /private/],
  ["https://nas.home/", /private/],
  ["https://git.CORP./", /private/],
  ["https://wiki.intranet/", /private/],
  ["https://db.private/", /private/],
  ["https://host.localdomain/", /private/],
  ["https://localhost.localdomain/", /private/],
  ["https://127.0.0.1.xip.io/", /nip\.io/],
  ["https://localtest.me/", /nip\.io/],
  ["https://app.localtest.me/", /nip\.io/],
  ["https://a.lvh.me/", /nip\.io/],
  ["https://127.0.0.1.nip.io/", /nip\.io/],
  ["https://7f000001.nip.io/", /nip\.io/],
  ["https://nip.io/", /nip\.io/],
  ["https://10-0-0-1.sslip.io/", /nip\.io/],
  ["https://a.SSLIP.io./", /nip\.io/],
  ["https://console.example.com/api", /service itself/],
  ["https://control.example.com/", /service itself/],
  ["https://Control.Workers.example.com./", /service itself/],
  ["https://CONSOLE.example.com./", /service itself/],
];

describe("the URL guard", () => {
  it.each(admitted)("accepts %s", (url) => {
    expect(guardUrl(url, strict)).toMatchObject({ ok: true });
  });

  it.each(refused)("refuses %s", (url, reason) => {
    const guarded = guardUrl(url, strict);
    expect(guarded).toMatchObject({ ok: false, reason: expect.stringMatching(reason) });
  });

  it.each([
    "http://localhost:9999/hook",
    "https://localhost/hook",
    "http://127.0.0.1/",
    "http://127.1.2.3:1/",
    "http://2130706433:8080/",
    "http://[::1]:8080/",
  ])("accepts the loopback %s in development only", (url) => {
    expect(guardUrl(url, loose)).toMatchObject({ ok: true });
    expect(guardUrl(url, strict)).toMatchObject({ ok: false });
  });

  it.each([
    "http://example.com/",
    "http://10.0.0.1/",
    "http://0.0.0.0/",
    "http://128.0.0.1/",
    "http://[::2]/",
    "http://[::ffff:127.0.0.1]/",
    "http://127.example.com/",
    "http://localhost.example.com/",
    "http://user@localhost/",
    "http://localhost/#x",
    "ws://localhost/",
    "https://example.com:8080/",
  ])("rejects %s in development too", (url) => {
    expect(guardUrl(url, loose)).toMatchObject({ ok: false });
  });

  it("reads an empty list of origins as no own hosts", () => {
    const none = guardSettings({ WEBHOOK_ALLOW_INSECURE: "off", ALLOWED_ORIGINS: "" }, new Set());
    expect(none).toEqual({ allowLoopback: false, ownHosts: new Set() });
  });
});

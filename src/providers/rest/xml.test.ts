import { assert, property, string } from "fast-check";
import { expect, it } from "vitest";
import { anyCharacter } from "#test/support/any-character.ts";
import { parseXml, toXml } from "./xml.ts";

it("reads elements, text and entities, whatever the attributes", () => {
  const root = parseXml(
    `<?xml version="1.0" encoding="UTF-8"?>\n<A xmlns="https://x/"><B>1 &lt; 2 &amp; &#x41;&#66;</B><C/><B>two</B></A>`,
  );
  expect(root?.name).toBe("A");
  expect(root?.all("B").map(({ text }) => text)).toEqual(["1 < 2 & AB", "two"]);
  expect(root?.find("C")?.text).toBe("");
  expect(root?.find("constructor")).toBeUndefined();
});

it.for([
  "",
  "text",
  "<a>",
  "<a></b>",
  "<a/><b/>",
  "<a>&evil;</a>",
  "<a><!-- x --></a>",
  "<a><![CDATA[x]]></a>",
  '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
  `${"<a>".repeat(30)}${"</a>".repeat(30)}`,
])("refuses %j", (text) => {
  expect(parseXml(text)).toBeUndefined();
});

it("reads what it writes, whatever a value is", () => {
  assert(
    property(string({ unit: anyCharacter }), string(), (a, b) => {
      const root = parseXml(toXml({ R: { A: a, B: [b, "x"], C: undefined } }));
      const plain = a
        .replaceAll(/[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
        .trim();
      expect(root?.find("A")?.text).toBe(plain);
      expect(root?.all("B")).toHaveLength(2);
    }),
  );
});

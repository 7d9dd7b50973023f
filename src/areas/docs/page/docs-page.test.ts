import { describe, expect, it } from "vitest";
import { type DocsIndex, INDEX_FILE, SEARCH_FILE } from "#areas/docs/docs-index.ts";
import { rankEntries } from "#areas/docs/search/rank-entries.ts";
import { searchPage } from "#areas/docs/search/search-page.tsx";
import { faultCodes } from "#http/faults.ts";
import { errorCodes } from "#kernel/errors.ts";
import { faultOfCode } from "#schema/lists/deployment-faults.ts";
import { escapedText, expectEscaped, hostileText } from "#test/support/hostile-text.ts";
import { docsFiles } from "./docs-files.tsx";
import { docsPages } from "./docs-page.tsx";

/** A document whose texts would each end the surrounding element and attribute, if unescaped. */
function hostileDocument(text: (mark: string) => string) {
  const operation = {
    operationId: text("id"),
    summary: text("summary"),
    description: text("description"),
    tags: [text("tag")],
    "x-required-role": text("role"),
    "x-required-scope": text("scope"),
    parameters: [
      {
        name: text("parameter"),
        in: "query",
        required: true,
        description: text("use"),
        schema: { type: "string" },
      },
    ],
    requestBody: {
      content: {
        "application/json": {
          schema: {
            type: "object",
            required: [text("field")],
            properties: {
              [text("field")]: { type: text("type"), description: text("field-use") },
              words: { type: "string", enum: [text("word")], default: text("default") },
              shape: { type: "string", pattern: text("pattern") },
              named: { $ref: `#/components/schemas/${text("name")}` },
            },
          },
          example: { [text("sample")]: text("value") },
        },
      },
    },
    responses: {
      [text("status")]: { description: text("answer") },
      "200": {
        description: text("success"),
        headers: { [text("header")]: {} },
        content: { [text("media")]: {} },
      },
    },
  };
  return {
    info: {
      title: text("title"),
      version: text("version"),
      description: text("overview"),
      summary: text("abstract"),
    },
    tags: [{ name: text("tag"), description: text("area") }],
    paths: { [`/${text("path")}`]: { get: operation } },
    webhooks: { [text("kind")]: { post: operation } },
  };
}

describe("the reference of a document with hostile texts", async () => {
  const marks: string[] = [];
  const document = hostileDocument((mark) => {
    marks.push(mark);
    return hostileText(mark);
  });
  const files = await docsFiles(document, []);
  const { pages: named, entries } = JSON.parse(files.get(INDEX_FILE) ?? "") as DocsIndex;
  const search = (query: string) => searchPage(files.get(SEARCH_FILE) ?? "", entries, query);
  const pages = [
    ...Object.values(named).map((file) => files.get(file) ?? ""),
    ...(await Promise.all(["x", hostileText("title"), "$& $' $` $1"].map(search))),
  ];
  const page = pages.join("\n");

  it("is a file for each page and each search, and an index of them", () => {
    expect(Object.keys(named)).toEqual([...docsPages(document, []).keys()]);
    expect([...files.keys()].toSorted()).toEqual(
      [...Object.values(named), INDEX_FILE, SEARCH_FILE].toSorted(),
    );
    expect(new Set(Object.values(named)).size).toBe(Object.keys(named).length);
  });

  it("shows each of them as text", () => {
    expectEscaped(
      page,
      marks,
      pages.map(() => '<script src="/assets/console/docs.js" type="module">'),
    );
  });

  it("keeps each of them inside its attribute", () => {
    expect(page).toContain(`<article id="${escapedText("id")}">`);
    expect(page).toContain(`href="#${escapedText("id")}"`);
    expect(page).toContain(`id="event-${escapedText("kind")}"`);
    expect(page).toContain(`name="description" content="${escapedText("abstract")}"`);
  });

  it("shows the query as it was typed, in the field and in the answer", async () => {
    const typed = "$& $' $` $1";
    const shown = await search(typed);
    expect(shown).toContain('name="q" value="$&amp; $&#39; $` $1" maxlength="100"');
    expect(shown).toContain("No results for “$&amp; $&#39; $` $1”");
    expect(await search(`  ${"a".repeat(101)}`)).toContain(`for “${"a".repeat(98)}”`);
    const whole = files.get(SEARCH_FILE) ?? "";
    expect(await search(" ")).toBe(whole);
    await expect(searchPage(whole.replace('id="search"', ""), entries, "x")).rejects.toThrow(
      "has not the parts",
    );
  });

  it("shows text between backticks as code, and escapes it too", async () => {
    const info = { description: `say \`${hostileText("code")}\` twice` };
    expect(await docsPages({ info }, []).get("/docs")?.()).toContain(
      `say <code>${escapedText("code")}</code> twice`,
    );
  });
});

describe("the page of errors", async () => {
  const files = await docsFiles({}, []);
  const { entries } = JSON.parse(files.get(INDEX_FILE) ?? "") as DocsIndex;
  const page = files.get("docs/errors.html") ?? "";
  const lists = [
    ["", errorCodes],
    ["fault-", Object.keys(faultCodes)],
    ["deployment-", Object.keys(faultOfCode)],
  ] as const;
  const places = lists.flatMap(([prefix, codes]) => codes.map((code) => [code, prefix + code]));

  it.each(places)("has %s, and a search for it finds it at #%s", (code = "", id = "") => {
    expect(page).toContain(`<div class="error" id="${id}">`);
    const best = rankEntries(entries, code).slice(0, lists.length);
    expect(best.filter(({ name }) => name === code).map(({ path }) => path)).toContain(
      `/docs/errors#${id}`,
    );
  });

  it("names the fault of each deployment error, and the origin of other codes", () => {
    const textOf = (id: string) =>
      page.split(` id="deployment-${id}"`)[1]?.split(/<\/(?:div|p)>/)[0] ?? "";
    expect(textOf("unclear_rename")).toContain("Yours");
    expect(textOf("cannot_tell")).toContain("The provider&#39;s");
    expect(textOf("cannot_continue")).toContain("The service&#39;s");
    expect(textOf("cloud-codes")).toContain("<code>AccessDenied</code>");
    expect(rankEntries(entries, "denied")[0]?.path).toBe("/docs/errors#deployment-cloud-codes");
  });
});

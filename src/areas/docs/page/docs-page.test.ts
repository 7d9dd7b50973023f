import { describe, expect, it } from "vitest";
import { escapedText, expectEscaped, hostileText } from "#test/support/hostile-text.ts";
import { docsPages } from "./docs-page.tsx";
import { docsSearch } from "./search-page.tsx";

/** A document whose every text ends the element and the attribute that it is put into as it is. */
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
  const pages = await Promise.all(
    [...docsPages(document).values()].map((page) => page()).concat(docsSearch(document)("x")),
  );
  const page = pages.join("\n");

  it("shows each of them as text", () => {
    expectEscaped(
      page,
      marks,
      pages.map(() => '<script src="/assets/docs.js" type="module">'),
    );
  });

  it("keeps each of them inside its attribute", () => {
    expect(page).toContain(`<article id="${escapedText("id")}">`);
    expect(page).toContain(`href="#${escapedText("id")}"`);
    expect(page).toContain(`id="event-${escapedText("kind")}"`);
    expect(page).toContain(`name="description" content="${escapedText("abstract")}"`);
  });

  it("takes what stands between backticks for code, and that for text too", async () => {
    const info = { description: `say \`${hostileText("code")}\` twice` };
    expect(await docsPages({ info }).get("/docs")?.()).toContain(
      `say <code>${escapedText("code")}</code> twice`,
    );
  });
});

import {
  type DocumentNode,
  MAX_NESTING,
  reportMerge,
  reportNesting,
} from "#engine/template/document.ts";
import type { Report } from "#engine/template/report.ts";
import { escapePointer, isJsonMap, type Json } from "#platform/json.ts";

/**
 * The document of a value as it would be written out, for a check that needs no text. Each list, map and value has its
 * own line, in text order. Below the nesting limit of templates, values are null.
 */
export function unwrittenDocument(value: Json, report: Report): DocumentNode {
  return new UnwrittenReader(report).read(value, "", 1);
}

class UnwrittenReader {
  readonly #report: Report;
  #line = 0;

  constructor(report: Report) {
    this.#report = report;
  }

  read(value: Json, path: string, depth: number): DocumentNode {
    this.#line += 1;
    const place = { path, line: this.#line, column: 1 };
    if (typeof value !== "object" || value === null) return { kind: "scalar", value, place };
    if (depth > MAX_NESTING) {
      reportNesting(place, this.#report);
      return { kind: "scalar", value: null, place };
    }
    if (!isJsonMap(value)) {
      const items = value.map((item, at) => this.read(item, `${path}/${at}`, depth + 1));
      return { kind: "list", items, place };
    }
    const entries = Object.entries(value).map(([key, member]) => {
      const below = `${path}/${escapePointer(key)}`;
      const node = this.read(member, below, depth + 1);
      // Writers of YAML leave this key without quotes.
      if (key === "<<") reportMerge(node.place, this.#report);
      return { key, keyPlace: node.place, value: node };
    });
    return { kind: "map", entries, place };
  }
}
